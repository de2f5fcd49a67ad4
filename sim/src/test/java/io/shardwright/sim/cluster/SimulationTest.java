package io.shardwright.sim.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.sim.plan.FaultDraw;
import io.shardwright.sim.plan.Plan;
import io.shardwright.sim.plan.Shape;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class SimulationTest {

    private static final Shape SMALL =
            new Shape(1, 4, 2, 16, Duration.ofSeconds(5), Duration.ofMinutes(2), Duration.ofMinutes(1));

    @Test
    void withoutFaultsNothingIsViolatedAndWorkIsDone() {
        Simulation.Result result = new Simulation(new Plan(1, SMALL, List.of()), new Wiring()).run();

        assertEquals(Optional.empty(), result.violation());
        assertTrue(
                result.facts().counts().getOrDefault("renewal", 0L) > 100,
                () -> "renewals: " + result.facts().counts());
    }

    @Test
    void onePlanIsOneRun() {
        Plan plan = FaultDraw.plan(7, SMALL);

        Simulation.Result one = new Simulation(plan, new Wiring()).run();
        Simulation.Result other = new Simulation(plan, new Wiring()).run();

        assertEquals(one.digest(), other.digest());
        assertNotEquals(
                one.digest(),
                new Simulation(FaultDraw.plan(8, SMALL), new Wiring()).run().digest());
    }
}
