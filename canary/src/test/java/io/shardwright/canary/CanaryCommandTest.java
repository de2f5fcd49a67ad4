package io.shardwright.canary;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

final class CanaryCommandTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        return new CommandLine(new CanaryCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--shards 0 | --shards: 0 must be at least 1",
                "--rate 0 | --rate: 0 must be 1 to 10000",
                "--executors -1 | --executors: -1 must be at least 0",
                "--for soon | 'soon' is no duration",
                "--for 0s | '0s' is no duration",
                "--output xml | --output: 'xml' must be table or json",
                "--executors 0 --kill-every 5s | --kill-every: needs executors of its own",
                "--metrics-port 70000 | --metrics-port: 70000 must be 0 to 65535",
                "--no-such-option | Unknown option: '--no-such-option'",
                "executor --id e1 | Missing required option: '--namespace=NAME'",
                "executor --id e1 --namespace n --loads odd | --loads: 'odd' must be skewed or flat",
                "executor --id e1 --namespace n --port 70000 | --port: 70000 must be 0 to 65535",
                "executor --id e1 --namespace n --slow-share 2 | --slow-share: 2.0 must be 0 to 1",
            })
    void aWrongCommandLineIsRefusedBeforeAnythingStarts(String args, String message) {
        assertEquals(ExitCodes.USAGE, run(args.split(" ", -1)));
        assertTrue(err.toString().contains(message), err.toString());
    }

    @Test
    void aTargetThatNobodyServesEndsWithOneAndTheRemedy() {
        // Port 1 is never served on a machine for tests, and refuses at once.
        assertEquals(ExitCodes.FAILED, run("--target", "127.0.0.1:1", "--executors", "0"));
        assertTrue(err.toString().contains("cannot reach a shard manager at 127.0.0.1:1"), err.toString());
        assertTrue(err.toString().contains("./shardwright server"), err.toString());
    }
}
