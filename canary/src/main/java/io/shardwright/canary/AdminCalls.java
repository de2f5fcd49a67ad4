package io.shardwright.canary;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.shardwright.proto.v1.AdminServiceGrpc;
import io.shardwright.proto.v1.CreateNamespaceRequest;
import io.shardwright.proto.v1.DescribeNamespaceRequest;
import io.shardwright.proto.v1.ExecutorDetails;
import io.shardwright.proto.v1.ListExecutorsRequest;
import io.shardwright.proto.v1.Namespace;
import io.shardwright.proto.v1.NamespaceKind;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The few operator calls that a run needs. Thread-safe; calls block for 5 s at most. */
final class AdminCalls implements AutoCloseable {

    private static final long DEADLINE_SECONDS = 5;

    private final String target;
    private final ManagedChannel channel;

    AdminCalls(String target) {
        this.target = target;
        this.channel = NettyChannelBuilder.forTarget(target).usePlaintext().build();
    }

    /**
     * Creates a namespace unless there is one of that name.
     *
     * @param shards number of shards of a fixed namespace; 0 for an ephemeral one
     * @param lease used if the namespace is new
     * @return the namespace as stored
     */
    Namespace ensure(String name, int shards, Duration lease) throws RunFailedException {
        NamespaceKind kind = shards > 0 ? NamespaceKind.NAMESPACE_KIND_FIXED : NamespaceKind.NAMESPACE_KIND_EPHEMERAL;
        try {
            Namespace stored = find(name, kind, shards, lease);
            if (stored.getKind() != kind || stored.getShardCount() != shards) {
                throw new RunFailedException("namespace " + name + " exists as " + describe(stored)
                        + ", and is asked for as " + describe(kind, shards)
                        + "; choose another name, or the stored number of shards");
            }
            return stored;
        } catch (StatusRuntimeException e) {
            throw new RunFailedException(
                    switch (e.getStatus().getCode()) {
                        case UNAVAILABLE, DEADLINE_EXCEEDED ->
                            "cannot reach a shard manager at " + target + " (" + text(e.getStatus())
                                    + "); start one with ./shardwright server, or give its address with --target";
                        default -> "the shard manager refused namespace " + name + ": " + text(e.getStatus());
                    },
                    e);
        }
    }

    private Namespace find(String name, NamespaceKind kind, int shards, Duration lease) {
        try {
            return stub().describeNamespace(DescribeNamespaceRequest.newBuilder()
                            .setNamespace(name)
                            .build())
                    .getNamespace();
        } catch (StatusRuntimeException e) {
            if (e.getStatus().getCode() != Status.Code.NOT_FOUND) {
                throw e;
            }
            return stub().createNamespace(CreateNamespaceRequest.newBuilder()
                            .setNamespace(Namespace.newBuilder()
                                    .setName(name)
                                    .setKind(kind)
                                    .setShardCount(shards)
                                    .setLeaseMillis(lease.toMillis()))
                            .build())
                    .getNamespace();
        }
    }

    /** Returns the executors of a namespace; empty when the shard manager does not answer. */
    List<ExecutorDetails> executors(String namespace) {
        try {
            return stub().listExecutors(ListExecutorsRequest.newBuilder()
                            .setNamespace(namespace)
                            .build())
                    .getExecutorsList();
        } catch (StatusRuntimeException e) {
            return List.of();
        }
    }

    private AdminServiceGrpc.AdminServiceBlockingStub stub() {
        return AdminServiceGrpc.newBlockingStub(channel).withDeadlineAfter(DEADLINE_SECONDS, TimeUnit.SECONDS);
    }

    private static String describe(Namespace namespace) {
        return describe(namespace.getKind(), namespace.getShardCount());
    }

    private static String describe(NamespaceKind kind, int shards) {
        return kind == NamespaceKind.NAMESPACE_KIND_FIXED ? "fixed with " + shards + " shards" : "ephemeral";
    }

    private static String text(Status status) {
        return status.getCode() + (status.getDescription() == null ? "" : ": " + status.getDescription());
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
