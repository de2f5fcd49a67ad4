package io.shardwright.persistence.mvcc;

import io.shardwright.domain.Outcome;
import io.shardwright.domain.Outcome.Fault;
import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.KeyRange;
import io.shardwright.persistence.KeyValue;
import io.shardwright.persistence.Txn;
import io.shardwright.persistence.Txn.Compare;
import io.shardwright.persistence.Txn.Op;
import io.shardwright.persistence.Txn.Relation;
import io.shardwright.persistence.TxnResponse;
import io.shardwright.persistence.TxnResponse.OpResult;
import io.shardwright.persistence.WatchBatch.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongPredicate;

/**
 * What a transaction will do to an engine, computed without doing it.
 *
 * @param response to give once it is done
 * @param commit changes to make; empty: the transaction writes nothing and takes no revision
 */
public record TxnPlan(TxnResponse response, Optional<Commit> commit) {

    /**
     * Plans a transaction that {@code TxnRules} found nothing wrong with.
     *
     * @param leaseExists tells whether a lease id is granted
     */
    public static Outcome<TxnPlan> of(MvccEngine engine, Txn txn, LongPredicate leaseExists) {
        boolean succeeded = txn.compares().stream().allMatch(compare -> holds(compare, engine.get(compare.key())));
        List<Op> ops = succeeded ? txn.success() : txn.failure();
        // As in etcd: first every write, then every read.
        Optional<Fault> fault =
                first(ops, op -> checkWrite(op, leaseExists)).or(() -> first(ops, op -> checkRead(engine, op)));
        if (fault.isPresent()) {
            return new Outcome.Failure<>(fault.get());
        }
        Draft draft = new Draft(engine);
        List<OpResult> results = new ArrayList<>(ops.size());
        for (Op op : ops) {
            results.add(draft.run(op));
        }
        return Outcome.success(draft.finish(succeeded, results));
    }

    /** Plans the deletion of keys in one revision, for a lease that ends. */
    static TxnPlan deletionOf(MvccEngine engine, List<Bytes> keys) {
        Draft draft = new Draft(engine);
        for (Bytes key : keys) {
            draft.delete(KeyRange.single(key));
        }
        return draft.finish(true, List.of());
    }

    private static Optional<Fault> first(List<Op> ops, Function<Op, Optional<Fault>> check) {
        return ops.stream().map(check).flatMap(Optional::stream).findFirst();
    }

    private static Optional<Fault> checkWrite(Op op, LongPredicate leaseExists) {
        return op instanceof Op.Put put && put.leaseId() != 0 && !leaseExists.test(put.leaseId())
                ? Optional.of(new Fault(
                        Fault.Kind.NOT_FOUND,
                        "put of key " + put.key() + ": lease " + Long.toHexString(put.leaseId())
                                + " does not exist or has ended"))
                : Optional.empty();
    }

    private static Optional<Fault> checkRead(MvccEngine engine, Op op) {
        return op instanceof Op.Range read ? engine.checkReadable(read.request().revision()) : Optional.empty();
    }

    private static boolean holds(Compare compare, Optional<KeyValue> found) {
        if (compare.target() == Txn.Target.VALUE) {
            return found.isPresent()
                    && holds(compare.relation(), found.get().value().compareTo(compare.value()));
        }
        long actual = found.map(kv -> switch (compare.target()) {
                    case VERSION -> kv.version();
                    case CREATE_REVISION -> kv.createRevision();
                    case MOD_REVISION -> kv.modRevision();
                    case LEASE -> kv.leaseId();
                    case VALUE -> throw new IllegalStateException("compared above");
                })
                .orElse(0L);
        return holds(compare.relation(), Long.compare(actual, compare.number()));
    }

    private static boolean holds(Relation relation, int order) {
        return switch (relation) {
            case EQUAL -> order == 0;
            case NOT_EQUAL -> order != 0;
            case LESS -> order < 0;
            case GREATER -> order > 0;
        };
    }

    /** The engine's state with the changes that the transaction made so far laid over it. */
    private static final class Draft {
        private final MvccEngine engine;
        private final List<Event> events = new ArrayList<>();
        private final TreeMap<Bytes, Event> overlay = new TreeMap<>();
        private final long next;

        Draft(MvccEngine engine) {
            this.engine = engine;
            this.next = engine.revision() + 1;
        }

        OpResult run(Op op) {
            return switch (op) {
                case Op.Put put -> put(put);
                case Op.Delete delete -> new OpResult.Deleted(delete(delete.range()));
                case Op.Range read ->
                    new OpResult.Ranged(
                            engine.read(read.request(), newest(read.request().range()), revision()));
            };
        }

        private OpResult put(Op.Put put) {
            Event written = overlay.get(put.key());
            Optional<KeyValue> old = written == null ? engine.get(put.key()) : Optional.empty();
            change(new Event.Put(new KeyValue(
                    put.key(),
                    put.value(),
                    old.map(KeyValue::createRevision).orElse(next),
                    next,
                    old.map(KeyValue::version).orElse(0L) + 1,
                    put.leaseId())));
            return new OpResult.Put();
        }

        long delete(KeyRange range) {
            List<Bytes> keys = List.copyOf(newest(range).keySet());
            for (Bytes key : keys) {
                change(new Event.Delete(key, next));
            }
            return keys.size();
        }

        private void change(Event event) {
            events.add(event);
            overlay.put(event.key(), event);
        }

        private NavigableMap<Bytes, KeyValue> newest(KeyRange range) {
            NavigableMap<Bytes, Event> changed = MvccEngine.slice(overlay, range);
            if (changed.isEmpty()) {
                return engine.newest(range);
            }
            TreeMap<Bytes, KeyValue> merged = new TreeMap<>(engine.newest(range));
            for (Event event : changed.values()) {
                if (event instanceof Event.Put(KeyValue kv)) {
                    merged.put(kv.key(), kv);
                } else {
                    merged.remove(event.key());
                }
            }
            return merged;
        }

        private long revision() {
            return events.isEmpty() ? engine.revision() : next;
        }

        TxnPlan finish(boolean succeeded, List<OpResult> results) {
            Optional<Commit> commit = events.isEmpty() ? Optional.empty() : Optional.of(new Commit(next, events));
            return new TxnPlan(new TxnResponse(succeeded, revision(), results), commit);
        }
    }
}
