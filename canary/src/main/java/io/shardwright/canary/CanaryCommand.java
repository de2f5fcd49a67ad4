package io.shardwright.canary;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code shardwright canary}: checks a running shard manager from outside. */
@Command(
        name = "canary",
        description = {
            "Checks a running shard manager from outside.",
            "Starts executors as processes of their own, pings their shards, and looks for shards with two owners, with"
                    + " falling epochs, or without an owner for too long.",
            "Prints progress to standard error and a summary to standard output."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        subcommands = ExecutorCommand.class,
        footerHeading = "%nExamples:%n",
        footer = {
            "  shardwright canary --for 30s",
            "  shardwright canary --target sm.example:9002 --for 10m --kill-every 20s",
            "  # Only pings executors that others started, and prints JSON:",
            "  shardwright canary --executors 0 --fixed-namespace orders --output json"
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:clean",
            "1:the shard manager could not be reached, or something could not start",
            "2:the command line is wrong; nothing was started",
            "3:a shard had two owners, an epoch fell, a shard had no owner for longer than allowed,"
                    + " or no ping was answered"
        })
public final class CanaryCommand implements Callable<Integer> {

    static final String TARGET = "127.0.0.1:9002";

    @Spec
    @Nullable
    CommandSpec spec;

    @Option(
            names = "--target",
            paramLabel = "HOST:PORT",
            defaultValue = TARGET,
            description = "The shard manager. Default: ${DEFAULT-VALUE}.")
    String target = "";

    @Option(
            names = "--fixed-namespace",
            paramLabel = "NAME",
            defaultValue = "canary-fixed",
            description = "Fixed namespace to use; created if missing. Default: ${DEFAULT-VALUE}.")
    String fixedNamespace = "";

    @Option(
            names = "--shards",
            paramLabel = "N",
            defaultValue = "32",
            description = "Its number of shards. Default: ${DEFAULT-VALUE}.")
    int shards;

    @Option(
            names = "--ephemeral-namespace",
            paramLabel = "NAME",
            defaultValue = "canary-ephemeral",
            description = "Ephemeral namespace to use; created if missing. Default: ${DEFAULT-VALUE}.")
    String ephemeralNamespace = "";

    @Option(
            names = "--lease",
            paramLabel = "TIME",
            defaultValue = "15s",
            converter = Durations.class,
            description = "Executor lease of the namespaces, if they are created. Default: ${DEFAULT-VALUE}.")
    Duration lease = Duration.ZERO;

    @Option(
            names = "--executors",
            paramLabel = "N",
            defaultValue = "3",
            description = "Executor processes to start; 0 pings those that are there. Default: ${DEFAULT-VALUE}.")
    int executors;

    @Option(
            names = "--for",
            paramLabel = "TIME",
            defaultValue = "60s",
            converter = Durations.class,
            description = "How long to ping. Default: ${DEFAULT-VALUE}.")
    Duration time = Duration.ZERO;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "50",
            description = "Pings per second; one in ten makes an ephemeral shard. Default: ${DEFAULT-VALUE}.")
    int rate;

    @Option(
            names = "--kill-every",
            paramLabel = "TIME",
            converter = Durations.class,
            description = "Kills an executor (SIGKILL) this often and starts another. Default: never.")
    @Nullable
    Duration killEvery;

    @Option(
            names = "--allow-unowned",
            paramLabel = "TIME",
            converter = Durations.class,
            description = "How long a shard may be without an owner that answers. Default: the lease and 10 s.")
    @Nullable
    Duration allowUnowned;

    @Option(
            names = "--fence",
            paramLabel = "JDBC-URL",
            defaultValue = "",
            description =
                    "Lets the executors write to this database under a fence, such as jdbc:sqlite:/tmp/fence.db. Default: no writes.")
    String fence = "";

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Chooses the shards to ping and the executors to kill. Default: ${DEFAULT-VALUE}.")
    long seed;

    @Option(
            names = "--metrics-port",
            paramLabel = "PORT",
            description = "Serves Prometheus text at /metrics; 0 takes any free port. Default: not served.")
    @Nullable
    Integer metricsPort;

    @Option(
            names = "--output",
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "Format of the summary: table or json. Default: ${DEFAULT-VALUE}.")
    String output = "";

    @Override
    public Integer call() throws InterruptedException {
        CommandLine line = commandLine();
        check(line);
        ClientLogs.show(Level.WARNING);
        try {
            Summary summary = new CanaryRun(this, line.getErr()).run();
            PrintWriter out = line.getOut();
            if (output.equals("json")) {
                out.println(summary.json());
            } else {
                summary.table().forEach(out::println);
            }
            out.flush();
            return summary.exitCode();
        } catch (RunFailedException e) {
            line.getErr().println("canary: " + e.getMessage());
            return ExitCodes.FAILED;
        }
    }

    private void check(CommandLine line) {
        require(line, shards >= 1, "--shards: " + shards + " must be at least 1");
        require(line, executors >= 0, "--executors: " + executors + " must be at least 0");
        require(line, rate >= 1 && rate <= 10_000, "--rate: " + rate + " must be 1 to 10000");
        require(
                line,
                output.equals("table") || output.equals("json"),
                "--output: '" + output + "' must be table or json");
        require(
                line,
                killEvery == null || executors > 0,
                "--kill-every: needs executors of its own to kill; set --executors to at least 1");
        require(
                line,
                metricsPort == null || (metricsPort >= 0 && metricsPort <= 65_535),
                "--metrics-port: " + metricsPort + " must be 0 to 65535");
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
