package io.shardwright.sim.command;

import io.shardwright.sim.cluster.Simulation;
import io.shardwright.sim.cluster.Trace;
import io.shardwright.sim.cluster.Wiring;
import io.shardwright.sim.plan.Plan;
import io.shardwright.sim.shrink.Shrinker;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Shrinks for a time. */
final class Shrinking {

    private Shrinking() {}

    /** Returns the smallest plan that was found in time; the one that failed where there is none. */
    static Plan shrink(
            Simulation.Result failure, Supplier<Wiring> wiring, Duration budget, BooleanSupplier interrupted) {
        if (budget.isZero()) {
            return failure.plan();
        }
        long end = System.nanoTime() + budget.toNanos();
        return Shrinker.shrink(
                        failure,
                        candidate -> Simulation.outcome(candidate, wiring.get(), Trace.NONE),
                        () -> interrupted.getAsBoolean() || System.nanoTime() - end > 0)
                .plan();
    }
}
