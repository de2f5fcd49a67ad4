package io.shardwright.control;

import io.shardwright.domain.Drains;
import io.shardwright.domain.Executor;
import io.shardwright.domain.ExecutorId;
import io.shardwright.domain.Namespace;
import io.shardwright.domain.ShardKey;
import io.shardwright.domain.ShardTable;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;

/**
 * The stored state of a namespace at one revision: an immutable snapshot that any thread may read.
 *
 * @param revision store revision of the last change of this namespace
 */
public record NamespaceView(
        Namespace namespace,
        long revision,
        ShardTable table,
        SortedMap<ExecutorId, Executor> executors,
        Drains drains) {

    /** Describes a namespace in which nothing is drained. */
    public NamespaceView(
            Namespace namespace, long revision, ShardTable table, SortedMap<ExecutorId, Executor> executors) {
        this(namespace, revision, table, executors, Drains.NONE);
    }

    /** Returns this state at another revision. */
    NamespaceView at(long otherRevision) {
        return new NamespaceView(namespace, otherRevision, table, executors, drains);
    }

    /** Returns this state with other settings. */
    NamespaceView with(Namespace settings) {
        return new NamespaceView(settings, revision, table, executors, drains);
    }

    /** Returns this state with other shards. */
    NamespaceView with(ShardTable shards) {
        return new NamespaceView(namespace, revision, shards, executors, drains);
    }

    /** Returns this state with other executors. */
    NamespaceView with(SortedMap<ExecutorId, Executor> others) {
        return new NamespaceView(namespace, revision, table, Collections.unmodifiableSortedMap(others), drains);
    }

    /** Returns this state with other drains. */
    NamespaceView with(Drains others) {
        return new NamespaceView(namespace, revision, table, executors, others);
    }

    /** Returns why nobody may have a shard, if it is drained. */
    Optional<Reply.Refusal> refusal(ShardKey shard) {
        return Optional.ofNullable(drains.shards().get(shard))
                .map(drain -> new Reply.Refusal.ShardDrained(namespace.name(), shard, drain));
    }
}
