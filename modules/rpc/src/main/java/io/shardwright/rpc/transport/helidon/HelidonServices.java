package io.shardwright.rpc.transport.helidon;

import io.grpc.BindableService;
import io.grpc.Context;
import io.grpc.InternalServer;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.helidon.webserver.grpc.GrpcRouting;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;

/**
 * Gives services to Helidon in a form that puts a {@link HelidonCall} in front of each call. Immutable.
 *
 * @param definitions the services with their interceptors
 * @param messages how messages are read
 * @param timer ends calls at their deadline
 */
record HelidonServices(
        List<ServerServiceDefinition> definitions, InboundMessages messages, ScheduledExecutorService timer) {

    GrpcRouting.Builder routing() {
        GrpcRouting.Builder routing = GrpcRouting.builder().config(io.helidon.config.Config.empty());
        for (ServerServiceDefinition definition : definitions) {
            ServerServiceDefinition adapted = adapt(definition);
            BindableService constant = () -> adapted;
            routing.service(constant);
        }
        return routing;
    }

    private ServerServiceDefinition adapt(ServerServiceDefinition definition) {
        List<ServerMethodDefinition<?, ?>> methods =
                List.copyOf(definition.getMethods().stream().map(this::adapt).toList());
        ServiceDescriptor original = definition.getServiceDescriptor();
        ServiceDescriptor.Builder descriptor =
                ServiceDescriptor.newBuilder(original.getName()).setSchemaDescriptor(original.getSchemaDescriptor());
        methods.forEach(method -> descriptor.addMethod(method.getMethodDescriptor()));
        ServerServiceDefinition.Builder adapted = ServerServiceDefinition.builder(descriptor.build());
        methods.forEach(adapted::addMethod);
        return adapted.build();
    }

    private <Q, R> ServerMethodDefinition<byte[], R> adapt(ServerMethodDefinition<Q, R> original) {
        MethodDescriptor<Q, R> method = original.getMethodDescriptor();
        MethodDescriptor<byte[], R> onWire =
                method.toBuilder(messages, method.getResponseMarshaller()).build();
        return ServerMethodDefinition.create(
                onWire, (wire, headers) -> startCall(wire, headers, method, original.getServerCallHandler()));
    }

    private <Q, R> ServerCall.Listener<byte[]> startCall(
            ServerCall<byte[], R> wire,
            Metadata headers,
            MethodDescriptor<Q, R> method,
            ServerCallHandler<Q, R> handler) {
        if (wire.isCancelled()) {
            return new ServerCall.Listener<>() {}; // Helidon refused the encoding, and calls us nevertheless
        }
        HelidonCall<Q, R> call = new HelidonCall<>(wire, method, messages);
        Context context = Context.current().withValue(InternalServer.SERVER_CONTEXT_KEY, new Listed(definitions));
        return call.start(handler, headers, context, timer);
    }

    /** As much of a grpc-java server as reflection asks for: it finds the list of services in its context. */
    private static final class Listed extends Server {
        private final List<ServerServiceDefinition> definitions;

        Listed(List<ServerServiceDefinition> definitions) {
            this.definitions = definitions;
        }

        @Override
        public List<ServerServiceDefinition> getImmutableServices() {
            return definitions;
        }

        @Override
        public List<ServerServiceDefinition> getServices() {
            return definitions;
        }

        @Override
        public Server start() {
            throw new UnsupportedOperationException("start the endpoint instead");
        }

        @Override
        public Server shutdown() {
            throw new UnsupportedOperationException("close the endpoint instead");
        }

        @Override
        public Server shutdownNow() {
            throw new UnsupportedOperationException("close the endpoint instead");
        }

        @Override
        public boolean isShutdown() {
            return false;
        }

        @Override
        public boolean isTerminated() {
            return false;
        }

        @Override
        public boolean awaitTermination(long timeout, java.util.concurrent.TimeUnit unit) {
            throw new UnsupportedOperationException("close the endpoint instead");
        }

        @Override
        public void awaitTermination() {
            throw new UnsupportedOperationException("close the endpoint instead");
        }
    }
}
