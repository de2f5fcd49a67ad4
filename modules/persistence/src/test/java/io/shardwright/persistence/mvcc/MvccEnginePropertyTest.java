package io.shardwright.persistence.mvcc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shardwright.domain.Outcome;
import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.KeyRange;
import io.shardwright.persistence.KeyValue;
import io.shardwright.persistence.RangeRequest;
import io.shardwright.persistence.RangeResponse;
import io.shardwright.persistence.Txn;
import io.shardwright.persistence.Txn.Op;
import io.shardwright.persistence.WatchBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.LongStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/** The engine against a model that keeps a whole copy of the keys for each revision. */
final class MvccEnginePropertyTest {

    private static final KeyRange ALL = KeyRange.prefix(Bytes.EMPTY);
    private static final List<Long> LEASES = List.of(0L, 7L, 8L);

    @Provide
    Arbitrary<List<List<Op>>> txns() {
        Arbitrary<Bytes> key = Arbitraries.of("a", "b", "c", "d").map(Bytes::utf8);
        Arbitrary<Op> put = Combinators.combine(key, Arbitraries.of("1", "2", ""), Arbitraries.of(LEASES))
                .as((name, value, lease) -> new Op.Put(name, Bytes.utf8(value), lease));
        Arbitrary<Op> delete = key.map(name -> new Op.Delete(KeyRange.single(name)));
        Arbitrary<Op> deleteRange =
                Combinators.combine(key, key).as((from, to) -> new Op.Delete(new KeyRange(from, to)));
        return Arbitraries.frequencyOf(Tuple.of(5, put), Tuple.of(2, delete), Tuple.of(1, deleteRange))
                .list()
                .ofMinSize(1)
                .ofMaxSize(1)
                .list()
                .ofMinSize(1)
                .ofMaxSize(30);
    }

    /** Every revision, and what the keys were then. */
    private static TreeMap<Long, List<KeyValue>> run(MvccEngine engine, List<List<Op>> txns) {
        TreeMap<Long, List<KeyValue>> states = new TreeMap<>();
        states.put(engine.revision(), read(engine, 0));
        for (List<Op> ops : txns) {
            apply(engine, ops);
            states.put(engine.revision(), read(engine, 0));
        }
        return states;
    }

    private static void apply(MvccEngine engine, List<Op> ops) {
        Outcome<TxnPlan> plan = TxnPlan.of(engine, new Txn(List.of(), ops, List.of()), LEASES::contains);
        if (plan instanceof Outcome.Success<TxnPlan>(TxnPlan planned)) {
            planned.commit().ifPresent(engine::apply);
        }
    }

    private static List<KeyValue> read(MvccEngine engine, long revision) {
        return engine.range(RangeRequest.of(ALL).at(revision))
                        instanceof Outcome.Success<RangeResponse>(RangeResponse response)
                ? response.kvs()
                : List.of();
    }

    @Property
    void thePastStaysAsItWas(@ForAll("txns") List<List<Op>> txns) {
        MvccEngine engine = new MvccEngine();
        run(engine, txns)
                .forEach((revision, keys) -> assertEquals(keys, read(engine, revision), "at revision " + revision));
    }

    @Property
    void goingBackLeavesNoTrace(@ForAll("txns") List<List<Op>> txns, @ForAll("txns") List<List<Op>> undone) {
        MvccEngine engine = new MvccEngine();
        TreeMap<Long, List<KeyValue>> states = run(engine, txns);
        long revision = engine.revision();
        List<List<Bytes>> attached = LEASES.stream().map(engine::attachedTo).toList();
        long bytes = engine.retainedBytes();
        run(engine, undone);
        engine.rollbackTo(revision);
        assertEquals(revision, engine.revision());
        assertEquals(attached, LEASES.stream().map(engine::attachedTo).toList());
        assertEquals(bytes, engine.retainedBytes());
        states.forEach((then, keys) -> assertEquals(keys, read(engine, then)));
        MvccEngine never = new MvccEngine();
        run(never, txns);
        run(never, undone);
        run(engine, undone);
        assertEquals(read(never, 0), read(engine, 0), "the same writes again give the same versions");
        assertEquals(changes(never, 2), changes(engine, 2));
    }

    @Property
    void compactionChangesNothingThatCanStillBeAskedFor(@ForAll("txns") List<List<Op>> txns, @ForAll int pick) {
        MvccEngine engine = new MvccEngine();
        TreeMap<Long, List<KeyValue>> states = run(engine, txns);
        List<Long> revisions = new ArrayList<>(states.keySet());
        long target = revisions.get(Math.floorMod(pick, revisions.size()));
        WatchBatch before = changes(engine, target + 1);
        int versions = engine.forgettable(target).size();
        engine.compact(target);
        assertEquals(before, changes(engine, target + 1));
        states.tailMap(target).forEach((then, keys) -> assertEquals(keys, read(engine, then), "at revision " + then));
        LongStream.range(1, target)
                .forEach(old -> assertEquals(
                        true,
                        engine.range(RangeRequest.of(ALL).at(old)) instanceof Outcome.Failure,
                        "revision " + old));
        assertEquals(0, engine.forgettable(target).size(), versions + " versions were to be forgotten");
        assertThrows(IllegalArgumentException.class, () -> engine.compact(target));
    }

    @Property
    void loadingWhatAJournalKeptGivesTheSameEngine(@ForAll("txns") List<List<Op>> txns, @ForAll int pick) {
        MvccEngine engine = new MvccEngine();
        TreeMap<Long, List<KeyValue>> states = run(engine, txns);
        TreeMap<Long, List<WatchBatch.Event>> rows = new TreeMap<>();
        changes(engine, 2)
                .events()
                .forEach(event -> rows.computeIfAbsent(event.revision(), r -> new ArrayList<>())
                        .add(event));
        List<Long> revisions = new ArrayList<>(states.keySet());
        long target = revisions.get(Math.floorMod(pick, revisions.size()));
        engine.forgettable(target)
                .forEach(event ->
                        rows.getOrDefault(event.revision(), new ArrayList<>()).remove(event));
        engine.compact(target);

        MvccEngine loaded = new MvccEngine();
        rows.forEach((revision, events) -> {
            if (!events.isEmpty()) {
                loaded.restore(new Commit(revision, events));
            }
        });
        loaded.restored(engine.revision(), engine.compacted());
        assertEquals(engine.revision(), loaded.revision());
        states.tailMap(target).keySet().forEach(then -> assertEquals(read(engine, then), read(loaded, then)));
        assertEquals(changes(engine, target + 1), changes(loaded, target + 1));
        assertEquals(
                LEASES.stream().map(engine::attachedTo).toList(),
                LEASES.stream().map(loaded::attachedTo).toList());
    }

    private static WatchBatch changes(MvccEngine engine, long from) {
        if (engine.changes(ALL, Math.max(from, engine.compacted() + 1), Integer.MAX_VALUE)
                instanceof Outcome.Success<WatchBatch>(WatchBatch batch)) {
            return batch;
        }
        throw new AssertionError("changes from " + from + " are compacted");
    }
}
