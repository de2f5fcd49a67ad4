package io.shardwright.control;

import io.shardwright.domain.InvalidField;
import io.shardwright.domain.ShardKey;

/**
 * What an executor says of one shard.
 *
 * @param epoch at which it holds the shard
 * @param load finite and not negative, or {@link #NOT_MEASURED}; a bare number because a renewal carries hundreds
 */
public record Claim(ShardKey key, long epoch, Activity activity, double load) {

    /** The load of a shard that was not measured. */
    public static final double NOT_MEASURED = Double.NaN;

    /**
     * Highest epoch that is believed. Epochs grow by one a move; a number beyond this is a fault of the caller, and
     * believing it would use the numbers up.
     */
    public static final long MAX_EPOCH = 1L << 53;

    /**
     * Highest reported epoch that raises a stored one. It leaves as many again for the owners that follow, so a bad
     * report cannot lock them out.
     */
    public static final long MAX_RAISE = 1L << 52;

    /** Checks the numbers. */
    public Claim {
        if (epoch < 0 || epoch > MAX_EPOCH) {
            throw new InvalidField(
                    "claims.epoch", Long.toUnsignedString(epoch), "must be at most 2^53 (shard " + key + ")");
        }
    }

    /** What the shard is doing. */
    public enum Activity {
        STARTING,
        RUNNING,
        STOPPING,
        FAILED,
        IDLE
    }

    /**
     * Returns a claim with a measured load.
     *
     * @throws InvalidField when the load is negative, infinite or not a number
     */
    public static Claim measured(ShardKey key, long epoch, Activity activity, double load) {
        if (!(load >= 0) || Double.isInfinite(load)) {
            throw new InvalidField(
                    "claims.load", Double.toString(load), "must be finite and not negative (shard " + key + ")");
        }
        return new Claim(key, epoch, activity, load);
    }
}
