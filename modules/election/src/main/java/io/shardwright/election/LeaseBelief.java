package io.shardwright.election;

import java.time.Duration;

/**
 * The belief that a lease gives: from the sending of the last keep-alive that was acknowledged, for the TTL less the
 * clock drift (R179).
 *
 * <p>The store counts the lease from a later moment, when it got that keep-alive, and by a clock that is at most
 * {@code clockDrift} faster; so it never ends the lease, and lets the next candidate lead, while this one believes.
 */
final class LeaseBelief implements Belief {

    private final Duration asked;
    private final double clockDrift;
    private boolean leading;

    // Written on the event loop, read by every thread.
    private volatile long until;
    private volatile boolean over;

    /**
     * Begins to believe.
     *
     * @param sentAt when the grant was sent
     * @param grantedSeconds what the store granted
     */
    LeaseBelief(ElectionSettings settings, long sentAt, long grantedSeconds) {
        this.asked = settings.ttl();
        this.clockDrift = settings.clockDrift();
        this.until = end(sentAt, grantedSeconds);
    }

    @Override
    public boolean holds(long now) {
        return !over && now - until < 0;
    }

    /** Returns the moment at which belief ends unless it is extended. */
    long until() {
        return until;
    }

    /** From now on a belief that has run out stays so, since somebody may have acted on it. */
    void lead() {
        leading = true;
    }

    /** A keep-alive was acknowledged. Answers may overtake each other; belief never gets shorter. */
    void extend(long now, long sentAt, long ttlSeconds) {
        long end = end(sentAt, ttlSeconds);
        if (end - until > 0 && (!leading || holds(now))) {
            until = end;
        }
    }

    /** Ends it for ever. */
    void end() {
        over = true;
    }

    private long end(long sentAt, long ttlSeconds) {
        Duration granted = Duration.ofSeconds(ttlSeconds);
        Duration ttl = granted.compareTo(asked) < 0 ? granted : asked;
        return sentAt + (long) (ttl.toNanos() * (1 - clockDrift));
    }
}
