package io.shardwright.sim.command;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.sim.cluster.Wiring;
import io.shardwright.sim.plan.Plan;
import io.shardwright.sim.report.Artefacts;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class SimCommandTest {

    private static final Path PLAN = Path.of("src/test/resources/plans/pause-longer-than-lease.plan");

    @TempDir
    Path directory;

    private record Ran(int exitCode, String out, String err) {}

    private Ran run(Supplier<Wiring> wiring, Class<?> replayMain, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--out", directory.resolve("out").toString()));
        int code = new CommandLine(new SimCommand(wiring, replayMain))
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(all.toArray(new String[0]));
        return new Ran(code, out.toString(), err.toString());
    }

    private Ran product(String... arguments) {
        return run(Wiring::new, ReplayMain.class, arguments);
    }

    private static String field(Ran ran, String name) {
        return ran.err()
                .lines()
                .filter(line -> line.strip().startsWith(name + ":"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .reduce((one, other) -> {
                    throw new AssertionError("two lines " + name + " in " + ran.err());
                })
                .orElseThrow(() -> new AssertionError("no line " + name + " in " + ran.err()));
    }

    @Test
    void cleanSeedsEndWithFactsAndAnHonestClaim() {
        Ran ran = product("--profile", "small", "--seeds", "12", "--replay-check", "0");

        assertEquals(0, ran.exitCode(), ran.err());
        assertTrue(ran.out().contains("12 seeds of profile small: 12 clean, 0 failed"), ran.out());
        assertTrue(ran.out().contains("executor registered"), ran.out());
        assertTrue(ran.out().contains("at most 25 % of the seeds of this profile fail"), ran.out());
    }

    @Test
    void cleanSeedsAreRunAgainByTheJavaThatIsNamed() {
        String java = System.getProperty("java.home") + "/.";
        Ran ran = product("--profile", "small", "--seeds", "4", "--replay-check", "100", "--replay-java", java);
        assertEquals(0, ran.exitCode(), ran.err());
        assertTrue(ran.out().contains("4 run again in another JVM"), ran.out());

        Ran none = product("--replay-java", directory.toString());
        assertEquals(2, none.exitCode());
        assertTrue(none.err().contains("--replay-java " + directory + " has no bin/java"), none.err());
    }

    @Test
    void jsonHasWhatTheTableHas() {
        Ran ran = product("--profile", "small", "--seed", "3", "--replay-check", "0", "--output", "json");

        assertEquals(0, ran.exitCode(), ran.err());
        assertTrue(ran.out().startsWith("{\"profile\":\"small\",\"seeds\":1,\"failed\":0,"), ran.out());
        assertTrue(ran.out().contains("\"verdict\":\"clean\",\"exitCode\":0"), ran.out());
    }

    @Test
    void aFailureIsReplayedExactlyByTheCommandThatIsPrinted() throws IOException {
        Ran found = run(LateClock::new, ReplayMain.class, "--plan", PLAN.toString());

        assertEquals(10, found.exitCode(), found.err());
        String command = field(found, "replay");
        assertTrue(command.startsWith("./shardwright sim --plan "), command);
        Path plan = Path.of(command.substring("./shardwright sim --plan ".length()));
        Ran again = run(LateClock::new, ReplayMain.class, "--plan", plan.toString());
        assertEquals(
                found.err()
                        .lines()
                        .filter(line -> line.startsWith("FAILED S1 at "))
                        .toList(),
                again.err()
                        .lines()
                        .filter(line -> line.startsWith("FAILED S1 at "))
                        .toList());
        assertEquals(Plan.parse(Files.readString(PLAN)), Plan.parse(Files.readString(plan)));
        assertAll(List.of(Artefacts.DIAGRAM, Artefacts.LOG, Artefacts.LEDGER, Artefacts.TRACE).stream()
                .map(file -> () -> assertTrue(Files.size(plan.resolveSibling(file)) > 100, file)));
    }

    @Test
    void aFailureIsShrunkBeforeItIsShown() throws IOException {
        Ran ran = run(LateClock::new, ReplayMain.class, "--profile", "small", "--seeds", "50", "--shrink", "5");

        assertEquals(10, ran.exitCode(), ran.err());
        Path plan = Path.of(field(ran, "replay").substring("./shardwright sim --plan ".length()));
        int before = Plan.parse(Files.readString(plan.resolveSibling(Explanation.FULL_PLAN)))
                .faults()
                .size();
        int after = Plan.parse(Files.readString(plan)).faults().size();
        assertTrue(after < before, after + " faults of " + before);
    }

    @Test
    void oneRunThatDiffersInAnotherJvmIsNondeterminism() {
        // Two processes draw one order by chance now and then, but not five times.
        Ran ran = Stream.generate(() -> run(
                        SaltedOrder::new,
                        SaltedOrder.class,
                        "--profile",
                        "small",
                        "--seed",
                        "3",
                        "--replay-check",
                        "100"))
                .limit(5)
                .dropWhile(it -> it.exitCode() == 0)
                .findFirst()
                .orElseThrow(() -> new AssertionError("five times one run"));

        assertEquals(13, ran.exitCode(), ran.err());
        assertTrue(ran.err().contains("FAILED nondeterminism: seed 3 "), ran.err());
    }

    @Test
    void aPlanThatCannotBeReadIsRefusedBeforeAnythingRuns() throws IOException {
        Path bad = Files.writeString(directory.resolve("bad.plan"), "seed = 1\n12ms BREAK everything\n");

        assertEquals(2, product("--plan", bad.toString()).exitCode());
        assertTrue(product("--plan", bad.toString()).err().contains("line 2"), "names the line");
        assertEquals(2, product("--plan", directory.resolve("none").toString()).exitCode());
        assertEquals(2, product("--profile", "easy").exitCode());
        assertEquals(2, product("--seeds", "0").exitCode());
    }

    @Test
    void aMutantIsFoundShrunkAndReplayedByName() {
        Ran ran = product("--mutant", "M2", "--profile", "small", "--seeds", "100", "--shrink", "2");

        assertEquals(10, ran.exitCode(), ran.err());
        assertTrue(field(ran, "replay").startsWith("./shardwright sim --mutant M2 --plan "), ran.err());
        assertEquals(2, product("--mutant", "M0").exitCode());
        assertEquals(2, product("--mutants", "--seed", "1").exitCode());
    }

    @Test
    void aBatchWhoseSimulatorBreaksIsNotClean() {
        Ran ran = run(
                () -> {
                    throw new NoClassDefFoundError("gone");
                },
                ReplayMain.class,
                "--seeds",
                "20",
                "--threads",
                "2");

        assertEquals(12, ran.exitCode(), ran.err());
        assertTrue(ran.err().contains("the simulator itself failed: seed "), ran.err());
        assertTrue(ran.err().contains("NoClassDefFoundError: gone"), ran.err());
    }

    @Test
    void aFailureThatDoesNotRepeatIsNondeterminismAndNotShownAsOne() {
        AtomicInteger runs = new AtomicInteger();
        Ran ran = run(
                () -> runs.getAndIncrement() == 0 ? new LateClock() : new Wiring(),
                ReplayMain.class,
                "--plan",
                PLAN.toString(),
                "--replay-check",
                "0");

        assertEquals(13, ran.exitCode(), ran.err());
        assertTrue(ran.err().contains("violated S1, and did not when it was run again"), ran.err());
        assertFalse(ran.err().contains("replay:"), ran.err());
    }

    @Test
    void aMutantThatSurvivesProvesNothing() {
        Ran ran = product("--mutant", "M6", "--profile", "small", "--seed", "3");

        assertEquals(14, ran.exitCode(), ran.err());
        assertTrue(ran.err().contains("mutant M6 survived 1 seeds"), ran.err());
        assertTrue(ran.out().contains("Proves nothing: mutant M6 survived"), ran.out());
    }

    @Test
    void aDirectoryThatCannotBeWrittenToIsFoundBeforeAnythingRuns() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "in the way");
        StringWriter err = new StringWriter();
        int code = new CommandLine(new SimCommand())
                .setErr(new PrintWriter(err))
                .execute("--seed", "1", "--out", file.resolve("below").toString());

        assertEquals(2, code, err.toString());
        assertTrue(err.toString().contains("--out " + file + "/below cannot be written to"), err.toString());
        assertEquals(
                0,
                product("--profile", "small", "--seed", "3", "--replay-check", "0")
                        .exitCode());
        assertFalse(Files.exists(directory.resolve("out")), "a clean batch leaves nothing behind");
    }

    @Test
    void whatIsNoTextIsNoPlan() throws IOException {
        Path binary = Files.write(directory.resolve("binary"), new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1});

        assertEquals(2, product("--plan", binary.toString()).exitCode());
        assertEquals(2, product("--plan", directory.toString()).exitCode());
    }

    @Test
    void helpSaysWhatTheExitCodesMean() {
        String help = new CommandLine(new SimCommand()).getUsageMessage();

        assertTrue(help.contains("Exit codes:"), help);
        assertTrue(help.contains("13   nondeterminism") || help.contains("13:") || help.contains("13 "), help);
        assertTrue(help.contains("default, small"), help);
    }
}
