package io.shardwright.election;

import java.time.Duration;

/**
 * Tells whether a replica may still believe that it leads.
 *
 * <p>A timer alone cannot end a leadership in time: a process that stood still runs its calls and its timers late, in
 * whatever order. So whoever decides or confirms a lease asks here first. Safe for any thread, and cheap.
 */
@FunctionalInterface
public interface Belief {

    /** The belief of a process that nobody can replace while it has its store open. */
    Belief UNLIMITED = now -> true;

    /** Tells whether leadership is certain at a moment of the replica's own monotonic clock, in nanoseconds. */
    boolean holds(long now);

    /**
     * Returns how long a predecessor may go on believing after its successor's term began; the successor is that much
     * more patient with the executors it takes over. Zero where one belief ends before the next term can begin.
     */
    default Duration overlap() {
        return Duration.ZERO;
    }
}
