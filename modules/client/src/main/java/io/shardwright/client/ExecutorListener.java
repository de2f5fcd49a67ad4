package io.shardwright.client;

import io.shardwright.client.lease.ShardStop;
import java.time.Duration;

/**
 * Hears what happens to an executor and its shards. Each method is called on one background thread, in the order of the
 * events; a slow listener delays only other listener calls. What it throws is logged.
 */
public interface ExecutorListener {

    /** The executor is registered (again). */
    default void registered(Duration lease) {}

    /** A registration or a renewal failed and is repeated. */
    default void callFailed(String message) {}

    /** Another live process holds the executor id: this process runs nothing and tries again after a while. */
    default void idInUse(Duration retryAfter) {}

    /**
     * The lease ended for this many shards before a renewal was answered. They stop, and start again after an answer
     * that lists them.
     */
    default void leaseEnded(int shards) {}

    /** A shard runs. */
    default void shardStarted(String shardKey, long epoch) {}

    /** A shard could not start; it is tried again. */
    default void shardFailed(String shardKey, long epoch, Throwable cause) {}

    /** A shard was stopped. */
    default void shardStopped(String shardKey, long epoch, ShardStop reason) {}

    /**
     * A start or a stop takes longer than its deadline. It is not interrupted: the shard is not given away before its
     * stop ended.
     */
    default void shardSlow(String shardKey, long epoch, SlowStep step) {}

    /** What is slow. */
    enum SlowStep {
        /** {@link ShardProcessor#start}. */
        START,
        /** {@link ShardProcessor#stop}. */
        STOP
    }
}
