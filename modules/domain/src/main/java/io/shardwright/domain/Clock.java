package io.shardwright.domain;

import java.time.Instant;

/**
 * Tells time to code that must also run under a simulated clock.
 *
 * <p>Every lease computation uses {@link #nanoTime()}, which only grows. {@link #wallTime()} is for what people read
 * and never enters a decision (R91: no comparison of absolute clocks).
 *
 * <p>Implementations may be called from any thread.
 */
public interface Clock {

    /**
     * Returns monotonic nanoseconds since an arbitrary origin; only differences mean something, and the value may be
     * negative.
     */
    long nanoTime();

    /** Returns the wall-clock time, for people. */
    Instant wallTime();
}
