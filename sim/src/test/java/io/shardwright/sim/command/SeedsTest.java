package io.shardwright.sim.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/**
 * Runs seeds, as a part of each build. {@code -Dsim.seeds=20000 -Dsim.from=1000} runs others; a failure says what
 * replays it.
 */
final class SeedsTest {

    private static final String SEEDS = System.getProperty("sim.seeds", "1000");
    private static final String FROM = System.getProperty("sim.from", "1");

    @Test
    void seedsAreClean() {
        var ignored = assertClean("--seeds", SEEDS, "--from", FROM);
    }

    @Test
    void seedsWithTheDefectsOfEtcdAreClean() {
        var ignored = assertClean("--profile", "hostile", "--seeds", "60");
    }

    /** Leases may overlap then, on the real control plane and the real clients; the fence refuses the older writes. */
    @Test
    void seedsWithClocksThatAreOffByUpToATenthAreClean() {
        String printed = assertClean("--profile", "drift", "--seeds", "20");
        assertCounted("storage refused a write of an older epoch +[1-9]", printed);
    }

    /** What breaks is counted; the cluster has to come to rest as ever. */
    @Test
    void whatALostWriteBreaksIsNoticedAndOvercome() {
        String printed = assertClean("--profile", "forgetful", "--seeds", "20");
        assertCounted("acknowledged write was lost +20 ", printed);
        assertCounted("broken by the lost write: S4 +[1-9]", printed);
        assertCounted("leader noticed that a write was lost +[1-9]", printed);
    }

    @Test
    void seedsWithAHundredExecutorsAndThousandsOfShardsAreClean() {
        String printed = assertClean("--profile", "big", "--seeds", "2");
        assertCounted("shard moved +[0-9]{5}", printed);
    }

    private static void assertCounted(String fact, String printed) {
        assertTrue(Pattern.compile(fact).matcher(printed).find(), printed);
    }

    private static String assertClean(String... which) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        List<String> arguments = new ArrayList<>(List.of("--threads", "2", "--out", "target/sim-failures"));
        arguments.addAll(List.of(which));
        int code = new CommandLine(new SimCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments.toArray(String[]::new));
        System.out.println(out);

        assertEquals(0, code, err + "\n" + out);
        return out.toString();
    }
}
