package io.shardwright.canary.ping;

import io.shardwright.client.ShardwrightException;
import io.shardwright.client.SpectatorClient;
import io.shardwright.client.routing.Executor;
import io.shardwright.client.routing.Route;
import io.shardwright.client.routing.RoutingTable;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Pings the shards of one namespace through a spectator client, and watches them closely while they move.
 *
 * <p>Three loops: pings at a steady rate; a check every 100 ms of each shard whose last ping failed, so that the length
 * of the gap is known; and every second one question to <em>all</em> executors about shards that moved lately, for the
 * proof that only one of them says "mine". Thread-safe.
 */
public final class Pinger implements AutoCloseable {

    private static final Logger LOG = System.getLogger(Pinger.class.getName());
    private static final Duration RECHECK_EVERY = Duration.ofMillis(100);
    private static final Duration AUDIT_EVERY = Duration.ofSeconds(1);
    private static final long WATCH_MOVED_NANOS = Duration.ofSeconds(20).toNanos();
    private static final long KEEP_EXECUTOR_NANOS = Duration.ofSeconds(60).toNanos();
    private static final long KEEP_EPHEMERAL_NANOS = Duration.ofSeconds(60).toNanos();
    private static final int AUDIT_SHARDS = 16;
    private static final int MAX_IN_FLIGHT = 256;

    private final Target target;
    private final SpectatorClient spectator;
    private final Findings findings;
    private final Random random;
    private final PingClients clients = new PingClients();
    private final Semaphore inFlight = new Semaphore(MAX_IN_FLIGHT);
    // Shard key -> when it moved last; executor address -> when the table named it last; both in nanoseconds.
    private final Map<String, Long> moved = new ConcurrentHashMap<>();
    private final Map<String, Long> addresses = new ConcurrentHashMap<>();
    private final Map<String, Long> born = new ConcurrentHashMap<>();
    private final Map<String, Boolean> rechecked = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /**
     * Which shards are pinged.
     *
     * @param namespace the namespace
     * @param shards number of shards of a fixed namespace; 0 for an ephemeral one, where each ping creates a shard
     * @param rate pings per second
     */
    public record Target(String namespace, int shards, double rate) {}

    public Pinger(Target target, SpectatorClient spectator, Findings findings, long seed) {
        this.target = target;
        this.spectator = spectator;
        this.findings = findings;
        this.random = new Random(seed);
    }

    /** Begins to ping. */
    public void start() {
        spectator.addListener(this::tableChanged);
        every(Duration.ofNanos((long) (1e9 / target.rate())), this::pingNext);
        every(RECHECK_EVERY, this::recheck);
        every(AUDIT_EVERY, this::audit);
    }

    private void every(Duration period, Runnable step) {
        Thread.ofVirtual().name("pinger-" + target.namespace()).start(() -> {
            long next = System.nanoTime();
            while (!closed) {
                try {
                    step.run();
                } catch (RuntimeException e) {
                    LOG.log(Level.WARNING, "pinger of " + target.namespace() + ": a step failed", e);
                }
                // A late step is not made up for: a burst of pings would say little.
                next = Math.max(next + period.toNanos(), System.nanoTime());
                LockSupport.parkNanos(next - System.nanoTime());
            }
        });
    }

    private void pingNext() {
        if (target.shards() > 0) {
            String key = Integer.toString(random.nextInt(target.shards()));
            run(() -> findings.pinged(ask(key, () -> Optional.of(spectator.ownerOf(key)))));
        } else {
            String key = new UUID(random.nextLong(), random.nextLong()).toString();
            born.put(key, System.nanoTime());
            findings.created();
            run(() -> findings.pinged(askFresh(key)));
        }
    }

    /** A shard that was just created may still be on its way to its owner: what routers do then is ask again. */
    private PingOutcome askFresh(String key) {
        PingOutcome outcome = new PingOutcome.NoOwner();
        for (int attempt = 0; attempt < 5; attempt++) {
            outcome = ask(key, () -> find(key));
            if (outcome instanceof PingOutcome.Owned) {
                return outcome;
            }
            try {
                Thread.sleep(RECHECK_EVERY);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return outcome;
            }
        }
        return outcome;
    }

    /** Asks the owner that the lookup names. The lookup is empty when the shard manager did not answer. */
    private PingOutcome ask(String key, Supplier<Optional<Optional<Route>>> lookup) {
        long from = System.nanoTime();
        Optional<Optional<Route>> owner = lookup.get();
        PingOutcome outcome;
        if (owner.isEmpty()) {
            outcome = new PingOutcome.Unreachable("the shard manager did not answer");
        } else if (owner.get().isEmpty()) {
            outcome = new PingOutcome.NoOwner();
        } else {
            Executor executor = owner.get().get().executor();
            outcome = ping(executor.address(), key);
        }
        if (outcome instanceof PingOutcome.Owned) {
            findings.served(name(key), System.nanoTime());
        } else if (!isOld(key)) {
            findings.notServed(name(key), from);
        }
        return outcome;
    }

    private Optional<Optional<Route>> find(String key) {
        try {
            return Optional.of(spectator.findOwner(key).join());
        } catch (CompletionException e) {
            if (e.getCause() instanceof ShardwrightException refused && "NO_EXECUTORS".equals(refused.reason())) {
                return Optional.of(Optional.empty());
            }
            return Optional.empty();
        }
    }

    private PingOutcome ping(String address, String key) {
        long from = System.nanoTime();
        PingOutcome outcome = clients.ping(address, target.namespace(), key);
        if (outcome instanceof PingOutcome.Owned owned) {
            findings.claimed(name(key), owned.answer(), from, System.nanoTime());
        }
        return outcome;
    }

    private void recheck() {
        String prefix = target.namespace() + "/";
        for (String shard : findings.unserved()) {
            if (shard.startsWith(prefix) && rechecked.putIfAbsent(shard, true) == null) {
                String key = shard.substring(prefix.length());
                boolean asked = run(() -> {
                    try {
                        ask(key, () -> target.shards() > 0 ? Optional.of(spectator.ownerOf(key)) : find(key));
                    } finally {
                        rechecked.remove(shard);
                    }
                });
                if (!asked) {
                    rechecked.remove(shard);
                }
            }
        }
    }

    private void audit() {
        long now = System.nanoTime();
        for (Executor executor : spectator.table().executors().values()) {
            addresses.put(executor.address(), now);
        }
        addresses.forEach((address, seen) -> {
            if (now - seen > KEEP_EXECUTOR_NANOS && addresses.remove(address, seen)) {
                clients.forget(address);
            }
        });
        moved.values().removeIf(when -> now - when > WATCH_MOVED_NANOS);
        List<String> keys = new ArrayList<>(moved.keySet());
        for (int i = 0; i < AUDIT_SHARDS && !keys.isEmpty(); i++) {
            String key = keys.remove(random.nextInt(keys.size()));
            addresses.keySet().forEach(address -> run(() -> ping(address, key)));
        }
        forgetOld(now);
    }

    /** Shards that nobody asks for any more go, and with them what is known of them. */
    private void forgetOld(long now) {
        born.forEach((key, when) -> {
            if (now - when > KEEP_EPHEMERAL_NANOS && !findings.unserved().contains(name(key))) {
                born.remove(key);
                findings.forget(name(key));
            }
        });
    }

    private boolean isOld(String key) {
        return target.shards() == 0 && !born.containsKey(key);
    }

    private void tableChanged(RoutingTable before, RoutingTable now) {
        long time = System.nanoTime();
        Map<String, Route> old = before.routes();
        int changes = 0;
        for (Route route : now.routes().values()) {
            Route was = old.get(route.shardKey());
            if (was == null || was.epoch() != route.epoch()) {
                moved.put(route.shardKey(), time);
                changes += was != null || target.shards() > 0 ? 1 : 0;
            }
        }
        findings.moved(changes);
    }

    private String name(String key) {
        return target.namespace() + "/" + key;
    }

    /** Runs a question on a thread of its own; says no when too many are under way. */
    private boolean run(Runnable question) {
        if (!inFlight.tryAcquire()) {
            return false;
        }
        Thread.startVirtualThread(() -> {
            try {
                question.run();
            } finally {
                inFlight.release();
            }
        });
        return true;
    }

    /** Stops. Questions under way are given up. */
    @Override
    public void close() {
        closed = true;
        clients.close();
    }
}
