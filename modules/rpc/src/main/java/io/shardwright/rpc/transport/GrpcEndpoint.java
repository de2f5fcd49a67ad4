package io.shardwright.rpc.transport;

import io.grpc.BindableService;
import io.grpc.ServerInterceptor;
import io.grpc.protobuf.services.HealthStatusManager;
import java.io.IOException;
import java.util.List;

/**
 * A listening gRPC server, whatever technology carries it. It serves the given services plus {@code grpc.health.v1} and
 * reflection, turns every error of a service into a status ({@link ErrorInterceptor}) and names the caller
 * ({@link Peer}).
 *
 * <p>Thread-safe. Callbacks of one call never overlap; they may block, since each runs on a virtual thread. A response
 * observer may block the thread that writes to it while the reader is slow: never write from an event loop.
 */
public interface GrpcEndpoint extends AutoCloseable {

    /**
     * Builds an endpoint that does not listen yet.
     *
     * @param interceptors run in this order, after the shared ones
     */
    static GrpcEndpoint create(
            GrpcTransport transport,
            GrpcEndpointSettings settings,
            List<? extends BindableService> services,
            List<? extends ServerInterceptor> interceptors) {
        return transport.endpoint(settings, List.copyOf(services), List.copyOf(interceptors));
    }

    /**
     * Opens the port and serves calls from here on.
     *
     * @throws IOException if the address cannot be bound or a certificate cannot be read; nothing is left open
     * @throws IllegalStateException if started or closed before
     */
    void start() throws IOException;

    /**
     * The port that the endpoint listens on, also when the settings asked for any port.
     *
     * @throws IllegalStateException if the endpoint is not started
     */
    int port();

    /**
     * What {@code grpc.health.v1.Health} answers. The empty service name stands for the whole server; it starts as
     * SERVING.
     */
    HealthStatusManager health();

    /**
     * Takes no new calls, lets calls in flight finish within {@link GrpcEndpointSettings#grace()}, then cancels what is
     * left and closes the port. Health turns to NOT_SERVING first. Idempotent; does nothing if never started.
     */
    @Override
    void close();
}
