package io.shardwright.sim.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.sim.plan.Fault;
import io.shardwright.sim.plan.Plan;
import io.shardwright.sim.plan.Shape;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Faults of one kind at one place at one time. */
final class OverlapsTest {

    private static final Shape SHAPE =
            new Shape(1, 2, 1, 0, 8, Duration.ofSeconds(5), Duration.ofMinutes(2), Duration.ofMinutes(1));

    @Test
    void theEndOfOneLeavesTheStrongestOfTheOthers() {
        Overlaps overlaps = new Overlaps();
        assertEquals(3, Overlaps.most(overlaps.begin("SLOW a", 3)));
        assertEquals(5, Overlaps.most(overlaps.begin("SLOW a", 5)));
        assertEquals(3, Overlaps.least(overlaps.begin("SLOW a", 5)));
        assertEquals(5, Overlaps.most(overlaps.end("SLOW a", 5)));
        assertEquals(3, Overlaps.most(overlaps.end("SLOW a", 5)));
        assertEquals(7, Overlaps.most(overlaps.begin("SLOW b", 7)));
        assertEquals(0, Overlaps.most(overlaps.end("SLOW a", 3)));
    }

    @Test
    void aMachineIsDownUntilEveryFaultThatTookItDownIsOver() {
        long second = 1_000_000_000L;
        Fault longer = new Fault(30 * second, 60 * second, Fault.Kind.LOSE, List.of("executor-0"), 0);
        Fault shorter = new Fault(31 * second, 2 * second, Fault.Kind.KILL, List.of("executor-0"), 0);
        Map<String, Long> one = facts(List.of(longer));
        Map<String, Long> both = facts(List.of(longer, shorter));
        long more = both.getOrDefault("renewal", 0L) - one.getOrDefault("renewal", 0L);
        assertTrue(Math.abs(more) < 10, () -> "it renewed " + more + " times more; it was there for 57 s more");
    }

    @Test
    void aFaultThatMeetsNobodyIsNotCounted() {
        long second = 1_000_000_000L;
        Fault lose = new Fault(30 * second, 60 * second, Fault.Kind.LOSE, List.of("executor-0"), 0);
        Fault pause = new Fault(40 * second, second, Fault.Kind.PAUSE, List.of("executor-0"), 0);
        Map<String, Long> facts = facts(List.of(lose, pause));
        assertEquals(1, facts.get("fault LOSE"));
        assertEquals(0, facts.getOrDefault("fault PAUSE", 0L));
    }

    private static Map<String, Long> facts(List<Fault> faults) {
        return Simulation.outcome(new Plan(1, SHAPE, faults), new Wiring(), Trace.NONE)
                .facts()
                .counts();
    }
}
