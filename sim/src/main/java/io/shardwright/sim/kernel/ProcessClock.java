package io.shardwright.sim.kernel;

/**
 * How the clocks of a process differ from virtual time.
 *
 * @param origin what its monotonic clock shows at the beginning; any number
 * @param rate nanoseconds that its monotonic clock counts per nanosecond of virtual time
 * @param wallOffset by how many nanoseconds its wall clock is ahead
 */
public record ProcessClock(long origin, double rate, long wallOffset) {

    /** A clock without fault. */
    public static final ProcessClock TRUE = new ProcessClock(0, 1, 0);

    /** Checks the rate. */
    public ProcessClock {
        if (!(rate > 0.1 && rate < 10)) {
            throw new IllegalArgumentException("rate=" + rate + " must lie between 0.1 and 10");
        }
    }
}
