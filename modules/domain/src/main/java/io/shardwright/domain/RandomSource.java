package io.shardwright.domain;

/** Draws random numbers, from a seed where a run must be repeatable. Used on one event loop only. */
public interface RandomSource {

    /** Returns 64 random bits. */
    long nextLong();

    /**
     * Returns a number from 0 (included) to {@code bound} (excluded).
     *
     * @param bound at least 1
     */
    int nextInt(int bound);
}
