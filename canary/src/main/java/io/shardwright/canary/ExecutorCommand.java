package io.shardwright.canary;

import io.shardwright.canary.executor.CanaryExecutor;
import io.shardwright.canary.executor.ExecutorSettings;
import io.shardwright.canary.executor.Loads;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code shardwright canary executor}: one executor process. */
@Command(
        name = "executor",
        description = {
            "Runs one executor whose shards answer pings, until SIGTERM or Ctrl-C: then it hands its shards over and ends.",
            "Prints one line per change of state."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  shardwright canary executor --namespace canary-fixed --id e1",
            "  shardwright canary executor --target sm.example:9002 --namespace orders \\",
            "    --id e1 --fence jdbc:sqlite:/tmp/fence.db"
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:left as it was told to", "1:it could not start", "2:the command line is wrong"})
public final class ExecutorCommand implements Callable<Integer> {

    @Spec
    @Nullable
    CommandSpec spec;

    @Option(
            names = "--target",
            paramLabel = "HOST:PORT",
            split = ",",
            defaultValue = CanaryCommand.TARGET,
            description = "The shard manager; several with commas. Default: ${DEFAULT-VALUE}.")
    List<String> targets = List.of();

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            required = true,
            description = "The namespace whose shards it runs. Repeatable.")
    List<String> namespaces = List.of();

    @Option(names = "--id", paramLabel = "ID", required = true, description = "Its executor id.")
    String id = "";

    @Option(
            names = "--bind",
            paramLabel = "HOST",
            defaultValue = "127.0.0.1",
            description = "Address it answers pings at, and registers. Default: ${DEFAULT-VALUE}.")
    String bind = "";

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "0",
            description = "Port it answers pings at; 0 takes any free one. Default: ${DEFAULT-VALUE}.")
    int port;

    @Option(
            names = "--loads",
            paramLabel = "KIND",
            defaultValue = "skewed",
            description =
                    "Load of its shards: skewed (the number of the shard) or flat (1). Default: ${DEFAULT-VALUE}.")
    String loads = "";

    @Option(
            names = "--idle-after",
            paramLabel = "TIME",
            defaultValue = "30s",
            converter = Durations.class,
            description = "When it gives back an ephemeral shard that nobody pings. Default: ${DEFAULT-VALUE}.")
    Duration idleAfter = Duration.ZERO;

    @Option(
            names = "--slow-start",
            paramLabel = "TIME",
            converter = Durations.class,
            description = "Lets some shards take this long to start. Default: none.")
    @Nullable
    Duration slowStart;

    @Option(
            names = "--slow-share",
            paramLabel = "SHARE",
            defaultValue = "0.05",
            description = "How many of the shards start slowly, 0 to 1. Default: ${DEFAULT-VALUE}.")
    double slowShare;

    @Option(
            names = "--fence",
            paramLabel = "JDBC-URL",
            defaultValue = "",
            description =
                    "Writes for each shard every second to this database, under a fence, and prints what the fence refuses. Default: no writes.")
    String fence = "";

    /** Runs the command alone, as a process of its own. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new ExecutorCommand()).execute(args));
    }

    @Override
    public Integer call() throws InterruptedException {
        CommandLine line = commandLine();
        PrintWriter out = line.getOut();
        ExecutorSettings settings = settings(line);
        CanaryExecutor executor;
        try {
            executor = CanaryExecutor.start(settings, text -> print(out, text));
        } catch (IOException e) {
            line.getErr()
                    .println("canary executor: cannot listen on " + bind + ":" + port + ": " + e.getMessage()
                            + "; choose another --port, or 0 for any free one");
            return ExitCodes.FAILED;
        } catch (IllegalArgumentException e) {
            throw new ParameterException(line, String.valueOf(e.getMessage()), e);
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> leave(executor), "leave"));
        new CountDownLatch(1).await();
        return ExitCodes.CLEAN;
    }

    /** Runs when a signal ends the process, which then has done what it was told to. */
    private static void leave(CanaryExecutor executor) {
        executor.close();
        Runtime.getRuntime().halt(ExitCodes.CLEAN);
    }

    private ExecutorSettings settings(CommandLine line) {
        if (port < 0 || port > 65_535) {
            throw new ParameterException(line, "--port: " + port + " must be 0 to 65535; 0 takes any free one");
        }
        if (!(slowShare >= 0 && slowShare <= 1)) {
            throw new ParameterException(line, "--slow-share: " + slowShare + " must be 0 to 1, such as 0.05");
        }
        return new ExecutorSettings(
                targets,
                namespaces,
                id,
                bind,
                port,
                loads(line),
                idleAfter,
                new ExecutorSettings.Slowness(slowStart == null ? Duration.ZERO : slowStart, slowShare),
                fence);
    }

    private Loads loads(CommandLine line) {
        return switch (loads) {
            case "skewed" -> Loads.SKEWED;
            case "flat" -> Loads.FLAT;
            default -> throw new ParameterException(line, "--loads: '" + loads + "' must be skewed or flat");
        };
    }

    private void print(PrintWriter out, String text) {
        synchronized (out) {
            out.println(id + " " + text);
            out.flush();
        }
    }

    private CommandLine commandLine() {
        if (spec == null) {
            throw new IllegalStateException("run by picocli only");
        }
        return spec.commandLine();
    }
}
