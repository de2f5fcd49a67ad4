package io.shardwright.sim.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.sim.cluster.Wiring;
import io.shardwright.sim.mutant.Mutant;
import io.shardwright.sim.plan.Profile;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

final class MutantTableTest {

    @BeforeAll
    static void quiet() {
        QuietLogs.set();
    }

    private static MutantTable run(Supplier<Wiring> broken, String alarm, int seeds) throws Exception {
        return run(broken, alarm, seeds, Duration.ZERO);
    }

    private static MutantTable run(Supplier<Wiring> broken, String alarm, int seeds, Duration shrinking)
            throws Exception {
        MutantTable table = new MutantTable(
                wiring -> new Batch(
                        new Batch.Settings(Profile.SMALL::plan, 1, seeds, 2, 0, new SecondJvm(ReplayMain.class), 1),
                        wiring,
                        () -> false),
                1,
                shrinking,
                () -> false);
        table.run(List.of(new Mutant("M0", "something", List.of(alarm), broken)), new PrintWriter(new StringWriter()));
        return table;
    }

    @Test
    void aMutantThatAnExpectedInvariantNoticesIsCaught() throws Exception {
        MutantTable table = run(LateClock::new, "S1", 100);

        assertEquals(Verdict.CLEAN, table.verdict(), table.table());
        assertTrue(table.table().contains("1 of 1 mutants caught"), table.table());
    }

    @Test
    void theFaultsThatAreLeftAreFewAndAreTold() throws Exception {
        String table = run(LateClock::new, "S1", 100, Duration.ofSeconds(20)).table();

        assertTrue(Pattern.compile("S1, [0-5] faults left").matcher(table).find(), table);
    }

    @Test
    void aMutantThatSurvivesMakesTheRunInvalid() throws Exception {
        MutantTable table = run(Wiring::new, "S1", 3);

        assertEquals(Verdict.INVALID, table.verdict(), table.table());
        assertTrue(table.table().contains("SURVIVED"), table.table());
        assertTrue(table.json().contains("\"exitCode\":14"), table.json());
    }

    @Test
    void anotherAlarmThanTheExpectedOnesIsNotEnough() throws Exception {
        MutantTable table = run(LateClock::new, "S5", 100);

        assertEquals(Verdict.INVALID, table.verdict(), table.table());
        assertTrue(table.table().contains("S1, not one of S5"), table.table());
    }
}
