package io.shardwright.election;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The belief of a process whose store is its own while a database session lives: from the sending of the last statement
 * that the session answered, for {@link #LENGTH}.
 *
 * <p>The session was alive after that statement was sent, so the next process got the store later. It cannot know how
 * long this one goes on, and waits for the longest time there is: {@link #OVERLAP}.
 */
public final class SessionBelief implements Belief {

    /** How long a process confirms leases without a word from its database; four probes long. */
    public static final Duration LENGTH = Duration.ofSeconds(4);

    /** Longer than {@link #LENGTH} by far more than clocks differ in rate. */
    public static final Duration OVERLAP = Duration.ofSeconds(5);

    private final LongSupplier provenAt;

    // Written and read by every thread; only ever set.
    private volatile boolean over;

    /**
     * Begins to believe.
     *
     * @param provenAt when the last answered statement was sent, in nanoseconds of the replica's own monotonic clock;
     *     safe for any thread
     */
    public SessionBelief(LongSupplier provenAt) {
        this.provenAt = provenAt;
    }

    @Override
    public boolean holds(long now) {
        if (!over && now - provenAt.getAsLong() >= LENGTH.toNanos()) {
            over = true;
        }
        return !over;
    }

    @Override
    public Duration overlap() {
        return OVERLAP;
    }
}
