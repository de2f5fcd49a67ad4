package io.shardwright.sim.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.sim.cluster.Facts;
import io.shardwright.sim.cluster.Simulation;
import io.shardwright.sim.cluster.Wiring;
import io.shardwright.sim.plan.Plan;
import io.shardwright.sim.plan.Profile;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class CoverageTest {

    @Test
    void floorsGrowWithTheSeedsAndFewSeedsHaveNone() {
        assertEquals(Map.of(), Coverage.floors(99));
        assertEquals(100L, Coverage.floors(100).getOrDefault("lease ended with shards", 0L));
        assertEquals(2_000L, Coverage.floors(2_000).getOrDefault("lease ended with shards", 0L));
    }

    @Test
    void aBatchThatReachedNothingMissesEveryFloor() {
        Map<String, Long> floors = Coverage.floors(1_000);

        assertEquals(floors.size(), Coverage.missed(new Facts(), floors).size());
    }

    @Test
    void everyFloorIsOfAFactThatIsCounted() {
        Facts facts = new Facts();
        for (long seed = 1; seed <= 30; seed++) {
            Plan plan = Profile.SMALL.plan(seed);
            facts.add(new Simulation(plan, new Wiring()).run().facts());
        }
        List<String> never = Coverage.missed(facts, Coverage.floors(1_000)).stream()
                .filter(missed -> missed.count() == 0)
                .map(Coverage.Missed::fact)
                .toList();

        assertTrue(never.size() <= 6, "rare ones may be missing in few seeds, but not " + never);
        assertFalse(facts.counts().isEmpty());
    }
}
