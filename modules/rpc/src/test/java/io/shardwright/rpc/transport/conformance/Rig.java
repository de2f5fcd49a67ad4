package io.shardwright.rpc.transport.conformance;

import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.protobuf.BytesValue;
import io.grpc.BindableService;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.ServerInterceptor;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.shardwright.proto.v1.SpectatorServiceGrpc;
import io.shardwright.rpc.transport.GrpcEndpoint;
import io.shardwright.rpc.transport.GrpcEndpointSettings;
import io.shardwright.rpc.transport.GrpcTransport;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** An endpoint with a {@link Probe}, and one plain-text connection to it. Closing it must not take the whole grace. */
final class Rig implements AutoCloseable {
    /** Much longer than anything here takes on a busy machine; a test that needs it has failed. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    /** A service whose file descriptor reflection can show. */
    private static final BindableService DESCRIBED = new SpectatorServiceGrpc.SpectatorServiceImplBase() {};

    private final GrpcEndpoint endpoint;
    private final ManagedChannel channel;

    private Rig(GrpcEndpoint endpoint) {
        this.endpoint = endpoint;
        this.channel = channelTo(endpoint.port());
    }

    static Rig start(GrpcTransport transport, Probe probe) throws IOException {
        return start(transport, probe, settings -> settings);
    }

    static Rig start(
            GrpcTransport transport,
            Probe probe,
            UnaryOperator<GrpcEndpointSettings> change,
            ServerInterceptor... interceptors)
            throws IOException {
        GrpcEndpointSettings settings =
                GrpcEndpointSettings.plaintext("127.0.0.1", 0).withGrace(Duration.ofMillis(200));
        GrpcEndpoint endpoint = GrpcEndpoint.create(
                transport, change.apply(settings), List.of(probe, DESCRIBED), List.of(interceptors));
        endpoint.start();
        return new Rig(endpoint);
    }

    static ManagedChannel channelTo(int port) {
        return NettyChannelBuilder.forAddress("127.0.0.1", port)
                .usePlaintext()
                .maxInboundMessageSize(32 * 1024 * 1024)
                .build();
    }

    GrpcEndpoint endpoint() {
        return endpoint;
    }

    int port() {
        return endpoint.port();
    }

    ManagedChannel channel() {
        return channel;
    }

    BytesValue unary(BytesValue request) {
        return unary(request, CallOptions.DEFAULT);
    }

    BytesValue unary(BytesValue request, CallOptions options) {
        CallOptions patient = options.getDeadline() == null
                ? options.withDeadlineAfter(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                : options;
        return ClientCalls.blockingUnaryCall(channel, Probe.UNARY, patient, request);
    }

    /** How a unary call fails. */
    StatusRuntimeException unaryFailure(BytesValue request) {
        return assertThrows(StatusRuntimeException.class, () -> unary(request));
    }

    /** Opens a server stream and collects what comes. */
    Received stream() {
        return Received.of(channel.newCall(Probe.STREAM, CallOptions.DEFAULT), Probe.text("start"));
    }

    @Override
    public void close() {
        channel.shutdownNow();
        endpoint.close();
    }
}
