package io.shardwright.sim.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/**
 * Runs seeds, as a part of each build. {@code -Dsim.seeds=20000 -Dsim.from=1000} runs others; a failure says what
 * replays it.
 */
final class SeedsTest {

    private static final String SEEDS = System.getProperty("sim.seeds", "300");
    private static final String FROM = System.getProperty("sim.from", "1");

    @Test
    void seedsAreClean() {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = new CommandLine(new SimCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute("--seeds", SEEDS, "--from", FROM, "--threads", "2", "--out", "target/sim-failures");
        System.out.println(out);

        assertEquals(0, code, err + "\n" + out);
    }
}
