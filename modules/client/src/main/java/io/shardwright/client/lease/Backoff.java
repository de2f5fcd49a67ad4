package io.shardwright.client.lease;

import io.shardwright.domain.RandomSource;
import java.time.Duration;

/**
 * Pauses between repeats: doubled from a first to a longest one, each drawn between half and the whole of it, so that
 * many clients that failed together do not come back together. Used on one event loop.
 */
public final class Backoff {

    private final RandomSource random;
    private final long firstMillis;
    private final long longestMillis;
    private int failures;

    /**
     * @param first pause after the first failure, at least 1 ms
     * @param longest bound of the pauses
     */
    public Backoff(RandomSource random, Duration first, Duration longest) {
        this.random = random;
        this.firstMillis = Math.max(1, first.toMillis());
        this.longestMillis = Math.max(firstMillis, longest.toMillis());
    }

    /** Returns the pause after one more failure. */
    public Duration next() {
        long whole = Math.min(longestMillis, firstMillis << Math.min(failures, 20));
        failures++;
        long half = whole / 2;
        return Duration.ofMillis(whole - half + random.nextInt((int) Math.min(Integer.MAX_VALUE - 1, half) + 1));
    }

    /** Forgets the failures, after a success. */
    public void reset() {
        failures = 0;
    }

    /** Returns the number of failures since the last success. */
    public int failures() {
        return failures;
    }
}
