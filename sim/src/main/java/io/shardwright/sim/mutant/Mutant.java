package io.shardwright.sim.mutant;

import io.shardwright.sim.cluster.Wiring;
import java.util.List;
import java.util.function.Supplier;

/**
 * One thing broken on purpose.
 *
 * @param id M1 and so on, with a letter where one number stands for several
 * @param broken what is broken, in a few words
 * @param alarms invariants of which one has to say so
 * @param wiring makes the broken cluster; fresh for each run
 */
public record Mutant(String id, String broken, List<String> alarms, Supplier<Wiring> wiring) {

    /** Copies the list. */
    public Mutant {
        alarms = List.copyOf(alarms);
    }
}
