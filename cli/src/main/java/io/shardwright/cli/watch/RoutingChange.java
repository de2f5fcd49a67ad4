package io.shardwright.cli.watch;

import io.shardwright.proto.v1.ExecutorInfo;
import io.shardwright.proto.v1.ShardRoute;
import java.util.Optional;

/** One thing that happened to a routing table. */
public sealed interface RoutingChange {
    /** The table was read whole for the first time; it is what the table holds now. */
    record TableRead() implements RoutingChange {}

    /**
     * A shard is new, or has another owner or epoch.
     *
     * @param before empty: the shard is new
     */
    record ShardRouted(Optional<ShardRoute> before, ShardRoute after) implements RoutingChange {}

    /** A shard of an ephemeral namespace is gone. */
    record ShardRemoved(ShardRoute before) implements RoutingChange {}

    /** An executor is new. */
    record ExecutorAdded(ExecutorInfo executor) implements RoutingChange {}

    /** An executor has another address, host or labels. */
    record ExecutorUpdated(ExecutorInfo executor) implements RoutingChange {}

    /** An executor is gone. */
    record ExecutorRemoved(String executorId) implements RoutingChange {}
}
