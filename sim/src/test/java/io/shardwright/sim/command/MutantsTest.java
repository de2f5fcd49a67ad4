package io.shardwright.sim.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** A simulator that does not notice what is broken on purpose would not notice what is broken by mistake. */
final class MutantsTest {

    @Test
    void everyMutantIsNoticedByTheInvariantItBreaksWithin200Seeds() {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = new CommandLine(new SimCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute("--mutants", "--threads", "2");
        System.out.println(out);

        assertEquals(0, code, err + "\n" + out);
    }
}
