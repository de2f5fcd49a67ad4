package io.shardwright.domain.system;

import io.shardwright.domain.RandomSource;
import java.security.SecureRandom;

/** Random numbers of this machine, good enough for names that must never meet (an incarnation). Safe for any thread. */
public final class SystemRandom implements RandomSource {

    private final SecureRandom random = new SecureRandom();

    @Override
    public long nextLong() {
        return random.nextLong();
    }

    @Override
    public int nextInt(int bound) {
        return random.nextInt(bound);
    }
}
