package io.shardwright.domain;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.function.Function;

/**
 * What a decision about one namespace is made from: its stored state, and what happened since.
 *
 * @param table stored shards
 * @param executors stored executors
 * @param drains stored drains
 * @param events what happened since the last decision
 * @param load the load that was reported for a shard; empty: not measured
 * @param loadMoves how many moves may be made only to even out loads
 */
public record Situation(
        ShardTable table,
        SortedMap<ExecutorId, Executor> executors,
        Drains drains,
        Events events,
        Function<Shard, OptionalDouble> load,
        int loadMoves) {

    /**
     * What happened.
     *
     * @param registered executors that registered, or whose status changes
     * @param replaced executors of which a new process took over, after the old one's lease had ended
     * @param lost executors whose lease ended
     * @param freed shards that their owner released, or that their owner was asked to release and whose last listing
     *     ran out
     * @param wanted ephemeral shards that somebody asked for
     * @param idle ephemeral shards that their owner stopped because nobody asked for them
     * @param drains all drains as somebody wants them to be; empty: as they are
     * @param raised epochs that executors reported and that are above the stored ones
     */
    public record Events(
            SortedMap<ExecutorId, Executor> registered,
            SortedSet<ExecutorId> replaced,
            SortedSet<ExecutorId> lost,
            SortedSet<ShardKey> freed,
            SortedSet<ShardKey> wanted,
            SortedSet<ShardKey> idle,
            Optional<Drains> drains,
            SortedMap<ShardKey, Long> raised) {}
}
