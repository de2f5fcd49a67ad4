package io.shardwright.sim.command;

import io.shardwright.domain.Clock;
import io.shardwright.sim.cluster.Wiring;
import io.shardwright.sim.kernel.SimProcess;
import java.time.Instant;

/** A mutant: the application checks its ownership on a clock that is behind, so it goes on after its lease. */
public final class LateClock extends Wiring {

    private static final long BEHIND = 10_000_000_000L;

    @Override
    public Clock applicationClock(SimProcess executor) {
        return new Clock() {
            @Override
            public long nanoTime() {
                return executor.nanoTime() - BEHIND;
            }

            @Override
            public Instant wallTime() {
                return executor.wallTime();
            }
        };
    }
}
