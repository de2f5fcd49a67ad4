package io.shardwright.control;

import io.shardwright.domain.Drains;
import io.shardwright.domain.Executor;
import io.shardwright.domain.ExecutorId;
import io.shardwright.domain.Namespace;
import io.shardwright.domain.ShardTable;
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
}
