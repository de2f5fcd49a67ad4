package io.shardwright.canary;

import java.nio.charset.Charset;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code shardwright demo}: a whole cluster on this machine, and what happens to it. */
@Command(
        name = "demo",
        description = {
            "Shows a whole cluster on this machine, and how it heals.",
            "Starts a server on SQLite and executors as processes of their own, pings their shards, and shows what"
                    + " happens when an executor joins, leaves and is killed.",
            "Its processes end with it, however it ends. Its temporary directory is removed too, unless the demo itself"
                    + " is killed (SIGKILL)."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {"  shardwright demo", "  shardwright demo --for 60s --executors 5 --shards 256 --lease 2s"},
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:every shard had one owner all the time, but for the moments of a move",
            "1:something could not start, or the server ended by itself",
            "2:the command line is wrong; nothing was started",
            "3:a shard had two owners, an epoch fell, a shard had no owner for longer than allowed,"
                    + " or no ping was answered"
        })
public final class DemoCommand implements Callable<Integer> {

    private static final String STORE_VARIABLE = "SHARDWRIGHT__PERSISTENCE__TYPE";

    @Spec
    @Nullable
    CommandSpec spec;

    @Option(
            names = "--for",
            paramLabel = "TIME",
            converter = Durations.class,
            description = "Ends by itself so long after its first ping, with a summary. Default: goes on until Ctrl-C.")
    @Nullable
    Duration time;

    @Option(
            names = "--executors",
            paramLabel = "N",
            defaultValue = "3",
            description = "Executors at the beginning, 2 to 16. Default: ${DEFAULT-VALUE}.")
    int executors;

    @Option(
            names = "--shards",
            paramLabel = "N",
            defaultValue = "64",
            description = "Number of shards, 1 to 4096. Default: ${DEFAULT-VALUE}.")
    int shards;

    @Option(
            names = "--lease",
            paramLabel = "TIME",
            defaultValue = "5s",
            converter = Durations.class,
            description =
                    "Executor lease, 1s to 1h: how long the shards of a killed executor wait. Default: ${DEFAULT-VALUE}.")
    Duration lease = Duration.ZERO;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "100",
            description = "Pings per second, 1 to 10000. Default: ${DEFAULT-VALUE}.")
    int rate;

    @Option(
            names = "--allow-unowned",
            paramLabel = "TIME",
            converter = Durations.class,
            description = "How long a shard may be without an owner that answers. Default: the lease and 10 s.")
    @Nullable
    Duration allowUnowned;

    @Option(
            names = "--http-port",
            paramLabel = "PORT",
            defaultValue = "0",
            description = "Port of the dashboard; 0 takes any free one. Default: ${DEFAULT-VALUE}.")
    int httpPort;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description =
                    "An existing directory for the state, which is kept. Default: a temporary one, which is removed.")
    @Nullable
    Path directory;

    @Option(
            names = "--plain",
            description = "Prints lines instead of redrawing a table; the default where output is no terminal.")
    boolean plain;

    @Override
    public Integer call() throws InterruptedException {
        CommandLine line = commandLine();
        check(line);
        // What the clients log would run through the table; what matters is in the events.
        ClientLogs.show(Level.SEVERE);
        boolean unicode = Charset.defaultCharset().name().startsWith("UTF")
                && String.valueOf(System.getProperty("stdout.encoding", "UTF-8"))
                        .toUpperCase(Locale.ROOT)
                        .startsWith("UTF");
        DemoScreen screen = new DemoScreen(line.getOut(), terminal(), unicode);
        try (Demo demo = new Demo(this, screen)) {
            return demo.run();
        } catch (RunFailedException e) {
            line.getErr().println("demo: " + e.getMessage());
            return ExitCodes.FAILED;
        }
    }

    private Optional<TerminalSize> terminal() {
        return !plain && DemoScreen.onTerminal() ? Optional.of(TerminalSize.ofProcess()) : Optional.empty();
    }

    /** The demo is one program that is all there is: on a shared etcd its server would wait for somebody else's. */
    static void refuseSharedStore(CommandLine line, Map<String, String> environment) {
        String type = environment.getOrDefault(STORE_VARIABLE, "sqlite");
        require(
                line,
                type.equalsIgnoreCase("sqlite"),
                STORE_VARIABLE + ": " + type
                        + " is not for the demo, which keeps its state in SQLite and has one server;"
                        + " unset it, or start servers with: shardwright server --store " + type);
    }

    private void check(CommandLine line) {
        refuseSharedStore(line, System.getenv());
        require(line, executors >= 2 && executors <= 16, "--executors: " + executors + " must be 2 to 16");
        require(line, shards >= 1 && shards <= 4096, "--shards: " + shards + " must be 1 to 4096");
        require(line, rate >= 1 && rate <= 10_000, "--rate: " + rate + " must be 1 to 10000");
        require(line, httpPort >= 0 && httpPort <= 65_535, "--http-port: " + httpPort + " must be 0 to 65535");
        require(
                line,
                lease.compareTo(Duration.ofSeconds(1)) >= 0 && lease.compareTo(Duration.ofHours(1)) <= 0,
                "--lease: " + lease.toMillis() + "ms must be 1s to 1h");
        require(
                line,
                directory == null || directory.toFile().isDirectory(),
                "--dir: " + directory + " is no directory; create it, or leave the option out");
    }

    private static void require(CommandLine line, boolean holds, String otherwise) {
        if (!holds) {
            throw new ParameterException(line, otherwise);
        }
    }

    private CommandLine commandLine() {
        if (spec == null) {
            throw new IllegalStateException("run by picocli only");
        }
        return spec.commandLine();
    }
}
