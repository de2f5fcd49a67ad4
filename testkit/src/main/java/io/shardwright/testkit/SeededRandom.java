package io.shardwright.testkit;

import io.shardwright.domain.RandomSource;
import java.util.SplittableRandom;

/** Random numbers from a seed: the same seed gives the same numbers on every JDK. Used by one thread. */
public final class SeededRandom implements RandomSource {

    private final SplittableRandom random;

    /** Makes the stream of a seed. */
    public SeededRandom(long seed) {
        this.random = new SplittableRandom(seed);
    }

    @Override
    public long nextLong() {
        return random.nextLong();
    }

    @Override
    public int nextInt(int bound) {
        return random.nextInt(bound);
    }
}
