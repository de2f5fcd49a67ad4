package io.shardwright.control;

import io.shardwright.domain.Change;
import io.shardwright.domain.Drains;
import io.shardwright.domain.Executor;
import io.shardwright.domain.ExecutorId;
import io.shardwright.domain.Namespace;
import io.shardwright.domain.NamespaceName;
import io.shardwright.domain.Shard;
import io.shardwright.domain.ShardKey;
import io.shardwright.domain.ShardTable;
import io.shardwright.persistence.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Cuts a change into transactions that fit the limits of the store.
 *
 * <p>Drains and new executors come first and removals last, so that whatever a crash leaves behind is a state that
 * could have been decided: every shard is in one segment and every owner is known. A new process under a known id comes
 * after the shards that it takes over, so that it is never taken for the holder of an epoch that its predecessor had. A
 * change that touches k shards gives O(min(k, segments)) keys.
 */
final class Chunks {

    /** A part of a change with the keys that it writes. */
    record Chunk(Change change, SortedMap<Bytes, Optional<Bytes>> writes) {}

    private final NamespaceName namespace;
    private final Keys keys;
    private final ControlSettings settings;
    private final List<Chunk> chunks = new ArrayList<>();

    private SortedMap<Bytes, Optional<Bytes>> writes = new TreeMap<>();
    private SortedMap<ExecutorId, Executor> executors = new TreeMap<>();
    private TreeSet<ExecutorId> goneExecutors = new TreeSet<>();
    private List<Shard> shards = new ArrayList<>();
    private TreeSet<ShardKey> goneShards = new TreeSet<>();
    private Optional<Drains> drains = Optional.empty();
    private int bytes;

    private Chunks(NamespaceName namespace, Keys keys, ControlSettings settings) {
        this.namespace = namespace;
        this.keys = keys;
        this.settings = settings;
    }

    static List<Chunk> of(NamespaceView before, Change change, Keys keys, ControlSettings settings) {
        Chunks chunks = new Chunks(before.namespace().name(), keys, settings);
        change.drains().ifPresent(chunks::putDrains);
        SortedMap<ExecutorId, Executor> replacing = new TreeMap<>();
        change.executors().forEach((id, executor) -> {
            Executor known = before.executors().get(id);
            if (known != null && !known.processId().equals(executor.processId())) {
                replacing.put(id, executor);
            } else {
                chunks.putExecutor(id, executor);
            }
        });
        chunks.putSegments(before.table(), change);
        replacing.forEach(chunks::putExecutor);
        change.goneExecutors().forEach(chunks::removeExecutor);
        chunks.cut();
        return chunks.chunks;
    }

    private void putDrains(Drains changed) {
        add(keys.drains(namespace), Optional.of(StateCodec.encode(changed)));
        drains = Optional.of(changed);
    }

    private void putExecutor(ExecutorId id, Executor executor) {
        add(keys.executor(namespace, id), Optional.of(StateCodec.encode(executor)));
        executors.put(id, executor);
    }

    private void removeExecutor(ExecutorId id) {
        add(keys.executor(namespace, id), Optional.empty());
        goneExecutors.add(id);
    }

    private void putSegments(ShardTable before, Change change) {
        TreeMap<Integer, List<Shard>> changed = new TreeMap<>();
        for (Shard shard : change.shards()) {
            changed.computeIfAbsent(before.segmentOf(shard.key()), id -> new ArrayList<>())
                    .add(shard);
        }
        TreeMap<Integer, List<ShardKey>> removed = new TreeMap<>();
        for (ShardKey key : change.goneShards()) {
            removed.computeIfAbsent(before.segmentOf(key), id -> new ArrayList<>())
                    .add(key);
            changed.computeIfAbsent(before.segmentOf(key), id -> new ArrayList<>());
        }
        ShardTable after = before.with(change.shards(), change.goneShards());
        boolean keysByPosition = after.kind() instanceof Namespace.Kind.Fixed;
        changed.forEach((id, list) -> {
            add(keys.segment(namespace, id), Optional.of(StateCodec.encode(after.segment(id), keysByPosition)));
            shards.addAll(list);
            goneShards.addAll(removed.getOrDefault(id, List.of()));
        });
    }

    /** Adds a key; one operation stays free for the guard. */
    private void add(Bytes key, Optional<Bytes> value) {
        int size = key.length() + value.map(Bytes::length).orElse(0);
        if (!writes.isEmpty()
                && (writes.size() + 2 > settings.maxTxnOperations() || bytes + size > settings.maxRequestBytes())) {
            cut();
        }
        writes.put(key, value);
        bytes += size;
    }

    private void cut() {
        if (writes.isEmpty()) {
            return;
        }
        chunks.add(new Chunk(new Change(executors, goneExecutors, shards, goneShards, drains), writes));
        writes = new TreeMap<>();
        executors = new TreeMap<>();
        goneExecutors = new TreeSet<>();
        shards = new ArrayList<>();
        goneShards = new TreeSet<>();
        drains = Optional.empty();
        bytes = 0;
    }
}
