package io.shardwright.bench;

import io.shardwright.client.ExecutorClient;
import io.shardwright.client.ShardContext;
import io.shardwright.client.ShardProcessor;
import io.shardwright.client.SpectatorClient;
import io.shardwright.client.lease.ShardStop;
import io.shardwright.client.routing.Route;
import io.shardwright.domain.ShardKey;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What an application pays on its hot path: a route looked up, an ownership checked. Clients of a real server with
 * 100,000 shards.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH calls the set-up before anything else
public class LookupBenchmark {

    private static final int EXECUTORS = 1000;
    private static final int SHARDS = 100_000;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final String[] keys = new String[1024];
    private Lab lab;
    private SpectatorClient spectator;
    private ExecutorClient executor;
    private String ownedKey = "";
    private long ownedEpoch;
    private int next;

    /** Starts a server, fills it and connects both clients. */
    @Setup
    public void open() throws IOException, InterruptedException {
        lab = Lab.served(EXECUTORS, SHARDS);
        for (int i = 0; i < keys.length; i++) {
            keys[i] = Integer.toString(i * 97 % SHARDS);
        }
        String target = "127.0.0.1:" + lab.port();
        executor = ExecutorClient.builder()
                .target(target)
                .namespace(Lab.NAMESPACE.value())
                .executorId("measured")
                .processors(key -> new Idle())
                .start();
        awaitOwned();
        spectator = SpectatorClient.builder()
                .target(target)
                .namespace(Lab.NAMESPACE.value())
                .start();
        if (!spectator.awaitReady(PATIENCE)) {
            throw new IllegalStateException("no routing table within " + PATIENCE);
        }
    }

    /**
     * The joiner's share comes at the end of the others' hold times, so it takes a shard of an executor that never
     * renews: ask for one to be let go.
     */
    private void awaitOwned() throws InterruptedException {
        if (!executor.awaitRegistered(PATIENCE)) {
            throw new IllegalStateException("not registered within " + PATIENCE);
        }
        var sets = lab.sets(EXECUTORS);
        for (int i = 0; i < EXECUTORS; i++) {
            lab.control().release(Lab.NAMESPACE, Lab.caller(i), sets.get(i), reply -> {});
        }
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() - deadline < 0) {
            for (int i = 0; i < SHARDS; i++) {
                var shard = lab.view()
                        .table()
                        .find(new ShardKey(Integer.toString(i)))
                        .orElseThrow();
                if (executor.isOwned(shard.key().value(), shard.epoch())) {
                    ownedKey = shard.key().value();
                    ownedEpoch = shard.epoch();
                    return;
                }
            }
            Thread.sleep(100);
        }
        throw new IllegalStateException("owns nothing within " + PATIENCE);
    }

    /** Stops everything. */
    @TearDown
    public void close() {
        spectator.close();
        executor.close();
        lab.close();
    }

    /** A route from the local table. */
    @Benchmark
    public Optional<Route> ownerOf() {
        next = (next + 1) & (keys.length - 1);
        return spectator.ownerOf(keys[next]);
    }

    /** An ownership check, with the clock read that it needs. */
    @Benchmark
    public boolean isOwned() {
        return executor.isOwned(ownedKey, ownedEpoch);
    }

    private static final class Idle implements ShardProcessor {
        @Override
        public void start(ShardContext shard) {}

        @Override
        public void stop(ShardStop reason) {}
    }
}
