package io.shardwright.election;

import io.shardwright.domain.RandomSource;
import java.time.Duration;

/**
 * Pauses that double up to a bound, each drawn between its half and its whole so that replicas do not march in step.
 */
final class Backoff {

    private final RandomSource random;
    private final Duration min;
    private final Duration max;
    private Duration ceiling;

    Backoff(RandomSource random, ElectionSettings settings) {
        this.random = random;
        this.min = settings.retryMin();
        this.max = settings.retryMax();
        this.ceiling = min;
    }

    /** Returns how long to wait before the next attempt. */
    Duration next() {
        long half = Math.max(1, ceiling.toNanos() / 2);
        long jitter = Math.floorMod(random.nextLong(), half);
        Duration doubled = ceiling.multipliedBy(2);
        ceiling = doubled.compareTo(max) > 0 ? max : doubled;
        return Duration.ofNanos(half + jitter);
    }

    /** The last attempt worked. */
    void reset() {
        ceiling = min;
    }
}
