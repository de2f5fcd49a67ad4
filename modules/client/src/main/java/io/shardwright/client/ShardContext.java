package io.shardwright.client;

import io.shardwright.client.lease.Ownership;

/**
 * What a processor knows of its shard. Thread-safe.
 *
 * <p>Check {@link #isOwned()} before each piece of work, and give {@link #epoch()} and {@link #owner()} to a fence with
 * each write: a process that is paused between check and write cannot notice by itself that it is too late.
 */
public final class ShardContext {

    private final Ownership ownership;
    private final String namespace;
    private final String owner;

    ShardContext(Ownership ownership, String namespace, String owner) {
        this.ownership = ownership;
        this.namespace = namespace;
        this.owner = owner;
    }

    /** Returns the namespace of the shard. */
    public String namespace() {
        return namespace;
    }

    /** Returns the name of the shard inside its namespace. */
    public String shardKey() {
        return ownership.shardKey();
    }

    /** Returns the ownership generation, the fencing token: at least 1, higher for each later owner. */
    public long epoch() {
        return ownership.epoch();
    }

    /** Returns who owns the shard at this epoch: executor id and process id, unique for each start of a process. */
    public String owner() {
        return owner;
    }

    /**
     * Says whether the shard may run at this moment. Costs nanoseconds; turns false at the end of the lease without any
     * network or timer.
     */
    public boolean isOwned() {
        return ownership.isOwned(System.nanoTime());
    }

    @Override
    public String toString() {
        return namespace + "/" + ownership;
    }
}
