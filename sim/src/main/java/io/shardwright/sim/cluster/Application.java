package io.shardwright.sim.cluster;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.PutOption;
import io.shardwright.client.fence.EtcdFence;
import io.shardwright.client.fence.StaleEpochException;
import io.shardwright.client.lease.ExecutorAgent;
import io.shardwright.client.lease.Ownership;
import io.shardwright.client.lease.ShardRunner;
import io.shardwright.client.lease.ShardStop;
import io.shardwright.domain.Clock;
import io.shardwright.sim.kernel.SimProcess;
import io.shardwright.sim.kernel.SimRandom;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The application inside an executor: starts and stops shards in its own time, and writes to fenced storage for the
 * shards it owns, checking before each write as an application should.
 */
final class Application implements ShardRunner, Trace.Runner {

    private static final Duration BETWEEN_WRITES = Duration.ofSeconds(2);
    private static final long QUICK_MILLIS = 50;
    private static final String FENCES = "/fences/";

    private final Simulation sim;
    private final SimProcess process;
    private final Clock clock;
    private final String owner;
    private final ExecutorHost machine;
    private final SimRandom random;
    private final TreeMap<String, Ownership> running = new TreeMap<>();
    private final Fence fence;
    private @Nullable ExecutorAgent agent;

    Application(Simulation sim, SimProcess process, ExecutorHost machine, String owner) {
        this.sim = sim;
        this.process = process;
        this.clock = sim.wiring().applicationClock(process);
        this.owner = owner;
        this.machine = machine;
        this.random = sim.random("workload");
        StorageClient storage = new StorageClient(sim.network(), sim.storage(), process);
        EtcdFence real = new EtcdFence(storage, FENCES, machine.namespace(), owner);
        this.fence = sim.wiring().fence(process, Fence.of(real), storage, FENCES + machine.namespace() + "/");
    }

    void begin(ExecutorAgent itsAgent) {
        agent = itsAgent;
        process.scheduleAside(BETWEEN_WRITES, this::work);
    }

    private ExecutorAgent agent() {
        return Objects.requireNonNull(agent, "begin was not called");
    }

    @Override
    public void start(Ownership shard) {
        sim.starting(this, shard.shardKey(), shard.epoch());
        running.put(shard.shardKey(), shard);
        sim.runs(this, shard.shardKey());
        process.scheduleAside(stepTime(), () -> {
            if (!Objects.equals(running.get(shard.shardKey()), shard)) {
                return;
            }
            if (random.chance(machine.failingStarts())) {
                startFailed(shard);
            } else {
                open(shard);
            }
        });
    }

    private void startFailed(Ownership shard) {
        running.remove(shard.shardKey());
        sim.runsNoMore(this, shard.shardKey());
        agent().startFailed(shard);
    }

    /** A shard has started when nobody who had it before can write any more. */
    private void open(Ownership shard) {
        then(fence.open(shard.shardKey(), shard.epoch()), taken -> {
            if (!Objects.equals(running.get(shard.shardKey()), shard)) {
                return;
            }
            if (taken) {
                agent().started(shard);
            } else {
                sim.facts().count("fence was not opened: a newer owner had been there");
                startFailed(shard);
            }
        });
    }

    private void write(Ownership shard) {
        Op put = Op.put(
                ByteSequence.from(FencedStorage.data(shard.shardKey()), StandardCharsets.UTF_8),
                ByteSequence.from(FencedStorage.value(shard.epoch(), owner), StandardCharsets.UTF_8),
                PutOption.DEFAULT);
        then(fence.write(shard.shardKey(), shard.epoch(), put), taken -> {
            sim.facts().count(taken ? "storage took a write" : "storage refused a write of an older epoch");
            sim.trace().wroteToStorage(sim.kernel().now(), machine(), shard.shardKey(), shard.epoch(), taken);
        });
    }

    /** What a fence answers with, besides an answer that does not come. */
    private void then(CompletableFuture<?> answer, Consumer<Boolean> taken) {
        CompletableFuture<?> unused = answer.whenComplete((done, failure) -> process.execute(() -> {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            if (cause != null && !(cause instanceof StaleEpochException)) {
                throw new IllegalStateException("the fence failed", cause);
            }
            taken.accept(cause == null);
        }));
    }

    @Override
    public void stop(Ownership shard, ShardStop reason) {
        machine.stopping(() -> process.scheduleAside(stepTime(), () -> {
            if (running.remove(shard.shardKey(), shard)) {
                sim.runsNoMore(this, shard.shardKey());
            }
            agent().stopped(shard);
        }));
    }

    @Override
    public OptionalDouble load(Ownership shard) {
        return OptionalDouble.of(1);
    }

    /** Somebody uses a shard. */
    void touch(String shard) {
        Ownership ownership = running.get(shard);
        if (ownership != null) {
            ownership.touch(clock.nanoTime());
        }
    }

    private Duration stepTime() {
        long slowest = machine.slowStepMillis();
        return Duration.ofMillis(random.between(0, slowest > 0 ? slowest : QUICK_MILLIS));
    }

    private void work() {
        process.scheduleAside(BETWEEN_WRITES, this::work);
        if (!running.isEmpty()) {
            int chosen = random.nextInt(running.size());
            Ownership shard = running.values().stream().skip(chosen).findFirst().orElseThrow();
            if (shard.isOwned(clock.nanoTime())) {
                write(shard);
            }
        }
    }

    @Override
    public SimProcess process() {
        return process;
    }

    @Override
    public String machine() {
        return process.name();
    }

    @Override
    public String namespace() {
        return machine.namespace();
    }

    @Override
    public String executorId() {
        return machine.executorId();
    }

    @Override
    public String owner() {
        return owner;
    }

    @Override
    public long clock() {
        return process.nanoTime();
    }

    @Override
    public Collection<String> running() {
        return running.keySet();
    }

    @Override
    public boolean awake() {
        return process.awake();
    }

    @Override
    public boolean admits(String shard) {
        Ownership ownership = running.get(shard);
        return ownership != null && ownership.isOwned(clock.nanoTime());
    }

    @Override
    public long epoch(String shard) {
        Ownership ownership = running.get(shard);
        return ownership == null ? 0 : ownership.epoch();
    }

    @Override
    public long nanosLeft(String shard) {
        Ownership ownership = running.get(shard);
        return ownership == null ? 0 : ownership.runUntil() - clock.nanoTime();
    }
}
