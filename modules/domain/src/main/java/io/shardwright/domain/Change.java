package io.shardwright.domain;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a decision changes in the stored state of a namespace.
 *
 * @param executors executors that are new or changed
 * @param goneExecutors executors that are removed
 * @param shards shards that are new or changed
 * @param goneShards shards that are removed (ephemeral namespaces)
 * @param drains all drains, if they changed
 */
public record Change(
        SortedMap<ExecutorId, Executor> executors,
        SortedSet<ExecutorId> goneExecutors,
        List<Shard> shards,
        SortedSet<ShardKey> goneShards,
        Optional<Drains> drains) {

    public Change {
        executors = Collections.unmodifiableSortedMap(new TreeMap<>(executors));
        goneExecutors = Collections.unmodifiableSortedSet(new TreeSet<>(goneExecutors));
        shards = List.copyOf(shards);
        goneShards = Collections.unmodifiableSortedSet(new TreeSet<>(goneShards));
    }

    /** Tells whether nothing changes. */
    public boolean isEmpty() {
        return executors.isEmpty()
                && goneExecutors.isEmpty()
                && shards.isEmpty()
                && goneShards.isEmpty()
                && drains.isEmpty();
    }
}
