package io.shardwright.server.command;

import io.shardwright.server.Server;
import io.shardwright.server.StartFailedException;
import io.shardwright.server.config.ConfigFaultsException;
import io.shardwright.server.config.LoadedConfig;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code shardwright server}: runs a shard manager until it is told to stop. */
@Command(
        name = "server",
        description = {
            "Runs a shard manager until SIGTERM or Ctrl-C.",
            "Prints one line \"ready grpc=PORT http=PORT\" to standard output when calls are served; logs go to standard error."
        },
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  shardwright server --store sqlite:/var/lib/shardwright/state.db \\",
            "    --namespace orders:fixed:64",
            "  shardwright server --store memory --grpc-port 0 --http-port 0 \\",
            "    --namespace sessions:ephemeral",
            "  shardwright server --config /etc/shardwright/shardwright.yaml"
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:stopped as it was told to",
            "1:it could not start, or could not go on",
            "2:the command line or the configuration is wrong; nothing was started"
        })
final class ServerCommand implements Callable<Integer> {

    /** One line an event: time, level, logger, message, and the stack where there is one. */
    private static final String LOG_FORMAT = "%1$tFT%1$tT.%1$tL%1$tz %4$s %3$s: %5$s%6$s%n";

    private static final String LOG_FORMAT_KEY = "java.util.logging.SimpleFormatter.format";

    /** Held here, because the logging of the JDK forgets the level of a logger that nobody holds. */
    private static final Logger HELIDON = Logger.getLogger("io.helidon");

    private static final Logger STRANGERS = Logger.getLogger(StrangersLog.LOGGER);

    private final ProcessContext process;

    @Mixin
    final ConfigOptions options = new ConfigOptions();

    @Spec
    @Nullable
    CommandSpec spec;

    ServerCommand(ProcessContext process) {
        this.process = process;
    }

    @Override
    public Integer call() throws ConfigFaultsException, InterruptedException {
        prepareLogs();
        LoadedConfig config = options.load(process);
        try (Server server = Server.start(config)) {
            Thread stopper = new Thread(() -> stop(server), "stop");
            Runtime.getRuntime().addShutdownHook(stopper);
            say("ready grpc=" + server.grpcPort()
                    + (server.httpPort().isPresent()
                            ? " http=" + server.httpPort().getAsInt()
                            : ""));
            System.getLogger("shardwright")
                    .log(
                            System.Logger.Level.INFO,
                            "ready {0} ms after Java started",
                            ManagementFactory.getRuntimeMXBean().getUptime());
            String reason = server.failed().get();
            Runtime.getRuntime().removeShutdownHook(stopper);
            complain(reason);
        } catch (StartFailedException e) {
            complain(String.valueOf(e.getMessage()));
        } catch (ExecutionException e) {
            complain(String.valueOf(e.getMessage()));
        }
        return ExitCodes.FAILED;
    }

    private static void prepareLogs() {
        if (System.getProperty(LOG_FORMAT_KEY) == null) {
            System.setProperty(LOG_FORMAT_KEY, LOG_FORMAT);
        }
        STRANGERS.setFilter(new StrangersLog());
        HELIDON.setLevel(Level.WARNING); // its own account of a start is longer than ours
    }

    /**
     * Runs when a signal ends the process. The process then has done what it was told to, so it does not end with the
     * signal's code.
     */
    private void stop(Server server) {
        server.close();
        say("stopped");
        Runtime.getRuntime().halt(ExitCodes.OK);
    }

    private void say(String line) {
        if (spec != null) {
            PrintWriter out = spec.commandLine().getOut();
            out.println(line);
            out.flush();
        }
    }

    private void complain(String message) {
        if (spec != null) {
            PrintWriter err = spec.commandLine().getErr();
            err.println("shardwright server: " + message);
            err.flush();
        }
    }
}
