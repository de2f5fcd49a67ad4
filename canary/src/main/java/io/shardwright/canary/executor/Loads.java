package io.shardwright.canary.executor;

/** The load that canary shards report. */
public enum Loads {
    /** Shard {@code n} reports n, other keys a number from 0 to 31 that depends on the key alone: natural skew. */
    SKEWED,
    /** Every shard reports 1. */
    FLAT;

    private static final int SPREAD = 32;

    double of(String shardKey) {
        return switch (this) {
            case FLAT -> 1;
            case SKEWED -> skewed(shardKey);
        };
    }

    private static double skewed(String shardKey) {
        try {
            return Math.max(0, Integer.parseInt(shardKey));
        } catch (NumberFormatException noNumber) {
            return Math.floorMod(shardKey.hashCode(), SPREAD);
        }
    }
}
