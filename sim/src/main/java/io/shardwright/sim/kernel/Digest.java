package io.shardwright.sim.kernel;

/** A rolling 64-bit digest of everything that happened; two runs with one digest were the same run. */
public final class Digest {

    private long value = 1;
    private long count;

    /** Takes a number in. */
    public void add(long number) {
        value = SimRandom.mix(value * 31 + number);
        count++;
    }

    /** Takes a text in. */
    public void add(String text) {
        // String.hashCode is specified by the Java platform, so it is the same everywhere.
        add(text.hashCode() * 31L + text.length());
    }

    /** Returns the digest of what was taken in so far. */
    public long value() {
        return value;
    }

    /** Returns how much was taken in. */
    public long count() {
        return count;
    }
}
