package io.shardwright.control;

import io.shardwright.domain.Executor;
import io.shardwright.domain.ExecutorId;
import io.shardwright.domain.Namespace;
import io.shardwright.domain.NamespaceName;
import io.shardwright.domain.Shard;
import io.shardwright.domain.ShardKey;
import io.shardwright.election.Belief;
import io.shardwright.election.LocalElection;
import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.memory.MemoryStore;
import io.shardwright.testkit.SeededRandom;
import io.shardwright.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A control plane on virtual time and a store that outlives it, with calls that wait for their answer. */
final class Cluster {

    static final NamespaceName NS = new NamespaceName("orders");
    static final Duration LEASE = Duration.ofSeconds(15);

    final VirtualTime time = new VirtualTime();
    final FaultyStore store = new FaultyStore(MemoryStore.open(time, time), time);
    final List<ControlEvent> events = new ArrayList<>();
    final List<ControlPlane.Started> starts = new ArrayList<>();
    ControlSettings settings = ControlSettings.DEFAULT;
    /** The store as the next process sees it, and what it believes of its hold of it. */
    Store seen = store;

    Supplier<Belief> beliefs = () -> Belief.UNLIMITED;
    private long seed = 1;
    ControlPlane plane;

    private Cluster(List<Namespace> namespaces) {
        plane = start(namespaces);
    }

    static Cluster fixed(int shards) {
        return new Cluster(List.of(fixedNamespace(shards)));
    }

    static Cluster ephemeral() {
        return new Cluster(List.of(new Namespace(NS, new Namespace.Kind.Ephemeral(), LEASE, "naive")));
    }

    static Namespace fixedNamespace(int shards) {
        return new Namespace(NS, new Namespace.Kind.Fixed(shards), LEASE, "naive");
    }

    /** Starts a further control plane on the same store, as a new process would. */
    ControlPlane start(List<Namespace> namespaces) {
        ControlListener listener = new ControlListener() {
            @Override
            public void event(ControlEvent event) {
                events.add(event);
            }

            @Override
            public void viewChanged(Optional<NamespaceView> before, Optional<NamespaceView> after) {}
        };
        LocalElection election = new LocalElection(seen, time, Bytes.utf8("/shardwright/leader"), "test", beliefs);
        ControlPlane started = new ControlPlane(
                new ControlPlane.Ports(time, time, new SeededRandom(seed++), seen),
                election,
                settings,
                namespaces,
                listener);
        started.start(starts::add);
        time.advance(Duration.ofMillis(10));
        return started;
    }

    /** Forgets the present process without telling it, and starts another one. */
    void crashAndRestart(List<Namespace> namespaces) {
        plane = start(namespaces);
    }

    /** Makes a call and runs until it is answered. */
    <T> Reply<T> call(Consumer<Call<T>> action) {
        List<Reply<T>> replies = new ArrayList<>();
        action.accept(replies::add);
        time.runUntilIdle();
        for (int i = 0; replies.isEmpty() && i < 1000; i++) {
            time.advance(Duration.ofMillis(20));
        }
        if (replies.size() != 1) {
            throw new AssertionError("answers: " + replies);
        }
        return replies.get(0);
    }

    <T> T ok(Consumer<Call<T>> action) {
        return switch (this.<T>call(action)) {
            case Reply.Ok<T>(T value) -> value;
            case Reply.Refused<T>(Reply.Refusal refusal) -> throw new AssertionError("refused: " + refusal);
        };
    }

    <T> Reply.Refusal refused(Consumer<Call<T>> action) {
        return switch (this.<T>call(action)) {
            case Reply.Ok<T>(T value) -> throw new AssertionError("not refused: " + value);
            case Reply.Refused<T>(Reply.Refusal refusal) -> refusal;
        };
    }

    static Executor executor(String id, String process) {
        return new Executor(
                new ExecutorId(id), process, id + ":7000", "host-" + id, new TreeMap<>(), Executor.Status.ACTIVE);
    }

    /** Registers an executor with a model client that renews and releases as the contract says. */
    ModelExecutor join(String id, String process) {
        return new ModelExecutor(this, id, process).register();
    }

    ModelExecutor join(String id) {
        return join(id, id + "-process");
    }

    Shard shard(String key) {
        return plane.view(NS).orElseThrow().table().find(new ShardKey(key)).orElseThrow();
    }

    NamespaceView view() {
        return plane.view(NS).orElseThrow();
    }

    /** Counts the shards of each executor. */
    TreeMap<String, Integer> counts() {
        TreeMap<String, Integer> counts = new TreeMap<>();
        view().table()
                .forEach(shard ->
                        counts.merge(shard.owner().map(ExecutorId::value).orElse("-"), 1, Integer::sum));
        return counts;
    }
}
