package io.shardwright.rpc.transport;

import io.grpc.BindableService;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What every endpoint serves: the given services, health and reflection, each behind the same interceptors. Immutable.
 */
public final class ServiceAssembly {
    private ServiceAssembly() {}

    /**
     * Binds everything once.
     *
     * @param openCalls counts the calls of the endpoint
     * @param peers names the caller, as only the transport can
     * @param interceptors run in this order, after the shared ones
     */
    public static List<ServerServiceDefinition> assemble(
            List<BindableService> services,
            HealthStatusManager health,
            OpenCalls openCalls,
            PeerInterceptor peers,
            List<ServerInterceptor> interceptors) {
        List<ServerInterceptor> all = new ArrayList<>();
        all.add(new ErrorInterceptor(openCalls));
        all.add(peers);
        all.addAll(interceptors);
        return Stream.concat(
                        services.stream(), Stream.of(health.getHealthService(), ProtoReflectionServiceV1.newInstance()))
                .map(service -> ServerInterceptors.interceptForward(service, all))
                .toList();
    }
}
