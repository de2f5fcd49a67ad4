package io.shardwright.rpc.transport.conformance;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.BytesValue;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.netty.handler.ssl.SslContextBuilder;
import io.shardwright.rpc.transport.GrpcTransport;
import io.shardwright.rpc.transport.Peer;
import io.shardwright.rpc.transport.TransportSecurity;
import io.shardwright.rpc.transport.TransportSecurity.ClientCertificate;
import io.shardwright.testkit.Certificates;
import java.util.List;
import java.util.Optional;

/** TLS, and who called. */
final class SecurityLines {
    private SecurityLines() {}

    static List<Line> lines() {
        return List.of(
                new Line(
                        "plaintext-peer",
                        "A caller without TLS is anonymous, with an address",
                        SecurityLines::plaintext),
                new Line("tls", "TLS works, and a caller without a certificate is anonymous", SecurityLines::tls),
                new Line("mtls", "Mutual TLS names the caller by its certificate", SecurityLines::mutual),
                new Line(
                        "mtls-required",
                        "Mutual TLS turns a caller without a certificate away",
                        SecurityLines::required),
                new Line("mtls-requested", "A requested certificate may be missing", SecurityLines::requested));
    }

    private static Probe whoAmI() {
        return new Probe().unary((request, reply) -> {
            reply.onNext(Probe.text(
                    switch (Peer.current()) {
                        case Peer.Anonymous anonymous -> "anonymous " + anonymous.address();
                        case Peer.Authenticated authenticated -> authenticated.subject();
                    }));
            reply.onCompleted();
        });
    }

    private static void plaintext(GrpcTransport transport) throws Exception {
        try (Rig rig = Rig.start(transport, whoAmI())) {
            String peer = Probe.text(rig.unary(Probe.text("who am I")));
            assertTrue(peer.matches("anonymous .*127\\.0\\.0\\.1:\\d+"), peer);
        }
    }

    private static void tls(GrpcTransport transport) throws Exception {
        Certificates.Pair server = Certificates.SERVER.pair();
        try (Rig rig = secured(transport, new TransportSecurity.Tls(server.certificate(), server.key()))) {
            assertTrue(ask(rig, Optional.empty()).startsWith("anonymous "));
        }
    }

    private static void mutual(GrpcTransport transport) throws Exception {
        try (Rig rig = secured(transport, mutual(ClientCertificate.REQUIRED))) {
            assertEquals("CN=executor-7,O=Shardwright tests", ask(rig, Optional.of(Certificates.CLIENT.pair())));
        }
    }

    private static void required(GrpcTransport transport) throws Exception {
        try (Rig rig = secured(transport, mutual(ClientCertificate.REQUIRED))) {
            for (Optional<Certificates.Pair> without :
                    List.of(Optional.<Certificates.Pair>empty(), Optional.of(Certificates.STRANGER.pair()))) {
                StatusRuntimeException failure = assertThrows(StatusRuntimeException.class, () -> ask(rig, without));
                assertEquals(Status.Code.UNAVAILABLE, failure.getStatus().getCode(), failure::toString);
            }
        }
    }

    private static void requested(GrpcTransport transport) throws Exception {
        try (Rig rig = secured(transport, mutual(ClientCertificate.REQUESTED))) {
            assertTrue(ask(rig, Optional.empty()).startsWith("anonymous "));
            assertEquals("CN=executor-7,O=Shardwright tests", ask(rig, Optional.of(Certificates.CLIENT.pair())));
        }
    }

    private static TransportSecurity mutual(ClientCertificate clientCertificate) throws Exception {
        Certificates.Pair server = Certificates.SERVER.pair();
        return new TransportSecurity.MutualTls(
                server.certificate(), server.key(), Certificates.CLIENT.pair().certificate(), clientCertificate);
    }

    private static Rig secured(GrpcTransport transport, TransportSecurity security) throws Exception {
        return Rig.start(transport, whoAmI(), settings -> settings.withSecurity(security));
    }

    private static String ask(Rig rig, Optional<Certificates.Pair> identity) throws Exception {
        SslContextBuilder tls = GrpcSslContexts.forClient()
                .trustManager(Certificates.SERVER.pair().certificate().toFile());
        identity.ifPresent(
                own -> tls.keyManager(own.certificate().toFile(), own.key().toFile()));
        ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", rig.port())
                .sslContext(tls.build())
                .build();
        try {
            BytesValue answer = ClientCalls.blockingUnaryCall(
                    channel, Probe.UNARY, CallOptions.DEFAULT.withDeadlineAfter(8, SECONDS), Probe.text("who am I"));
            return Probe.text(assertInstanceOf(BytesValue.class, answer));
        } finally {
            channel.shutdownNow();
        }
    }
}
