package io.shardwright.domain.system;

import io.shardwright.domain.Clock;
import java.time.Instant;

/** The clock of this machine. Safe for any thread. */
public final class SystemClock implements Clock {

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public Instant wallTime() {
        return Instant.now();
    }
}
