package io.shardwright.canary;

import io.shardwright.canary.ping.Findings;
import io.shardwright.canary.ping.Pinger;
import io.shardwright.canary.process.Children;
import io.shardwright.client.SpectatorClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** One demo, from the first process to the last. */
final class Demo implements AutoCloseable, Fleet.Listener {

    static final String NAMESPACE = "demo";

    private static final System.Logger LOG = System.getLogger(Demo.class.getName());
    private static final long ROOM_BYTES = 64L << 20;
    private static final Duration REDRAW_EVERY = Duration.ofMillis(500);
    private static final Duration LINE_EVERY = Duration.ofSeconds(5);
    private static final Duration SLACK = Duration.ofSeconds(10);

    private final DemoCommand command;
    private final DemoScreen screen;
    private final long begin = System.nanoTime();
    private final Children children = new Children();
    private final Findings findings = new Findings();
    private final Path directory;
    private final Thread hook = new Thread(this::interrupted, "demo-end");
    private volatile boolean ending;
    private volatile boolean serverEnded;
    private volatile String dashboard = "";
    private volatile long pingsBegan;

    Demo(DemoCommand command, DemoScreen screen) throws RunFailedException {
        this.command = command;
        this.screen = screen;
        this.directory = directory(command);
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private static Path directory(DemoCommand command) throws RunFailedException {
        try {
            Path directory =
                    command.directory == null ? Files.createTempDirectory("shardwright-demo-") : command.directory;
            long room = Files.getFileStore(directory).getUsableSpace();
            if (room < ROOM_BYTES) {
                removeIfTemporary(command, directory);
                throw new RunFailedException("no room: " + directory + " has " + (room >> 20) + " MiB left and "
                        + (ROOM_BYTES >> 20) + " MiB are needed; free some, or name another place with --dir");
            }
            return directory;
        } catch (IOException e) {
            throw new RunFailedException(
                    "cannot use a directory for the state: " + e + "; name a writable one with --dir", e);
        }
    }

    int run() throws RunFailedException, InterruptedException {
        DemoServer server = new DemoServer(children, command, directory, this::serverDied);
        Fleet fleet = new Fleet(
                children, "e", List.of("--target", server.target(), "--namespace", NAMESPACE, "--loads", "flat"), this);
        for (int i = 0; i < command.executors; i++) {
            fleet.start();
        }
        event("starting a server and " + command.executors + " executors, state in " + directory);
        dashboard = server.awaitDashboard();
        event("server ready, dashboard " + dashboard);
        try (AdminCalls admin = new AdminCalls(server.target());
                SpectatorClient spectator = SpectatorClient.builder()
                        .target(server.target())
                        .namespace(NAMESPACE)
                        .start();
                Pinger pinger = new Pinger(
                        new Pinger.Target(NAMESPACE, command.shards, command.rate), spectator, findings, 1)) {
            DemoWatch watch = new DemoWatch(command.shards, admin, spectator, findings, fleet);
            Thread view = Thread.ofVirtual().name("demo-view").start(() -> show(watch));
            DemoActs acts = new DemoActs(this, command, watch, fleet, findings);
            acts.awaitBalance();
            pingsBegan = System.nanoTime();
            pinger.start();
            acts.play();
            ending = true;
            view.interrupt();
            view.join();
            screen.print(watch.table(since()));
        }
        return finish();
    }

    private void serverDied(String message) {
        if (!ending) {
            serverEnded = true;
            event(message);
        }
    }

    private void show(DemoWatch watch) {
        long nextLine = System.nanoTime();
        boolean first = true;
        try {
            while (!ending) {
                DemoTable table = watch.table(since());
                if (screen.isLive()) {
                    screen.redraw(header(), table);
                } else if (first) {
                    screen.print(table);
                } else if (System.nanoTime() >= nextLine) {
                    screen.event(table.line());
                }
                if (System.nanoTime() >= nextLine) {
                    nextLine += LINE_EVERY.toNanos();
                }
                first = false;
                Thread.sleep(REDRAW_EVERY);
            }
        } catch (InterruptedException e) {
            // The demo ends.
            Thread.currentThread().interrupt();
        }
    }

    private List<String> header() {
        List<String> parts = new ArrayList<>(List.of(
                "Shardwright demo  " + DemoTable.time(since()).strip(),
                "dashboard " + dashboard,
                command.shards + " shards, lease " + Durations.seconds(command.lease) + ", SQLite"));
        if (command.time == null) {
            parts.add("(Ctrl-C ends it)");
        }
        return parts;
    }

    /** Shows that something happened. */
    void event(String text) {
        screen.event(DemoTable.time(since()) + text);
    }

    Duration since() {
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    /**
     * Time that is left; far more than anybody waits when there is no end. It runs from the first ping on: a start on a
     * slow machine takes nothing from what is to be shown.
     */
    Duration left() {
        return command.time == null || pingsBegan == 0
                ? Duration.ofDays(1000)
                : command.time.minusNanos(System.nanoTime() - pingsBegan);
    }

    private int finish() {
        ending = true;
        Duration pinged = pingsBegan == 0 ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - pingsBegan);
        Duration allowed = command.allowUnowned == null ? command.lease.plus(SLACK) : command.allowUnowned;
        Summary summary = Summary.of(findings, pinged, allowed, 0);
        screen.print(List.of(
                "",
                String.format(
                        Locale.ROOT,
                        "%,d pings in %s, %,d failed, %,d moves; longest time without an owner %s (allowed %s); double owners %d, epoch falls %d",
                        summary.counts().pings(),
                        Durations.seconds(summary.ran()),
                        summary.counts().failed(),
                        summary.counts().moves(),
                        Durations.seconds(summary.longestUnserved()),
                        Durations.seconds(summary.allowedUnserved()),
                        summary.counts().doubleOwners(),
                        summary.counts().epochFalls())));
        summary.violations()
                .forEach(violation -> screen.print(
                        List.of("VIOLATION " + violation.kind() + " " + violation.shard() + ": " + violation.proof())));
        if (summary.longestUnserved().compareTo(summary.allowedUnserved()) > 0) {
            screen.print(List.of("VIOLATION a shard had no owner for "
                    + Durations.seconds(summary.longestUnserved()) + ", longer than the allowed "
                    + Durations.seconds(summary.allowedUnserved())));
        }
        if (summary.counts().ok() == 0) {
            screen.print(List.of(Summary.NOBODY_ANSWERED));
        }
        if (serverEnded) {
            screen.print(List.of("FAILED the server ended by itself"));
            return summary.clean() ? ExitCodes.FAILED : summary.exitCode();
        }
        return summary.exitCode();
    }

    /** Ctrl-C and SIGTERM: the usual end of a demo, so it does not end with the signal's code. */
    private void interrupted() {
        int code = ending ? ExitCodes.FAILED : stopped();
        clean();
        Runtime.getRuntime().halt(code);
    }

    private int stopped() {
        if (pingsBegan != 0 || serverEnded) {
            return finish();
        }
        screen.print(List.of("", "stopped before the first ping: nothing was shown"));
        return ExitCodes.CLEAN;
    }

    private void clean() {
        ending = true;
        children.killAllButFirst();
        children.close();
        removeIfTemporary(command, directory);
    }

    private static void removeIfTemporary(DemoCommand command, Path directory) {
        if (command.directory != null) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.ERROR, "cannot remove " + directory, e);
        }
    }

    @Override
    public void close() {
        clean();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException shuttingDown) {
            // The hook is what runs us down; it ends the process with its own code.
            awaitHalt();
        }
    }

    private static void awaitHalt() {
        try {
            TimeUnit.SECONDS.sleep(30);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void line(String id, String line) {
        // The table and the pings show it all.
    }

    @Override
    public void died(String id, int code, List<String> lastErrors) {
        if (!ending) {
            event(id + " ended by itself with code " + code
                    + (lastErrors.isEmpty() ? "" : ": " + lastErrors.getLast()));
        }
    }
}
