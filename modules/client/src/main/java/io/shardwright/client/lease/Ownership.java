package io.shardwright.client.lease;

/**
 * The right of this process to run one shard at one epoch, from a start of its processor to the stop.
 *
 * <p>Written by the event loop alone. {@link #isOwned(long)} and {@link #touch(long)} may be called by any thread, cost
 * a few nanoseconds, take no lock and allocate nothing. Times are readings of the same monotonic clock as the event
 * loop's.
 */
public final class Ownership {

    /** Steps of the touch time; finer ones would only make threads fight for the cache line. */
    private static final long TOUCH_GRAIN_NANOS = 10_000_000;

    private final String shardKey;
    private final long epoch;

    // Read by request threads on each check; moved by the event loop at each confirmed renewal.
    private volatile long runUntil;
    // Read by request threads; set once by the event loop when the shard begins to stop.
    private volatile boolean revoked;
    // Written by request threads, read by the event loop; a lost update costs one grain of idle time.
    private volatile long lastTouch;

    Ownership(String shardKey, long epoch, long runUntil, long now) {
        this.shardKey = shardKey;
        this.epoch = epoch;
        this.runUntil = runUntil;
        this.lastTouch = now;
    }

    /** Returns the name of the shard. */
    public String shardKey() {
        return shardKey;
    }

    /** Returns the ownership generation, the fencing token. */
    public long epoch() {
        return epoch;
    }

    /** Says whether the shard may run at this moment of the monotonic clock. */
    public boolean isOwned(long now) {
        return !revoked && runUntil - now > 0;
    }

    /** Notes that somebody asked for the shard, which puts its idle time off. */
    public void touch(long now) {
        if (now - lastTouch > TOUCH_GRAIN_NANOS) {
            lastTouch = now;
        }
    }

    /** Returns the moment of the monotonic clock at which the right ends unless a renewal is answered before. */
    public long runUntil() {
        return runUntil;
    }

    long lastTouch() {
        return lastTouch;
    }

    /** Moves the end, never earlier (R89). */
    void extend(long until) {
        if (until - runUntil > 0) {
            runUntil = until;
        }
    }

    void revoke() {
        revoked = true;
    }

    @Override
    public String toString() {
        return shardKey + "@" + epoch;
    }
}
