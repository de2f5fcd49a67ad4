package io.shardwright.client.lease;

import io.shardwright.proto.v1.RegisterRequest;
import java.time.Duration;

/**
 * What one executor is and how it behaves.
 *
 * @param identity namespace, executor id, process id, address, host and labels, as they are sent; its claims are
 *     ignored
 * @param clockTolerance allowed difference of clock rates between this machine and the shard manager, at least 0 and
 *     below 1
 * @param callDeadline longest wait for one answer to a registration, a release or a deregistration
 * @param idleAfter a shard that nobody asked for in this time is given back; zero: never
 */
public record LeaseSettings(
        RegisterRequest identity, double clockTolerance, Duration callDeadline, Duration idleAfter) {

    /** Default of {@link #clockTolerance()}: twenty times what a badly disciplined quartz clock is off (500 ppm). */
    public static final double DEFAULT_CLOCK_TOLERANCE = 0.01;

    /**
     * Default of {@link #callDeadline()}. The shard manager answers when its state is stored, so two writes fit: the
     * one that is under way and the one that the answer waits for (R178).
     */
    public static final Duration DEFAULT_CALL_DEADLINE = Duration.ofSeconds(10);

    /** Checks the bounds. */
    public LeaseSettings {
        if (!(clockTolerance >= 0 && clockTolerance < 1)) {
            throw new IllegalArgumentException("clockTolerance: " + clockTolerance
                    + " is not in [0, 1); use 0.01 for machines with synchronised clocks");
        }
        if (callDeadline.isNegative() || callDeadline.isZero()) {
            throw new IllegalArgumentException("callDeadline: " + callDeadline + " is not positive");
        }
        if (idleAfter.isNegative()) {
            throw new IllegalArgumentException(
                    "idleAfter: " + idleAfter + " is negative; use zero to keep idle shards");
        }
    }
}
