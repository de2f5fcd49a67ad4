package io.shardwright.client.lease;

import java.util.OptionalDouble;

/**
 * Starts and stops what runs for a shard. Called on the event loop; must not block.
 *
 * <p>{@link #start} is answered by exactly one of {@link ExecutorAgent#started} and {@link ExecutorAgent#startFailed},
 * unless {@link #stop} is called first: then only {@link ExecutorAgent#stopped} follows, after both the start and the
 * stop ended. Answers come on the event loop.
 */
public interface ShardRunner {

    /** Starts a shard. */
    void start(Ownership shard);

    /** Stops a shard that is starting or running. */
    void stop(Ownership shard, ShardStop reason);

    /** Returns the last measured load of a running shard: finite and not negative, or absent. */
    OptionalDouble load(Ownership shard);
}
