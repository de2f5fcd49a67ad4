package io.shardwright.control;

import io.shardwright.domain.ShardKey;
import java.util.List;

/**
 * The full set of shards that an executor may run.
 *
 * @param incarnation identity of the server process that decided (R86)
 * @param revision store revision that the set was read from (R85)
 * @param shards the set; empty is a statement
 */
public record Delivery(String incarnation, long revision, List<Entry> shards) {

    public Delivery {
        shards = List.copyOf(shards);
    }

    /** One shard of the set. */
    public record Entry(ShardKey key, long epoch) {}
}
