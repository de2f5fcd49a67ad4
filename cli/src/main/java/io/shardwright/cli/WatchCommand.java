package io.shardwright.cli;

import io.shardwright.cli.output.OutputFormat;
import io.shardwright.cli.output.Terminal;
import io.shardwright.cli.watch.ChangeLines;
import io.shardwright.cli.watch.JsonLines;
import io.shardwright.cli.watch.LiveTable;
import io.shardwright.cli.watch.RoutingFollower;
import io.shardwright.cli.watch.WatchView;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code shardctl watch}. */
@Command(
        name = "watch",
        description = {
            "Follows the routing table of a namespace: a live table on a terminal, else one line for each change.",
            "A stream that breaks is opened again where it ended. Ctrl-C ends (exit code 130)."
        },
        footer = {
            "Examples:",
            "  shardctl watch --namespace orders",
            "  shardctl watch -n orders -o json --for 30s",
            "",
            "JSON, one object a line; each has type, time and revision, and by type:",
            "  table            incarnation, executors: [{executorId, address, host, labels}], shards: [{shardKey, owner, epoch}]",
            "  shard            shardKey, owner, epoch, previousOwner, previousEpoch",
            "  shardRemoved     shardKey, previousOwner, previousEpoch",
            "  executorAdded    executorId, address, host, labels; the same for executorUpdated",
            "  executorRemoved  executorId",
            "The first line is the table; an owner is null where nobody owns the shard."
        })
final class WatchCommand implements Callable<Integer> {
    private final Session session;

    @Option(
            names = "--for",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "End after this time with exit code 0. Default: never.")
    private @Nullable Duration atMost;

    WatchCommand(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() throws InterruptedException {
        String namespace = session.namespace();
        new RoutingFollower(session.server(), namespace, view(namespace), Optional.ofNullable(atMost)).follow();
        return ExitCodes.OK;
    }

    private WatchView view(String namespace) {
        Shell shell = session.shell();
        InstantSource clock = InstantSource.system();
        if (session.options().output() == OutputFormat.JSON) {
            return new JsonLines(shell.out(), shell.err(), clock);
        }
        Optional<Terminal> terminal = shell.terminal().get();
        return terminal.isPresent()
                ? new LiveTable(shell.out(), namespace, terminal.get(), clock)
                : new ChangeLines(shell.out(), shell.err(), clock);
    }
}
