package io.shardwright.server;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.prometheus.metrics.core.metrics.Counter;
import io.shardwright.server.http.Metrics;

/**
 * Counts the calls of each method by the status that they ended with; renewals are those of
 * {@code shardwright.v1.ExecutorService/Renew}. Thread-safe.
 */
final class CallMetrics implements ServerInterceptor {

    private final Counter calls;

    CallMetrics(Metrics metrics) {
        this.calls = metrics.counter(
                "shard_manager_grpc_calls", "gRPC calls by the status they ended with.", "method", "code");
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        ServerCall<Q, R> counted = new SimpleForwardingServerCall<>(call) {
            @Override
            public void close(Status status, Metadata trailers) {
                calls.labelValues(
                                getMethodDescriptor().getFullMethodName(),
                                status.getCode().name())
                        .inc();
                super.close(status, trailers);
            }
        };
        return next.startCall(counted, headers);
    }
}
