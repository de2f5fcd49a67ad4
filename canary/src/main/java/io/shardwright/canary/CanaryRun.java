package io.shardwright.canary;

import io.shardwright.canary.ping.Findings;
import io.shardwright.canary.ping.Pinger;
import io.shardwright.canary.process.Children;
import io.shardwright.client.SpectatorClient;
import io.shardwright.proto.v1.Namespace;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One run of the canary. */
final class CanaryRun implements Fleet.Listener {

    private static final Duration WARM_UP = Duration.ofSeconds(30);
    private static final Duration PROGRESS_EVERY = Duration.ofSeconds(5);
    private static final Duration TICK = Duration.ofMillis(100);
    /** What an executor may say that whoever looks for the cause of a violation wants to know. */
    private static final Set<String> TROUBLES = Set.of(
            "lease-ended", "call-failed", "id-in-use", "shard-failed", "shard-slow", "fence-refused", "fence-failed");

    private static final int EPHEMERAL_SHARE = 10;

    private final CanaryCommand command;
    private final PrintWriter log;
    private final Findings findings = new Findings();
    private final Random random;
    private int kills;

    CanaryRun(CanaryCommand command, PrintWriter log) {
        this.command = command;
        this.log = log;
        this.random = new Random(command.seed);
    }

    Summary run() throws RunFailedException, InterruptedException {
        try (AdminCalls admin = new AdminCalls(command.target);
                MetricsPort metrics = metrics();
                Children children = new Children()) {
            Namespace fixed = admin.ensure(command.fixedNamespace, command.shards, command.lease);
            admin.ensure(command.ephemeralNamespace, 0, command.lease);
            Duration lease = Duration.ofMillis(fixed.getLeaseMillis());
            Duration allowed = command.allowUnowned == null ? lease.plusSeconds(10) : command.allowUnowned;
            if (metrics != null) {
                say("metrics at http://127.0.0.1:" + metrics.port() + "/metrics");
            }
            Fleet fleet = new Fleet(children, "canary-", executorOptions(), this);
            for (int i = 0; i < command.executors; i++) {
                fleet.start();
            }
            try (SpectatorClient fixedTable = spectator(command.fixedNamespace);
                    SpectatorClient ephemeralTable = spectator(command.ephemeralNamespace);
                    Pinger fixedPinger = pinger(fixedTable, command.fixedNamespace, command.shards, command.rate);
                    Pinger ephemeralPinger = pinger(
                            ephemeralTable,
                            command.ephemeralNamespace,
                            0,
                            Math.max(1.0, (double) command.rate / EPHEMERAL_SHARE))) {
                awaitOwners(fixedTable, lease);
                long begin = System.nanoTime();
                fixedPinger.start();
                if (command.executors > 0) {
                    ephemeralPinger.start();
                }
                watch(fleet, begin);
                return Summary.of(findings, Duration.ofNanos(System.nanoTime() - begin), allowed, kills);
            }
        }
    }

    private @Nullable MetricsPort metrics() throws RunFailedException {
        return command.metricsPort == null ? null : new MetricsPort(command.metricsPort, findings);
    }

    private List<String> executorOptions() {
        List<String> options = new ArrayList<>(List.of(
                "--target",
                command.target,
                "--namespace",
                command.fixedNamespace,
                "--namespace",
                command.ephemeralNamespace));
        if (!command.fence.isEmpty()) {
            options.addAll(List.of("--fence", command.fence));
        }
        return options;
    }

    private SpectatorClient spectator(String namespace) {
        return SpectatorClient.builder()
                .target(command.target)
                .namespace(namespace)
                .start();
    }

    private Pinger pinger(SpectatorClient table, String namespace, int shards, double rate) {
        return new Pinger(new Pinger.Target(namespace, shards, rate), table, findings, command.seed);
    }

    /** Executors need a moment to start. Who has no owner after that counts as not served from then on. */
    private void awaitOwners(SpectatorClient table, Duration lease) throws InterruptedException {
        long end = System.nanoTime() + WARM_UP.plus(lease).toNanos();
        while (table.table().routes().size() < command.shards && System.nanoTime() < end) {
            Thread.sleep(TICK);
        }
        say(table.table().routes().size() + " of " + command.shards + " shards of " + command.fixedNamespace
                + " have an owner; pinging");
    }

    private void watch(Fleet fleet, long begin) throws InterruptedException {
        long end = begin + command.time.toNanos();
        long nextProgress = begin + PROGRESS_EVERY.toNanos();
        long killPeriod = command.killEvery == null ? 0 : command.killEvery.toNanos();
        long nextKill = begin + killPeriod;
        for (long now = System.nanoTime(); now < end; now = System.nanoTime()) {
            if (killPeriod > 0 && now >= nextKill) {
                nextKill += killPeriod;
                killOne(fleet);
            }
            if (now >= nextProgress) {
                nextProgress += PROGRESS_EVERY.toNanos();
                progress(Duration.ofNanos(now - begin));
            }
            Thread.sleep(TICK);
        }
    }

    private void killOne(Fleet fleet) {
        List<String> ids = fleet.ids();
        if (!ids.isEmpty()) {
            String victim = ids.get(random.nextInt(ids.size()));
            fleet.kill(victim);
            kills++;
            say("killed " + victim + " (SIGKILL), started " + fleet.start());
        }
    }

    private void progress(Duration since) {
        Findings.Counts counts = findings.counts();
        say(String.format(
                Locale.ROOT,
                "t+%ds  pings %,d  failed %,d  moves %,d  unserved now %d  double owners %d  epoch falls %d",
                since.toSeconds(),
                counts.pings(),
                counts.failed(),
                counts.moves(),
                findings.unserved().size(),
                counts.doubleOwners(),
                counts.epochFalls()));
    }

    private void say(String text) {
        synchronized (log) {
            log.println("canary: " + text);
            log.flush();
        }
    }

    @Override
    public void line(String id, String line) {
        String what = line.substring(line.indexOf(' ') + 1).split(" ", 2)[0];
        if (what.equals("fence-refused")) {
            findings.fenceRefused();
        }
        if (TROUBLES.contains(what)) {
            say(line);
        }
    }

    @Override
    public void died(String id, int code, List<String> lastErrors) {
        say(id + " ended by itself with code " + code);
        lastErrors.forEach(error -> say("  " + id + ": " + error));
    }
}
