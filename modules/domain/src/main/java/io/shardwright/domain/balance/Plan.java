package io.shardwright.domain.balance;

import io.shardwright.domain.ExecutorId;
import io.shardwright.domain.ShardKey;
import java.util.List;
import java.util.Optional;

/**
 * Moves that a balancer wants, most urgent first.
 *
 * @param moves at most one for each shard
 */
public record Plan(List<Move> moves) {

    public Plan {
        moves = List.copyOf(moves);
    }

    /**
     * One move.
     *
     * @param shard what moves
     * @param from present owner; empty: nobody
     * @param to next owner; empty: nobody can take it, it shall only be let go
     * @param reason why, in one sentence with its figures
     */
    public record Move(ShardKey shard, Optional<ExecutorId> from, Optional<ExecutorId> to, String reason) {}
}
