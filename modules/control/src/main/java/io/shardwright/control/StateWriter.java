package io.shardwright.control;

import io.shardwright.domain.NamespaceName;
import io.shardwright.domain.Outcome;
import io.shardwright.domain.Outcome.Fault;
import io.shardwright.domain.Scheduler;
import io.shardwright.election.Term;
import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.KeyRange;
import io.shardwright.persistence.KeyValue;
import io.shardwright.persistence.RangeRequest;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.Txn;
import io.shardwright.persistence.TxnResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Writes state of one term, one transaction at a time, and always learns how it ended.
 *
 * <p>Every transaction carries the term's guard and, for each key, the revision at which this writer last saw it. So a
 * transaction whose answer was lost may be tried again: if the first attempt took effect, or takes effect late, the
 * second one fails its compares and finds the written values in place; both can never happen. Until the outcome is
 * certain nothing else is written, because a caller that took "unknown" for "did not happen" could go on telling an
 * owner of a shard that the late write gives away.
 */
final class StateWriter {

    private static final Duration FIRST_RETRY = Duration.ofMillis(50);
    private static final Duration LAST_RETRY = Duration.ofSeconds(2);

    /** The pause that is reached after 750 ms of doubt: longer than a change of leaders of etcd that goes well. */
    private static final Duration SAID_AT = FIRST_RETRY.multipliedBy(16);

    private final Store store;
    private final Scheduler loop;
    private final Term term;
    private final TreeMap<Bytes, Long> modRevisions;
    private final NamespaceName name;
    private final Consumer<ControlEvent> events;
    private boolean closed;

    /**
     * Opens a writer.
     *
     * @param modRevisions revision of each key as it was read; a key that is not named is absent
     * @param name namespace that is told of with what goes wrong
     * @param events is told what goes wrong
     */
    StateWriter(
            Store store,
            Scheduler loop,
            Term term,
            SortedMap<Bytes, Long> modRevisions,
            NamespaceName name,
            Consumer<ControlEvent> events) {
        this.store = store;
        this.loop = loop;
        this.term = term;
        this.modRevisions = new TreeMap<>(modRevisions);
        this.name = name;
        this.events = events;
    }

    /** How a write ended. */
    sealed interface Result {

        /** It is stored, at this revision. */
        record Stored(long revision) implements Result {}

        /** It is not stored and never will be. */
        record NotStored(Fault fault) implements Result {}

        /** The term is over, or somebody else changed our keys: nothing may be decided any more. */
        record TermOver(String why) implements Result {}
    }

    /** Writes values and deletes keys, in one transaction. An empty value of the map deletes the key. */
    void write(SortedMap<Bytes, Optional<Bytes>> changes, Consumer<Result> done) {
        attempt(changes, transaction(changes, List.of()), false, FIRST_RETRY, done);
    }

    /** As {@link #write}, and deletes everything in the given ranges, in one transaction. */
    void wipe(SortedMap<Bytes, Optional<Bytes>> changes, List<KeyRange> ranges, Consumer<Result> done) {
        attempt(changes, transaction(changes, ranges), false, FIRST_RETRY, done);
    }

    /** Nothing more is written or answered. */
    void close() {
        closed = true;
    }

    private Txn transaction(SortedMap<Bytes, Optional<Bytes>> changes, List<KeyRange> wiped) {
        List<Txn.Compare> compares = new ArrayList<>();
        List<Txn.Op> writes = new ArrayList<>();
        List<Txn.Op> reads = new ArrayList<>();
        compares.add(term.guard());
        reads.add(new Txn.Op.Range(RangeRequest.of(KeyRange.single(term.key()))));
        changes.forEach((key, value) -> {
            compares.add(Txn.Compare.modRevision(key, modRevisions.getOrDefault(key, 0L)));
            writes.add(value.<Txn.Op>map(bytes -> new Txn.Op.Put(key, bytes, 0))
                    .orElseGet(() -> new Txn.Op.Delete(KeyRange.single(key))));
            reads.add(new Txn.Op.Range(RangeRequest.of(KeyRange.single(key))));
        });
        wiped.forEach(range -> writes.add(new Txn.Op.Delete(range)));
        return new Txn(compares, writes, reads);
    }

    private void attempt(
            SortedMap<Bytes, Optional<Bytes>> changes,
            Txn txn,
            boolean inDoubt,
            Duration pause,
            Consumer<Result> done) {
        store.txn(txn, outcome -> {
            if (closed) {
                return;
            }
            switch (outcome) {
                case Outcome.Success<TxnResponse>(TxnResponse response) -> {
                    if (response.succeeded()) {
                        stored(changes, response.revision(), done);
                    } else {
                        done.accept(refused(changes, response, inDoubt));
                    }
                }
                case Outcome.Failure<TxnResponse>(Fault fault) -> {
                    if (inDoubt) {
                        // This attempt did not happen; the earlier one still may.
                        again(changes, txn, fault, pause, done);
                    } else {
                        done.accept(new Result.NotStored(fault));
                    }
                }
                case Outcome.Unknown<TxnResponse>(Fault fault) -> again(changes, txn, fault, pause, done);
            }
        });
    }

    private void again(
            SortedMap<Bytes, Optional<Bytes>> changes, Txn txn, Fault fault, Duration pause, Consumer<Result> done) {
        if (pause.equals(SAID_AT)) {
            trouble("the store does not say whether it took a change, which is tried until it does; nothing else"
                    + " changes meanwhile: " + fault.message());
        }
        Duration next = pause.multipliedBy(2).compareTo(LAST_RETRY) > 0 ? LAST_RETRY : pause.multipliedBy(2);
        loop.schedule(pause, () -> {
            if (!closed) {
                attempt(changes, txn, true, next, done);
            }
        });
    }

    private void trouble(String message) {
        events.accept(new ControlEvent.StoreTrouble(name, message));
    }

    private Result foreign() {
        events.accept(new ControlEvent.ForeignState(name));
        return new Result.TermOver(ControlEvent.ForeignState.MESSAGE);
    }

    private void stored(SortedMap<Bytes, Optional<Bytes>> changes, long revision, Consumer<Result> done) {
        changes.forEach((key, value) -> {
            if (value.isPresent()) {
                modRevisions.put(key, revision);
            } else {
                modRevisions.remove(key);
            }
        });
        done.accept(new Result.Stored(revision));
    }

    /**
     * A compare failed. The else branch read the guard and every key, so it tells a lost term from an attempt that had
     * taken effect (R181).
     */
    private Result refused(SortedMap<Bytes, Optional<Bytes>> changes, TxnResponse response, boolean inDoubt) {
        TreeMap<Bytes, KeyValue> found = new TreeMap<>();
        for (TxnResponse.OpResult result : response.results()) {
            if (result instanceof TxnResponse.OpResult.Ranged ranged) {
                ranged.response().kvs().forEach(kv -> found.put(kv.key(), kv));
            }
        }
        var election = found.get(term.key());
        if (election == null || election.createRevision() != term.createRevision()) {
            String why = "the election key is gone: another process leads";
            trouble("the store did not take a change: " + why);
            return new Result.TermOver(why);
        }
        if (!inDoubt) {
            return foreign();
        }
        long revision = 0;
        for (var change : changes.entrySet()) {
            var kv = found.get(change.getKey());
            boolean ours = change.getValue().isEmpty()
                    ? kv == null
                    : kv != null && kv.value().equals(change.getValue().get());
            if (!ours) {
                return foreign();
            }
            if (kv != null) {
                revision = Math.max(revision, kv.modRevision());
            }
        }
        long storedAt = revision == 0 ? response.revision() : revision;
        changes.forEach((key, value) -> {
            var kv = found.get(key);
            if (kv == null) {
                modRevisions.remove(key);
            } else {
                modRevisions.put(key, kv.modRevision());
            }
        });
        return new Result.Stored(storedAt);
    }
}
