package io.shardwright.control;

import io.shardwright.domain.Drains;
import io.shardwright.domain.Executor;
import io.shardwright.domain.ExecutorId;
import io.shardwright.domain.Namespace;
import io.shardwright.domain.NamespaceName;
import io.shardwright.domain.Outcome;
import io.shardwright.domain.ShardTable;
import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.KeyRange;
import io.shardwright.persistence.KeyValue;
import io.shardwright.persistence.RangeRequest;
import io.shardwright.persistence.RangeResponse;
import io.shardwright.persistence.Store;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** Reads all stored state at one revision, page by page. */
final class StateLoader {

    /** Keys of one read; a segment is about 8 KiB, so a page stays far below a message limit of 4 MiB. */
    private static final int PAGE = 256;

    private static final Pattern SEGMENT_NUMBER = Pattern.compile("[0-9]{5}");

    private final Store store;
    private final Keys keys;
    private final Consumer<Result> done;
    private final List<Loaded> loaded = new ArrayList<>();
    private final TreeMap<NamespaceName, KeptEpochs> epochs = new TreeMap<>();
    private final TreeMap<Bytes, KeyValue> drains = new TreeMap<>();
    private long revision;

    private StateLoader(Store store, Keys keys, Consumer<Result> done) {
        this.store = store;
        this.keys = keys;
        this.done = done;
    }

    /** One namespace as it is stored. */
    record Loaded(NamespaceView view, long epochFloor, Duration longestLease, TreeMap<Bytes, Long> modRevisions) {}

    /** What is kept of a namespace that was deleted: its highest epoch, and the revision that wrote it. */
    record KeptEpochs(long highest, long modRevision) {}

    /** How loading ended. */
    sealed interface Result {

        /** Everything was read. */
        record Read(List<Loaded> namespaces, TreeMap<NamespaceName, KeptEpochs> epochs, long revision)
                implements Result {}

        /** The store did not answer; try again. */
        record Failed(String message) implements Result {}

        /** A stored value cannot be used; an operator must act. */
        record Corrupt(String message) implements Result {}
    }

    static void load(Store store, Keys keys, Consumer<Result> done) {
        StateLoader loader = new StateLoader(store, keys, done);
        loader.readAll(keys.allEpochs(), kept -> {
            loader.epochs(kept);
            loader.readAll(keys.allDrains(), drains -> {
                drains.forEach(kv -> loader.drains.put(kv.key(), kv));
                loader.readAll(keys.allNamespaces(), loader::namespaces);
            });
        });
    }

    private void epochs(List<KeyValue> kvs) {
        for (KeyValue kv : kvs) {
            StateCodec.EpochsRecord stored = StateCodec.decodeEpochs(kv);
            if (!keys.epochs(stored.namespace()).equals(kv.key())) {
                throw new CorruptState(kv.key(), "it names namespace " + stored.namespace());
            }
            epochs.put(stored.namespace(), new KeptEpochs(stored.highest(), kv.modRevision()));
        }
    }

    private void namespaces(List<KeyValue> kvs) {
        next(new ArrayDeque<>(kvs));
    }

    private void next(ArrayDeque<KeyValue> rest) {
        if (rest.isEmpty()) {
            done.accept(new Result.Read(loaded, epochs, revision));
            return;
        }
        KeyValue kv = rest.poll();
        StateCodec.NamespaceRecord stored = StateCodec.decodeNamespace(kv);
        NamespaceName name = stored.namespace().name();
        if (!keys.namespace(name).equals(kv.key())) {
            throw new CorruptState(kv.key(), "it names namespace " + name);
        }
        readAll(
                keys.executors(name),
                executors -> readAll(keys.segments(name), segments -> {
                    loaded.add(assemble(stored, kv, executors, segments));
                    next(rest);
                }));
    }

    private Loaded assemble(
            StateCodec.NamespaceRecord stored, KeyValue record, List<KeyValue> executorKvs, List<KeyValue> segmentKvs) {
        Namespace namespace = stored.namespace();
        TreeMap<Bytes, Long> modRevisions = new TreeMap<>();
        modRevisions.put(record.key(), record.modRevision());
        TreeMap<ExecutorId, Executor> executors = new TreeMap<>();
        for (KeyValue kv : executorKvs) {
            Executor executor = StateCodec.decodeExecutor(kv);
            if (!keys.executor(namespace.name(), executor.id()).equals(kv.key())) {
                throw new CorruptState(kv.key(), "it names executor " + executor.id());
            }
            executors.put(executor.id(), executor);
            modRevisions.put(kv.key(), kv.modRevision());
        }
        ShardTable table = ShardTable.initial(namespace.kind(), stored.epochFloor());
        boolean keysByPosition = namespace.kind() instanceof Namespace.Kind.Fixed;
        for (KeyValue kv : segmentKvs) {
            int id = segmentId(kv, namespace, table);
            table = table.withSegment(StateCodec.decodeSegment(kv, table.segment(id), keysByPosition));
            modRevisions.put(kv.key(), kv.modRevision());
        }
        checkOwners(namespace, table, executors);
        Drains drained = Drains.NONE;
        KeyValue storedDrains = drains.get(keys.drains(namespace.name()));
        if (storedDrains != null) {
            drained = StateCodec.decodeDrains(storedDrains);
            modRevisions.put(storedDrains.key(), storedDrains.modRevision());
        }
        return new Loaded(
                new NamespaceView(namespace, revision, table, Collections.unmodifiableSortedMap(executors), drained),
                stored.epochFloor(),
                stored.longestLease(),
                modRevisions);
    }

    static int segmentId(KeyValue kv, Namespace namespace, ShardTable table) {
        String name = kv.key().toUtf8();
        String number = name.substring(name.lastIndexOf('/') + 1);
        if (SEGMENT_NUMBER.matcher(number).matches() && Integer.parseInt(number) < table.segmentCount()) {
            return Integer.parseInt(number);
        }
        throw new CorruptState(
                kv.key(), "namespace " + namespace.name() + " (" + namespace.kind() + ") has no such segment");
    }

    /** An owner is stored before the first shard that it gets and removed after its last one, so it is always known. */
    private void checkOwners(Namespace namespace, ShardTable table, TreeMap<ExecutorId, Executor> executors) {
        table.forEach(shard -> shard.owner().ifPresent(owner -> {
            if (!executors.containsKey(owner)) {
                throw new CorruptState(
                        keys.segment(namespace.name(), table.segmentOf(shard.key())),
                        "shard " + shard.key() + " belongs to executor " + owner + ", which is not stored");
            }
        }));
    }

    private void readAll(KeyRange range, Consumer<List<KeyValue>> then) {
        Pages.read(store, RangeRequest.of(range).at(revision).limit(PAGE), any -> true, outcome -> {
            switch (outcome) {
                case Outcome.Success<RangeResponse>(RangeResponse whole) -> take(whole, then);
                case Outcome.Failure<RangeResponse>(Outcome.Fault fault) ->
                    done.accept(new Result.Failed(fault.message()));
                case Outcome.Unknown<RangeResponse>(Outcome.Fault fault) ->
                    done.accept(new Result.Failed(fault.message()));
            }
        });
    }

    private void take(RangeResponse whole, Consumer<List<KeyValue>> then) {
        revision = whole.revision();
        try {
            then.accept(whole.kvs());
        } catch (CorruptState corrupt) {
            done.accept(new Result.Corrupt(String.valueOf(corrupt.getMessage())));
        }
    }
}
