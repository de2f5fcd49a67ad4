package io.shardwright.sim.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.sim.plan.Fault;
import io.shardwright.sim.plan.FaultDraw;
import io.shardwright.sim.plan.Plan;
import io.shardwright.sim.plan.Shape;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class SimulationTest {

    private static final Shape SMALL =
            new Shape(1, 4, 2, 2, 16, Duration.ofSeconds(5), Duration.ofMinutes(2), Duration.ofMinutes(1));

    private static long count(Map<String, Long> facts, String fact) {
        return facts.getOrDefault(fact, 0L);
    }

    @Test
    void withoutFaultsNothingIsViolatedAndWorkIsDone() {
        Simulation.Result result = new Simulation(new Plan(1, SMALL, List.of()), new Wiring()).run();

        assertEquals(Optional.empty(), result.violation());
        assertTrue(
                result.facts().counts().getOrDefault("renewal", 0L) > 100,
                () -> "renewals: " + result.facts().counts());
    }

    /** Everything that asks for shards of the ephemeral namespace was lost: they go idle, one after the other. */
    @Test
    void anEphemeralShardLivesWhileSomebodyAsksForIt() {
        Plan alone = new Plan(
                1,
                SMALL,
                List.of(
                        new Fault(40_000_000_000L, 3_600_000_000_000L, Fault.Kind.LOSE, List.of("spectator-0"), 0),
                        new Fault(40_000_000_000L, 3_600_000_000_000L, Fault.Kind.LOSE, List.of("spectator-1"), 0)));

        var asked = new Simulation(new Plan(1, SMALL, List.of()), new Wiring())
                .run()
                .facts()
                .counts();
        var forgotten = new Simulation(alone, new Wiring()).run().facts().counts();

        assertTrue(
                count(asked, "ephemeral shard created") > count(asked, "ephemeral shard forgotten"), () -> "" + asked);
        assertEquals(
                count(forgotten, "ephemeral shard created"),
                count(forgotten, "ephemeral shard forgotten"),
                () -> "" + forgotten);
    }

    /**
     * R137: who does not reach itself at its own address would lead where nobody finds it. Here another program has the
     * address for a minute, so the replica that was started for it waits, and then the one that comes back leads.
     */
    @Test
    void aReplicaWhoseAddressLeadsElsewhereNeverLeads() {
        Plan plan = new Plan(
                1,
                SMALL,
                List.of(
                        new Fault(20_000_000_000L, 60_000_000_000L, Fault.Kind.STRANGER, List.of("replica-0"), 0),
                        new Fault(21_000_000_000L, 58_000_000_000L, Fault.Kind.TWIN, List.of("replica-0"), 0)));

        Simulation.Result result = new Simulation(plan, new Wiring()).run();

        assertEquals(Optional.empty(), result.violation());
        assertEquals(2, count(result.facts().counts(), "leader changed"));
        assertTrue(count(result.facts().counts(), "replica held back: its address leads elsewhere") > 50);
    }

    /** R148: an older replica that waits lets a newer one go first. */
    @Test
    void aNewerReplicaGoesBeforeAnOlderOneThatWaits() {
        Shape three = SMALL.with(Shape.Role.REPLICA, 3);
        long taken = 0;
        for (String killed : List.of("replica-0", "replica-1")) { // one of them leads, and the other waits before 2
            Plan plan = new Plan(
                    1,
                    three,
                    List.of(
                            new Fault(20_000_000_000L, 2_000_000_000L, Fault.Kind.UPGRADE, List.of("replica-2"), 4),
                            new Fault(60_000_000_000L, 60_000_000_000L, Fault.Kind.KILL, List.of(killed), 0)));
            Simulation.Result result = new Simulation(plan, new Wiring()).run();
            assertEquals(Optional.empty(), result.violation());
            taken += result.facts().counts().getOrDefault("leader of another version took over", 0L);
        }

        assertEquals(1, taken);
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
