package io.shardwright.canary.ping;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.shardwright.proto.canary.v1.CanaryServiceGrpc;
import io.shardwright.proto.canary.v1.PingRequest;
import io.shardwright.proto.canary.v1.PingResponse;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** One connection per executor address. Thread-safe; calls block. */
final class PingClients implements AutoCloseable {

    private static final long DEADLINE_SECONDS = 5;

    private final Map<String, ManagedChannel> channels = new ConcurrentHashMap<>();

    PingOutcome ping(String address, String namespace, String shardKey) {
        if (address.isEmpty()) {
            return new PingOutcome.Unreachable("the executor registered no address");
        }
        try {
            PingResponse answer = CanaryServiceGrpc.newBlockingStub(
                            channels.computeIfAbsent(address, PingClients::open))
                    .withDeadlineAfter(DEADLINE_SECONDS, TimeUnit.SECONDS)
                    .ping(PingRequest.newBuilder()
                            .setNamespace(namespace)
                            .setShardKey(shardKey)
                            .build());
            return answer.getOwned() ? new PingOutcome.Owned(answer) : new PingOutcome.NotOwned();
        } catch (StatusRuntimeException e) {
            return new PingOutcome.Unreachable(describe(e.getStatus()));
        }
    }

    private static String describe(Status status) {
        return status.getCode() + (status.getDescription() == null ? "" : ": " + status.getDescription());
    }

    private static ManagedChannel open(String address) {
        return NettyChannelBuilder.forTarget(address)
                .usePlaintext()
                .directExecutor()
                .disableRetry()
                .build();
    }

    /** Drops the connection to an executor that is gone. */
    void forget(String address) {
        ManagedChannel channel = channels.remove(address);
        if (channel != null) {
            channel.shutdownNow();
        }
    }

    @Override
    public void close() {
        channels.keySet().forEach(this::forget);
    }
}
