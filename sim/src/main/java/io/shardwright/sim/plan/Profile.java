package io.shardwright.sim.plan;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** A distribution of plans: what a number of clean seeds says, it says of this distribution. */
public enum Profile {
    /** The figures of the simulator: a whole cluster for 15 minutes. */
    DEFAULT,
    /** A small cluster with short leases for two minutes of faults and three of rest; for a quick look. */
    SMALL,
    /**
     * Clocks that are off by up to 10 %, far outside what leases allow for. Two executors may then believe in one
     * shard, and the fence alone keeps the older one from writing.
     */
    DRIFT,
    /** An etcd with defects that releases of it had: watches that miss events, and reads that show the past. */
    HOSTILE,
    /**
     * An etcd that loses one write that it had acknowledged. No shard manager can keep its promises on such a store: it
     * has to be noticed, counted, and overcome, so everything else is checked as ever.
     */
    FORGETFUL,
    /** A hundred executors and four thousand shards, for eight minutes: what is only right while it is small. */
    BIG;

    private static final Shape BIG_SHAPE =
            new Shape(3, 100, 3, 0, 4_000, Duration.ofSeconds(15), Duration.ofMinutes(3), Duration.ofMinutes(5));

    private static final Shape SMALL_SHAPE =
            new Shape(2, 3, 1, 1, 12, Duration.ofSeconds(5), Duration.ofMinutes(2), Duration.ofMinutes(3));

    /** Returns the plan of a seed. */
    public Plan plan(long seed) {
        return switch (this) {
            case DEFAULT -> FaultDraw.plan(seed, Shape.DEFAULT);
            case DRIFT -> FaultDraw.plan(seed, Shape.DEFAULT, 0.1);
            case HOSTILE -> FaultDraw.hostile(seed, Shape.DEFAULT);
            case FORGETFUL -> FaultDraw.forgetful(seed, Shape.DEFAULT);
            case BIG -> FaultDraw.plan(seed, BIG_SHAPE);
            case SMALL -> FaultDraw.plan(seed, SMALL_SHAPE);
        };
    }

    /** Returns the name that people write. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the names of all profiles. */
    public static List<String> labels() {
        return Arrays.stream(values()).map(Profile::label).toList();
    }
}
