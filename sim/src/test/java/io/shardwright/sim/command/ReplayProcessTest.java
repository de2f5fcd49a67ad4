package io.shardwright.sim.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.shardwright.sim.cluster.Simulation;
import io.shardwright.sim.cluster.Trace;
import io.shardwright.sim.cluster.Wiring;
import io.shardwright.sim.plan.Plan;
import io.shardwright.sim.plan.Profile;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

final class ReplayProcessTest {

    private static final List<Plan> PLANS =
            LongStream.rangeClosed(1, 4).mapToObj(Profile.SMALL::plan).toList();

    @BeforeAll
    static void quiet() {
        QuietLogs.set();
    }

    private static List<SecondJvm.Ran> here(Supplier<Wiring> wiring) {
        return PLANS.stream()
                .map(plan -> SecondJvm.Ran.of(Simulation.outcome(plan, wiring.get(), Trace.NONE)))
                .toList();
    }

    @Test
    void aPlanIsTheSameRunInAnotherJvm() throws Exception {
        List<SecondJvm.Ran> here = here(Wiring::new);

        assertEquals(here, new SecondJvm(ReplayMain.class).run(PLANS));
        assertNotEquals(here.get(0).digest(), here.get(1).digest());
    }

    @Test
    void aRunThatDependsOnASaltedOrderIsAnotherRunInAnotherJvm() throws Exception {
        TreeSet<String> seen = new TreeSet<>();
        seen.add(here(SaltedOrder::new).toString());
        // One of 128 orders is drawn per process, so two may be the same by chance, but not four.
        for (int jvm = 0; jvm < 3; jvm++) {
            seen.add(new SecondJvm(SaltedOrder.class).run(PLANS).toString());
        }

        assertNotEquals(1, seen.size());
    }
}
