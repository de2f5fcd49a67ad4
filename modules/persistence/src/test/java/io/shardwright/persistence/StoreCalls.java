package io.shardwright.persistence;

import io.shardwright.domain.Outcome;
import io.shardwright.domain.Outcome.Fault;
import io.shardwright.persistence.StoreLeases.Lease;
import io.shardwright.persistence.Txn.Op;
import io.shardwright.persistence.WatchBatch.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Calls a store and waits for the answers. */
public final class StoreCalls {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Backend backend;
    private final Store store;

    public StoreCalls(Backend backend, Store store) {
        this.backend = backend;
        this.store = store;
    }

    public Outcome<TxnResponse> txn(Txn txn) {
        return await(answer -> store.txn(txn, answer));
    }

    /** Runs operations without a condition and returns the revision. */
    public long write(Op... ops) {
        return expect(txn(new Txn(List.of(), List.of(ops), List.of()))).revision();
    }

    public Outcome<RangeResponse> range(RangeRequest request) {
        return await(answer -> store.range(request, answer));
    }

    public RangeResponse read(KeyRange range) {
        return expect(range(RangeRequest.of(range)));
    }

    public Optional<KeyValue> get(Bytes key) {
        return read(KeyRange.single(key)).kvs().stream().findFirst();
    }

    public Outcome<Long> compact(long revision) {
        return await(answer -> store.compact(revision, answer));
    }

    public Lease grant(long ttlSeconds) {
        return expect(await(answer -> store.leases().grant(ttlSeconds, answer)));
    }

    public Outcome<Lease> keepAlive(long id) {
        return await(answer -> store.leases().keepAlive(id, answer));
    }

    public Outcome<Lease> timeToLive(long id) {
        return await(answer -> store.leases().timeToLive(id, answer));
    }

    public Outcome<Long> revoke(long id) {
        return await(answer -> store.leases().revoke(id, answer));
    }

    public Watched watch(KeyRange range, long from) {
        Watched watched = new Watched();
        Store.Watch handle = onLoop(() -> store.watch(new WatchRequest(range, from), watched));
        watched.handle = handle;
        return watched;
    }

    public boolean waitUntil(BooleanSupplier condition) {
        return backend.waitUntil(condition, PATIENCE);
    }

    /** Makes a call on the loop and waits for its one answer. */
    public <T> Outcome<T> await(Consumer<Consumer<Outcome<T>>> call) {
        List<Outcome<T>> answers = new CopyOnWriteArrayList<>();
        backend.loop().execute(() -> call.accept(answers::add));
        if (!waitUntil(() -> !answers.isEmpty())) {
            throw new AssertionError("no answer within " + PATIENCE);
        }
        return answers.getFirst();
    }

    private <T> T onLoop(Supplier<T> call) {
        List<T> result = new CopyOnWriteArrayList<>();
        backend.loop().execute(() -> result.add(call.get()));
        waitUntil(() -> !result.isEmpty());
        return result.getFirst();
    }

    /** Returns the value of a success. */
    public static <T> T expect(Outcome<T> outcome) {
        return switch (outcome) {
            case Outcome.Success<T>(T value) -> value;
            case Outcome.Failure<T>(Fault fault) -> throw new AssertionError("failed: " + fault);
            case Outcome.Unknown<T>(Fault fault) -> throw new AssertionError("unknown: " + fault);
        };
    }

    /** Returns the kind of a failure. */
    public static <T> Fault.Kind failure(Outcome<T> outcome) {
        return switch (outcome) {
            case Outcome.Success<T>(T value) -> throw new AssertionError("succeeded: " + value);
            case Outcome.Failure<T>(Fault fault) -> fault.kind();
            case Outcome.Unknown<T>(Fault fault) -> throw new AssertionError("unknown: " + fault);
        };
    }

    public static Op put(Bytes key, String value) {
        return new Op.Put(key, Bytes.utf8(value), 0);
    }

    public static Op delete(Bytes key) {
        return new Op.Delete(KeyRange.single(key));
    }

    public static Bytes filled(int length) {
        byte[] content = new byte[length];
        Arrays.fill(content, (byte) 'x');
        return Bytes.of(content);
    }

    /** What a watch heard. */
    public final class Watched implements Store.WatchListener {
        private final List<WatchBatch> batches = new CopyOnWriteArrayList<>();
        private final List<Fault> ended = new CopyOnWriteArrayList<>();
        private Store.Watch handle = () -> {};

        @Override
        public void changed(WatchBatch batch) {
            batches.add(batch);
        }

        @Override
        public void ended(Fault fault) {
            ended.add(fault);
        }

        public void cancel() {
            onLoop(() -> {
                handle.cancel();
                return true;
            });
        }

        public List<WatchBatch> batches() {
            return batches;
        }

        /** Waits for so many events and returns all that came. */
        public List<Event> events(int atLeast) {
            if (!waitUntil(() -> all().size() >= atLeast || !ended.isEmpty())) {
                throw new AssertionError("waited for " + atLeast + " events, heard " + all());
            }
            return all();
        }

        /** Waits for the end of the watch. */
        public Fault.Kind end() {
            if (!waitUntil(() -> !ended.isEmpty())) {
                throw new AssertionError("watch did not end; heard " + all());
            }
            return ended.getFirst().kind();
        }

        public List<Event> all() {
            List<Event> events = new ArrayList<>();
            batches.forEach(batch -> events.addAll(batch.events()));
            return events;
        }
    }
}
