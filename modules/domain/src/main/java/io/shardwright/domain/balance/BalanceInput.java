package io.shardwright.domain.balance;

import io.shardwright.domain.ExecutorId;
import io.shardwright.domain.Shard;
import io.shardwright.domain.ShardKey;
import io.shardwright.domain.ShardTable;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * What a balancer plans from.
 *
 * @param table all shards; an unassigned one is to be placed, one that is being released counts for the executor it
 *     goes to, and may be sent to another one
 * @param eligible executors that may get shards, sorted by id; a shard of any other executor is to be moved away
 * @param drained tells of a shard that is to have no owner, and is left out of the plan
 * @param load the load that was reported for a shard; empty: not measured
 * @param loadMoves how many moves the plan may make only to even out loads
 */
public record BalanceInput(
        ShardTable table,
        List<ExecutorId> eligible,
        Predicate<ShardKey> drained,
        Function<Shard, OptionalDouble> load,
        int loadMoves) {

    public BalanceInput {
        eligible = List.copyOf(eligible);
    }

    /** Describes a namespace in which nothing is drained. */
    public BalanceInput(
            ShardTable table, List<ExecutorId> eligible, Function<Shard, OptionalDouble> load, int loadMoves) {
        this(table, eligible, key -> false, load, loadMoves);
    }
}
