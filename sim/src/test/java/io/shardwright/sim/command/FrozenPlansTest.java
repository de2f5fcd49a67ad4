package io.shardwright.sim.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.shardwright.sim.cluster.Simulation;
import io.shardwright.sim.cluster.Trace;
import io.shardwright.sim.cluster.Wiring;
import io.shardwright.sim.plan.Plan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every plan that ever found a bug runs for ever. Its first lines say what it found, and at which commit it failed. */
final class FrozenPlansTest {

    private static final Path PLANS = Path.of("src/test/resources/plans");

    @TestFactory
    List<DynamicTest> plansThatFailedOncePassForEver() throws IOException {
        QuietLogs.set();
        try (Stream<Path> files = Files.list(PLANS)) {
            List<DynamicTest> tests = files.filter(file -> file.toString().endsWith(".plan"))
                    .sorted()
                    .map(file -> dynamicTest(String.valueOf(file.getFileName()), () -> passes(file)))
                    .toList();
            assertTrue(!tests.isEmpty(), "no plans in " + PLANS.toAbsolutePath());
            return tests;
        }
    }

    private static void passes(Path file) throws IOException {
        String text = Files.readString(file);

        assertTrue(
                text.startsWith("# "),
                file + " must say in its first lines what it found and at which commit it failed");
        assertEquals(
                Optional.empty(),
                Simulation.outcome(Plan.parse(text), new Wiring(), Trace.NONE).violation(),
                "replay: ./shardwright sim --plan sim/" + file);
    }
}
