package io.shardwright.sim.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.sim.cluster.Simulation;
import io.shardwright.sim.cluster.Trace;
import io.shardwright.sim.cluster.Wiring;
import io.shardwright.sim.command.LateClock;
import io.shardwright.sim.plan.Fault;
import io.shardwright.sim.plan.Plan;
import io.shardwright.sim.plan.Profile;
import io.shardwright.sim.plan.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RecorderTest {

    @TempDir
    Path directory;

    private static Plan frozen() throws IOException {
        return Plan.parse(Files.readString(Path.of("src/test/resources/plans/pause-longer-than-lease.plan")));
    }

    private static History recorded(Wiring wiring) throws IOException {
        Recorder recorder = new Recorder();
        Simulation.outcome(frozen(), wiring, recorder);
        return recorder.history();
    }

    @Test
    void whoLooksOnChangesNothing() {
        Plan plan = Profile.SMALL.plan(5);

        Simulation.Result alone = Simulation.outcome(plan, new Wiring(), Trace.NONE);
        Simulation.Result watched = Simulation.outcome(plan, new Wiring(), new Recorder());

        assertEquals(alone.digest(), watched.digest());
        assertEquals(alone.steps(), watched.steps());
        assertEquals(alone.facts().counts(), watched.facts().counts());
    }

    @Test
    void barsOfTwoOwnersOverlapInAFailureAndNotInTheProduct() throws IOException {
        History broken = recorded(new LateClock());
        History product = recorded(new Wiring());

        List<History.Bar> both = broken.bars;
        assertEquals(
                List.of("executor-0", "executor-1"),
                both.stream().map(bar -> bar.machine).toList());
        assertTrue(both.get(0).until > both.get(1).begin, "two owners at one time");
        assertEquals(List.of("executor-0", "executor-1"), broken.involved().machines());
        assertEquals(List.of("0"), broken.involved().shards());
        assertTrue(product.bars.get(0).until < product.bars.get(1).begin, "one owner after the other");
    }

    @Test
    void theLogHasALinePerChangeInTheColumnOfItsProcess() throws IOException {
        String log = ShortLog.of(frozen(), recorded(new LateClock()));

        List<String> lines = log.lines().toList();
        String header = lines.stream()
                .filter(line -> line.contains("time s"))
                .findFirst()
                .orElseThrow();
        String pause = lines.stream()
                .filter(line -> line.contains("** PAUSE begins"))
                .findFirst()
                .orElseThrow();
        assertEquals(header.indexOf("executor-0"), pause.indexOf("** PAUSE"));
        assertTrue(log.contains("leads (elected at r"), log);
        assertTrue(log.contains("shard 0: absent -> executor-0@"), log);
        assertTrue(log.contains("starts shard 0@"), log);
        assertTrue(log.startsWith("S1 at "), log);
    }

    @Test
    void theDiagramIsOnePageWithoutTheNetwork() throws IOException {
        Recorder recorder = new Recorder();
        Simulation.outcome(frozen(), new LateClock(), recorder);
        Artefacts.write(directory, frozen(), recorder, "S1 <here>");

        String page = Files.readString(directory.resolve(Artefacts.DIAGRAM));
        assertTrue(page.contains("S1 &lt;here>"), "title is escaped");
        assertFalse(page.contains("{{"), "nothing is left to fill in");
        assertFalse(page.replace("http://www.w3.org/2000/svg", "").contains("http"), "asks nobody");
        assertTrue(page.contains("\"shards\":[\"0\"]"), page);
        Files.readString(directory.resolve(Artefacts.TRACE))
                .lines()
                .forEach(line -> assertTrue(line.startsWith("{\"at\":") && line.endsWith("}"), line));
    }

    @Test
    void theLedgerSaysWhatDiffersAndWhy() throws IOException {
        Plan plan = frozen().with(List.of(
                new Fault(2_500_000_000L, 3_600_000_000_000L, Fault.Kind.KILL, List.of("executor-0"), 0)));
        Recorder recorder = new Recorder();
        Simulation.outcome(new Plan(plan.seed(), shortly(plan), plan.faults()), new Wiring(), recorder);

        String ledger = LedgerDiff.of(recorder.history());
        assertTrue(ledger.contains("!= orders/0"), ledger);
        assertTrue(ledger.contains("executor-0 killed at 2.500000 s"), ledger);
    }

    private static Shape shortly(Plan plan) {
        return plan.shape().lasting(Duration.ofSeconds(5), plan.shape().quiet());
    }
}
