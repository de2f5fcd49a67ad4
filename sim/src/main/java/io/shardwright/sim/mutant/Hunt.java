package io.shardwright.sim.mutant;

import io.shardwright.sim.check.Violation;
import io.shardwright.sim.cluster.Simulation;
import io.shardwright.sim.plan.FaultDraw;
import io.shardwright.sim.plan.Shape;
import java.util.Optional;

/** Looks for the first seed that shows that something is broken. Several hunts may run at once; they share nothing. */
public final class Hunt {

    private Hunt() {}

    /**
     * What a hunt found.
     *
     * @param seeds how many seeds it took, the last one included
     * @param nanos simulated time of all of them up to the alarm
     * @param violation the alarm; empty: the mutant survived
     */
    public record Detection(Mutant mutant, long seeds, long nanos, Optional<Violation> violation) {

        /** Says whether one of the invariants rang that should. */
        public boolean caught() {
            return violation
                    .filter(alarm -> mutant.alarms().contains(alarm.id()))
                    .isPresent();
        }
    }

    /** Runs seeds from a first one on until an alarm rings, or so many were run. */
    public static Detection of(Mutant mutant, Shape shape, long firstSeed, int most) {
        long nanos = 0;
        for (int i = 0; i < most; i++) {
            Simulation.Result result = new Simulation(
                            FaultDraw.plan(firstSeed + i, shape),
                            mutant.wiring().get())
                    .run();
            nanos += result.nanos();
            if (result.violation().isPresent()) {
                return new Detection(mutant, i + 1, nanos, result.violation());
            }
        }
        return new Detection(mutant, most, nanos, Optional.empty());
    }
}
