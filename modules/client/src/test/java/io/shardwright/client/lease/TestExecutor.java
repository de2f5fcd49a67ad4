package io.shardwright.client.lease;

import io.shardwright.domain.Clock;
import io.shardwright.domain.Outcome;
import io.shardwright.domain.Scheduler;
import io.shardwright.proto.v1.RegisterRequest;
import io.shardwright.testkit.SeededRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentSkipListMap;

/** One executor under test: its agent, and processors that start and stop at once unless told otherwise. */
final class TestExecutor implements ShardRunner, AgentListener {

    final List<String> log = new ArrayList<>();
    final Map<String, Ownership> runs = new HashMap<>();
    final OwnershipTable table = new OwnershipTable(new ConcurrentSkipListMap<>());
    final Map<String, Double> loads = new HashMap<>();
    final ExecutorAgent agent;
    private final Clock clock;
    private final Scheduler loop;
    boolean holdStops;
    int failStarts;
    Duration stopTakes = Duration.ZERO;

    TestExecutor(String id, Clock clock, Scheduler loop, Transport transport, Duration idleAfter, long seed) {
        this.clock = clock;
        this.loop = loop;
        RegisterRequest identity = RegisterRequest.newBuilder()
                .setNamespace("orders")
                .setExecutorId(id)
                .setProcessId(id + "-process-" + seed)
                .build();
        this.agent = new ExecutorAgent(
                new LeaseSettings(identity, LeaseSettings.DEFAULT_CLOCK_TOLERANCE, Duration.ofSeconds(2), idleAfter),
                new AgentPorts(clock, loop, new SeededRandom(seed), transport, this, table),
                this);
    }

    /** A clock and loop that run at another rate than the world's. */
    record Skewed(Clock world, Scheduler wire, double rate) implements Clock, Scheduler {
        @Override
        public long nanoTime() {
            return (long) (world.nanoTime() * rate) - 5_000_000_000L;
        }

        @Override
        public Instant wallTime() {
            return world.wallTime();
        }

        @Override
        public void execute(Runnable task) {
            wire.execute(task);
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            return wire.schedule(Duration.ofNanos((long) Math.ceil(delay.toNanos() / rate)), task);
        }
    }

    boolean owns(String key, long epoch) {
        return table.isOwned(key, epoch, clock.nanoTime());
    }

    boolean ownsAny(String key) {
        return table.find(key, clock.nanoTime()).isPresent();
    }

    Ownership running(String key) {
        return Objects.requireNonNull(runs.get(key), key + " does not run");
    }

    void finishStop(String key) {
        agent.stopped(Objects.requireNonNull(runs.remove(key)));
    }

    @Override
    public void start(Ownership shard) {
        log.add("start " + shard);
        if (runs.containsKey(shard.shardKey())) {
            throw new AssertionError("two processors of " + shard.shardKey() + " in one process: " + log);
        }
        runs.put(shard.shardKey(), shard);
        loop.execute(() -> {
            if (failStarts > 0) {
                failStarts--;
                runs.remove(shard.shardKey());
                agent.startFailed(shard);
            } else {
                agent.started(shard);
            }
        });
    }

    @Override
    public void stop(Ownership shard, ShardStop reason) {
        log.add("stop " + shard + " " + reason);
        if (!holdStops) {
            loop.schedule(stopTakes, () -> {
                if (runs.remove(shard.shardKey(), shard)) {
                    agent.stopped(shard);
                }
            });
        }
    }

    @Override
    public OptionalDouble load(Ownership shard) {
        Double load = loads.get(shard.shardKey());
        return load == null ? OptionalDouble.empty() : OptionalDouble.of(load);
    }

    @Override
    public void registered(Duration lease) {
        log.add("registered");
    }

    @Override
    public void registrationFailed(Outcome.Fault fault) {
        log.add("registration failed");
    }

    @Override
    public void idInUse(Duration retryAfter) {
        log.add("id in use");
    }

    @Override
    public void renewed() {}

    @Override
    public void renewalFailed(Outcome.Fault fault) {}

    @Override
    public void forgotten() {
        log.add("forgotten");
    }

    @Override
    public void leaseEnded(int shards) {
        log.add("lease ended " + shards);
    }
}
