package io.shardwright.sim.kernel;

import java.util.List;

/**
 * What a run had come to at one moment, so that two runs which end differently can be compared along the way.
 *
 * @param steps tasks that had run
 * @param time nanoseconds since the beginning
 * @param digest of everything until then
 */
public record Checkpoint(long steps, long time, long digest) {

    static final long EVERY = 10_000;

    private static final Checkpoint BEGINNING = new Checkpoint(0, 0, 0);

    /**
     * Says where two runs parted, as far as their checkpoints show.
     *
     * @param one checkpoints of a run, its end last
     * @param other those of a run that ended in another way
     */
    public static String firstDifference(List<Checkpoint> one, List<Checkpoint> other) {
        Checkpoint same = BEGINNING;
        for (int i = 0; i < Math.min(one.size(), other.size()); i++) {
            Checkpoint here = one.get(i);
            if (!here.equals(other.get(i))) {
                Checkpoint there = other.get(i);
                return "differs between event " + same.steps + " and event " + Math.min(here.steps, there.steps)
                        + ", simulated time " + seconds(same.time) + " to " + seconds(Math.max(here.time, there.time));
            }
            same = here;
        }
        return "differs after event " + same.steps + ", simulated time " + seconds(same.time);
    }

    private static String seconds(long nanos) {
        return nanos / 1_000_000_000 + "."
                + Long.toString(1_000_000_000 + nanos % 1_000_000_000).substring(1) + " s";
    }
}
