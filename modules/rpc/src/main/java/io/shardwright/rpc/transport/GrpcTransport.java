package io.shardwright.rpc.transport;

import io.grpc.BindableService;
import io.grpc.ServerInterceptor;
import io.shardwright.rpc.transport.helidon.HelidonGrpcEndpoint;
import io.shardwright.rpc.transport.netty.NettyGrpcEndpoint;
import java.util.List;

/** The technology that carries gRPC: the values of the configuration key {@code grpc.transport}. */
public enum GrpcTransport {
    /** Helidon's webserver-grpc, mended where it can be. */
    HELIDON,
    /** grpc-netty with a virtual thread per call. */
    NETTY;

    /** Chosen by the table in {@code docs/transports.md}: Helidon once its column is all green, Netty until then. */
    public static final GrpcTransport DEFAULT = NETTY;

    GrpcEndpoint endpoint(
            GrpcEndpointSettings settings, List<BindableService> services, List<ServerInterceptor> interceptors) {
        return switch (this) {
            case HELIDON -> HelidonGrpcEndpoint.create(settings, services, interceptors);
            case NETTY -> NettyGrpcEndpoint.create(settings, services, interceptors);
        };
    }
}
