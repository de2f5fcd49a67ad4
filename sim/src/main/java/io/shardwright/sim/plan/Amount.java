package io.shardwright.sim.plan;

/** What the amount of a fault is, and the bounds within which the simulator can do it. */
enum Amount {
    /** The kind has no use for it, and any number is as good as another. */
    UNUSED("a number", -Double.MAX_VALUE, Double.MAX_VALUE),
    PROBABILITY("a probability", 0, 1),
    /** A clock that stands still or runs backwards never reaches a timer; the kernel's clocks have these bounds. */
    RATE("the rate of a clock", 0.11, 9.9),
    MICROSECONDS("microseconds", 0, 60e6),
    MILLISECONDS("milliseconds", 0, 3.6e6),
    SECONDS("seconds", 0, 3_600),
    /** A wall clock jumps back too. */
    STEP("seconds, forward or back,", -1e9, 1e9),
    /** An executor lease. */
    LEASE("seconds", 1, 3_600),
    BYTES_PER_SECOND("bytes per second", 1, 1e9),
    NUMBER("a number", 0, 1e6);

    private final String meaning;
    private final double least;
    private final double most;

    Amount(String meaning, double least, double most) {
        this.meaning = meaning;
        this.least = least;
        this.most = most;
    }

    boolean allows(double amount) {
        return amount >= least && amount <= most; // false for NaN
    }

    /** Returns what follows "must be". */
    String rule() {
        return this == UNUSED ? meaning : meaning + " from " + text(least) + " to " + text(most);
    }

    private static String text(double bound) {
        return bound == Math.rint(bound) ? Long.toString((long) bound) : Double.toString(bound);
    }
}
