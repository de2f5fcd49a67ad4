package io.shardwright.sim.kernel;

import io.shardwright.domain.RandomSource;

/**
 * A stream of random numbers that depends on a seed and a name alone, so that a new user of random numbers does not
 * change what the others draw.
 *
 * <p>SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014), frozen by a test vector.
 */
public final class SimRandom implements RandomSource {

    private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

    private long state;

    private SimRandom(long state) {
        this.state = state;
    }

    /** Returns the stream of a seed and a name. */
    public static SimRandom of(long seed, String name) {
        long hash = seed;
        for (int i = 0; i < name.length(); i++) {
            hash = mix(hash + GOLDEN_GAMMA + name.charAt(i));
        }
        return new SimRandom(mix(hash ^ name.length()));
    }

    @Override
    public long nextLong() {
        state += GOLDEN_GAMMA;
        return mix(state);
    }

    @Override
    public int nextInt(int bound) {
        if (bound < 1) {
            throw new IllegalArgumentException("bound=" + bound + " must be at least 1");
        }
        return (int) Long.remainderUnsigned(nextLong() >>> 1, bound);
    }

    /** Returns a number from 0 (included) to 1 (excluded). */
    public double nextDouble() {
        return (nextLong() >>> 11) * 0x1.0p-53;
    }

    /** Returns true with a probability. */
    public boolean chance(double probability) {
        return probability > 0 && nextDouble() < probability;
    }

    /** Returns a number between two bounds, both included. */
    public long between(long low, long high) {
        return low + Long.remainderUnsigned(nextLong() >>> 1, high - low + 1);
    }

    /** Returns an exponentially distributed number. */
    public long exponential(long mean) {
        return (long) (-mean * Math.log(1 - nextDouble()));
    }

    static long mix(long value) {
        long z = value;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
