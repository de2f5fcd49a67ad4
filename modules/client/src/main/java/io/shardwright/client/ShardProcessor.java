package io.shardwright.client;

import io.shardwright.client.lease.ShardStop;
import java.util.OptionalDouble;

/**
 * What runs one shard, written by the application.
 *
 * <p>One instance lives from one {@link #start} to one {@link #stop}: at most one instance per shard exists in a
 * process at a time, and a shard that comes back later gets a new one. {@code start} and {@code stop} run on virtual
 * threads of their own, in parallel for different shards, and may block. {@code stop} is called only after
 * {@code start} returned; it is not called when {@code start} threw.
 */
public interface ShardProcessor {

    /**
     * Starts the shard. The shard serves when this returns.
     *
     * @throws Exception when it cannot start; it is tried again with a new instance after a pause, and reported to the
     *     shard manager
     */
    void start(ShardContext shard) throws Exception;

    /**
     * Stops the shard. The shard moves to its next owner when this returns, so be quick; nothing of it may run
     * afterwards.
     *
     * <p>From the moment this is called {@link ShardContext#isOwned()} is false.
     *
     * @throws Exception is logged; the shard counts as stopped
     */
    void stop(ShardStop reason) throws Exception;

    /**
     * Returns the load of the shard, finite and not negative, in one unit for the whole namespace; empty when not
     * measured. Asked about every second, one call at a time.
     */
    default OptionalDouble load() {
        return OptionalDouble.empty();
    }
}
