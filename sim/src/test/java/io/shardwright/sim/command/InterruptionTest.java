package io.shardwright.sim.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Ctrl-C, or SIGTERM: hours of seeds must not end without a word. */
@Timeout(120)
final class InterruptionTest {

    private static final int SIGTERM = 143;

    @TempDir
    Path directory;

    /** The command as a process of its own. */
    static final class Main {
        private Main() {}

        public static void main(String[] arguments) {
            System.exit(new CommandLine(new SimCommand()).execute(arguments));
        }
    }

    /** Runs the command, ends it as soon as it printed this, and returns all that it printed. */
    private String interrupted(String part, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "--out",
                directory.resolve("out").toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        StringBuilder printed = new StringBuilder();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                printed.append(line).append('\n');
                if (line.contains(part)) {
                    process.toHandle().destroy(); // destroy() of the process would close what it prints
                }
            }
            assertTrue(process.waitFor(30, TimeUnit.SECONDS), "it still runs; " + printed);
            assertEquals(SIGTERM, process.exitValue(), printed.toString());
        } finally {
            process.destroyForcibly();
        }
        return printed.toString();
    }

    @Test
    void seedsThatAreInterruptedSayAtOnceWhatWasRunAndThatItProvesNothing() throws Exception {
        // One seed of this profile takes longer than a process that is asked to end may take.
        String printed = interrupted("of 1000000 seeds", "--profile", "big", "--seeds", "1000000");

        assertTrue(printed.contains("INVALID: interrupted after "), printed);
        assertTrue(printed.contains("of 1000000 seeds"), printed);
    }

    @Test
    void mutantsThatAreInterruptedSayWhichWereTried() throws Exception {
        String printed = interrupted("M1:", "--mutants");

        assertTrue(printed.contains("INVALID: interrupted after "), printed);
        assertTrue(printed.contains(" mutants caught by an invariant"), printed);
    }
}
