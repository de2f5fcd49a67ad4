package io.shardwright.persistence.differential;

import io.shardwright.persistence.Backend;
import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.KeyRange;
import io.shardwright.persistence.KeyValue;
import io.shardwright.persistence.RangeRequest;
import io.shardwright.persistence.RangeResponse;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.StoreCalls;
import io.shardwright.persistence.Txn;
import io.shardwright.persistence.Txn.Compare;
import io.shardwright.persistence.Txn.Op;
import io.shardwright.persistence.WatchRequest;
import io.shardwright.persistence.differential.Command.Condition;
import io.shardwright.persistence.differential.Command.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/** One store while one sequence runs on it: what the names of the sequence are there, and its answers as text. */
final class Subject implements AutoCloseable {

    private static final KeyRange ALL = KeyRange.prefix(Bytes.EMPTY);

    /** An id that no store has granted. */
    private static final long NO_SUCH_LEASE = 0x7ead_beefL;

    private final String name;
    private final Backend backend;
    private final Store store;
    private final StoreCalls calls;
    private final long base;
    private final Shown shown;

    /** Index 0 is no lease. */
    private final long[] leases = {0, NO_SUCH_LEASE, NO_SUCH_LEASE, NO_SUCH_LEASE};

    private final List<Store.Watch> watches = Collections.synchronizedList(new ArrayList<>());

    /** Empties the store, gives it {@link Situation#BEFORE_START} revisions and forgets them. */
    Subject(String name, Backend backend, Store store) {
        this.name = name;
        this.backend = backend;
        this.store = store;
        this.calls = new StoreCalls(backend, store);
        calls.write(new Op.Delete(ALL));
        calls.write(StoreCalls.put(Commands.KEYS.getFirst(), ""));
        this.base = calls.write(StoreCalls.delete(Commands.KEYS.getFirst()));
        StoreCalls.expect(calls.compact(base));
        this.shown = new Shown(base);
    }

    String name() {
        return name;
    }

    /** Returns what exists now. */
    Situation situation(long compacted) {
        RangeResponse all = calls.read(ALL);
        Map<Bytes, KeyValue> keys = new TreeMap<>();
        for (KeyValue kv : all.kvs()) {
            keys.put(
                    kv.key(),
                    new KeyValue(
                            kv.key(),
                            kv.value(),
                            shown.offset(kv.createRevision()),
                            shown.offset(kv.modRevision()),
                            kv.version(),
                            kv.leaseId()));
        }
        return new Situation(shown.offset(all.revision()), compacted, keys);
    }

    /** Makes a call; the answer comes as text. */
    CompletableFuture<String> start(Command command, Situation situation) {
        CompletableFuture<String> answer = new CompletableFuture<>();
        backend.loop().execute(() -> {
            switch (command) {
                case Command.Read read ->
                    store.range(
                            request(read, situation), outcome -> answer.complete(shown.outcome(outcome, shown::range)));
                case Command.Transaction txn ->
                    store.txn(txn(txn, situation), outcome -> answer.complete(shown.outcome(outcome, shown::txn)));
                case Command.Compact(Rev at) ->
                    store.compact(
                            revision(at, situation),
                            outcome -> answer.complete(shown.outcome(outcome, shown::revision)));
                case Command.Grant(int slot, long ttlSeconds) ->
                    store.leases()
                            .grant(
                                    ttlSeconds,
                                    outcome -> answer.complete(shown.outcome(outcome, lease -> {
                                        leases[slot] = lease.id();
                                        shown.named(lease.id());
                                        return shown.lease(lease);
                                    })));
                case Command.KeepAlive(int slot) ->
                    store.leases()
                            .keepAlive(leases[slot], outcome -> answer.complete(shown.outcome(outcome, shown::lease)));
                case Command.TimeToLive(int slot) ->
                    store.leases()
                            .timeToLive(leases[slot], outcome -> answer.complete(shown.outcome(outcome, shown::lease)));
                case Command.Revoke(int slot) ->
                    store.leases()
                            .revoke(leases[slot], outcome -> answer.complete(shown.outcome(outcome, shown::revision)));
                case Command.Watch watch -> throw new IllegalArgumentException(watch + " has no answer");
                case Command.Cancel cancel -> throw new IllegalArgumentException(cancel + " has no answer");
            }
        });
        return answer;
    }

    /** Starts a watch; the n-th one has index n, from 0. */
    Heard watch(Command.Watch command, Situation situation) {
        Heard heard = new Heard(shown);
        WatchRequest request = new WatchRequest(command.range(), revision(command.from(), situation));
        onLoop(() -> watches.add(store.watch(request, heard)));
        return heard;
    }

    void cancel(int watch) {
        onLoop(() -> watches.get(watch).cancel());
    }

    private void onLoop(Runnable task) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        backend.loop().execute(() -> {
            task.run();
            done.complete(null);
        });
        calls.waitUntil(done::isDone);
    }

    boolean waitUntil(BooleanSupplier condition, Duration atMost) {
        return backend.waitUntil(condition, atMost);
    }

    private long revision(Rev revision, Situation situation) {
        OptionalLong offset = situation.offset(revision);
        return offset.isEmpty() ? 0 : base + offset.getAsLong();
    }

    private RangeRequest request(Command.Read read, Situation situation) {
        return new RangeRequest(read.range(), revision(read.at(), situation), read.limit(), read.keysOnly());
    }

    private Txn txn(Command.Transaction txn, Situation situation) {
        return new Txn(
                txn.conditions().stream()
                        .map(condition -> compare(condition, situation))
                        .toList(),
                ops(txn.then(), txn.repeat(), situation),
                ops(txn.otherwise(), txn.repeat(), situation));
    }

    private List<Op> ops(List<Step> steps, int repeat, Situation situation) {
        List<Op> once = steps.stream().map(step -> op(step, situation)).toList();
        return Collections.nCopies(repeat, once).stream().flatMap(List::stream).toList();
    }

    private Op op(Step step, Situation situation) {
        return switch (step) {
            case Step.Put(Bytes key, Bytes value, int slot) -> new Op.Put(key, value, leases[slot]);
            case Step.Delete(KeyRange range) -> new Op.Delete(range);
            case Step.ReadKeys(Command.Read read) -> new Op.Range(request(read, situation));
        };
    }

    private Compare compare(Condition condition, Situation situation) {
        return switch (condition.target()) {
            case VALUE -> Compare.onValue(condition.key(), condition.relation(), condition.value());
            case VERSION -> number(condition, condition.number());
            case LEASE -> number(condition, leases[condition.number()]);
            case MOD_REVISION, CREATE_REVISION -> number(condition, revision(condition.revision(), situation));
        };
    }

    private static Compare number(Condition condition, long number) {
        return Compare.on(condition.key(), condition.target(), condition.relation(), number);
    }

    /** Ends what the sequence left behind, so that nothing of it reaches the next one. */
    @Override
    public void close() {
        onLoop(() -> watches.forEach(Store.Watch::cancel));
        shown.leaseIds().forEach(calls::revoke);
        Arrays.fill(leases, NO_SUCH_LEASE);
    }
}
