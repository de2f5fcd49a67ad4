package io.shardwright.sim.check;

import com.google.protobuf.InvalidProtocolBufferException;
import io.shardwright.control.stored.v1.StoredDrains;
import io.shardwright.control.stored.v1.StoredExecutor;
import io.shardwright.control.stored.v1.StoredSegment;
import io.shardwright.control.stored.v1.StoredShard;
import io.shardwright.persistence.WatchBatch.Event;
import io.shardwright.persistence.mvcc.Commit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Everything that was ever stored, read from the stored bytes by the simulator itself. */
public final class Ledger {

    /** Shards of a fixed namespace that one segment stores; the ledger's own knowledge, so that a wrong one shows. */
    static final int SEGMENT_SHARDS = 256;

    private final String prefix;
    private final TreeMap<String, Stored.Ownership> shards = new TreeMap<>();
    private final TreeMap<String, StoredExecutor> executors = new TreeMap<>();
    private final TreeSet<DrainTarget> drains = new TreeSet<>();
    private final LinkedHashMap<String, LinkedHashMap<Long, TreeSet<String>>> everOwned = new LinkedHashMap<>();
    private final LinkedHashMap<String, TreeSet<String>> segmentKeys = new LinkedHashMap<>();
    private final TreeSet<Long> electionTimes = new TreeSet<>();
    /** Of each namespace, by time. */
    private final TreeMap<String, TreeMap<Long, Long>> shardRevisions = new TreeMap<>();

    /** Of each namespace, by revision. */
    private final TreeMap<String, TreeMap<Long, Long>> routes = new TreeMap<>();

    private final LinkedHashMap<String, Long> changedAt = new LinkedHashMap<>(); // by namespace and key
    private long revision;

    /** @param prefix of all keys of the shard manager */
    public Ledger(String prefix) {
        this.prefix = prefix;
    }

    /** Returns the newest revision. */
    public long revision() {
        return revision;
    }

    /** Returns the stored shards by {@code namespace/key}. */
    public SortedMap<String, Stored.Ownership> shards() {
        return shards;
    }

    /** Returns the stored executors by {@code namespace/id}. */
    public SortedMap<String, StoredExecutor> executors() {
        return executors;
    }

    /** Returns what is stored as drained. */
    public SortedSet<DrainTarget> drains() {
        return drains;
    }

    /** Says whether a shard is stored as drained. */
    public boolean shardDrained(String namespace, String key) {
        return drains.contains(new DrainTarget(DrainTarget.Kind.SHARD, namespace, key));
    }

    /** Says whether an executor is stored on a host that is drained. */
    public boolean onDrainedHost(String namespace, String executorId) {
        StoredExecutor executor = executors.get(namespace + "/" + executorId);
        return executor != null
                && drains.contains(new DrainTarget(DrainTarget.Kind.HOST, namespace, executor.getHost()));
    }

    /** Says whether it was ever stored that an executor has a shard at an epoch. */
    public boolean everOwned(String namespace, String key, long epoch, String owner) {
        return Optional.ofNullable(everOwned.get(namespace + "/" + key))
                .map(epochs -> epochs.get(epoch))
                .filter(owners -> owners.contains(owner))
                .isPresent();
    }

    /**
     * Returns the newest revision of a change of shards of a namespace that was stored at a time or before; 0: there
     * was none.
     */
    public long shardRevisionAt(String namespace, long time) {
        return Optional.ofNullable(shardRevisions.get(namespace))
                .map(revisions -> revisions.floorEntry(time))
                .map(Map.Entry::getValue)
                .orElse(0L);
    }

    /** Returns how many election entries came or went after a time. */
    public int electionChangesAfter(long time) {
        return electionTimes.tailSet(time, false).size();
    }

    /** Returns how many changes of shards of a namespace were stored after a time. */
    public int shardChangesAfter(String namespace, long time) {
        return Optional.ofNullable(shardRevisions.get(namespace))
                .map(revisions -> revisions.tailMap(time, false).size())
                .orElse(0);
    }

    /** Returns when a change of shards of a namespace was last stored; 0: never. */
    public long shardsChangedLast(String namespace) {
        return Optional.ofNullable(shardRevisions.get(namespace))
                .map(SortedMap::lastKey)
                .orElse(0L);
    }

    /** Returns the number of {@link Routes} for what a namespace was at a revision. */
    public long routesAt(String namespace, long atRevision) {
        return Optional.ofNullable(routes.get(namespace))
                .map(revisions -> revisions.floorEntry(atRevision))
                .map(Map.Entry::getValue)
                .orElse(0L);
    }

    /** Returns when a shard, by {@code namespace/key}, was last changed. */
    public long changedAt(String shard) {
        return changedAt.getOrDefault(shard, 0L);
    }

    /**
     * Takes a revision in and says what it means.
     *
     * @param now when it was stored
     */
    public List<Stored> take(Commit commit, long now) {
        revision = commit.revision();
        List<Stored> changes = new ArrayList<>();
        for (Event event : commit.events()) {
            String key = event.key().toUtf8();
            if (!key.startsWith(prefix)) {
                continue;
            }
            String[] path = key.substring(prefix.length()).split("/", -1);
            Optional<byte[]> value =
                    event instanceof Event.Put(var kv) ? Optional.of(kv.value().toByteArray()) : Optional.empty();
            try {
                if (path.length == 4 && path[0].equals("state") && path[1].equals("shards")) {
                    segment(path[2], Integer.parseInt(path[3]), value, changes);
                } else if (path.length == 4 && path[0].equals("state") && path[1].equals("executors")) {
                    executor(path[2], path[3], value, changes);
                } else if (path.length == 3 && path[0].equals("state") && path[1].equals("drains")) {
                    drains(path[2], value, changes);
                } else if (!path[0].equals("state")) {
                    String entry =
                            event instanceof Event.Put(var kv) ? kv.value().toUtf8() : "";
                    changes.add(new Stored.ElectionChanged(revision, key, entry));
                }
            } catch (InvalidProtocolBufferException e) {
                throw new IllegalStateException("a replica stored what nobody can read at " + key, e);
            }
        }
        for (Stored change : changes) {
            if (change instanceof Stored.ShardChanged shard) {
                shardRevisions
                        .computeIfAbsent(shard.namespace(), key -> new TreeMap<>())
                        .put(now, revision);
                changedAt.put(shard.namespace() + "/" + shard.key(), now);
                TreeMap<Long, Long> ofAll = routes.computeIfAbsent(shard.namespace(), key -> new TreeMap<>());
                long last = ofAll.isEmpty() ? 0 : ofAll.lastEntry().getValue();
                ofAll.put(revision, last ^ route(shard.key(), shard.before()) ^ route(shard.key(), shard.after()));
            }
        }
        if (changes.stream().anyMatch(Stored.ElectionChanged.class::isInstance)) {
            electionTimes.add(now);
        }
        return changes;
    }

    private static long route(String key, Optional<Stored.Ownership> shard) {
        return shard.filter(ownership -> !ownership.owner().isEmpty())
                .map(ownership -> Routes.of(key, ownership.epoch(), ownership.owner()))
                .orElse(0L);
    }

    private void executor(String namespace, String id, Optional<byte[]> value, List<Stored> changes)
            throws InvalidProtocolBufferException {
        String name = namespace + "/" + id;
        Optional<StoredExecutor> after = Optional.empty();
        if (value.isPresent()) {
            after = Optional.of(StoredExecutor.parseFrom(value.get()));
        }
        Optional<StoredExecutor> before = Optional.ofNullable(executors.get(name));
        after.ifPresentOrElse(record -> executors.put(name, record), () -> executors.remove(name));
        changes.add(new Stored.ExecutorChanged(revision, namespace, id, before, after));
    }

    private void drains(String namespace, Optional<byte[]> value, List<Stored> changes)
            throws InvalidProtocolBufferException {
        StoredDrains stored =
                value.isPresent() ? StoredDrains.parseFrom(value.get()) : StoredDrains.getDefaultInstance();
        TreeSet<DrainTarget> after = new TreeSet<>();
        stored.getShardsList()
                .forEach(shard -> after.add(new DrainTarget(DrainTarget.Kind.SHARD, namespace, shard.getName())));
        stored.getHostsList()
                .forEach(host -> after.add(new DrainTarget(DrainTarget.Kind.HOST, namespace, host.getName())));
        TreeSet<DrainTarget> before = new TreeSet<>(drains);
        before.removeIf(target -> !target.namespace().equals(namespace));
        drains.removeAll(before);
        drains.addAll(after);
        TreeSet<DrainTarget> either = new TreeSet<>(before);
        either.addAll(after);
        for (DrainTarget target : either) {
            if (before.contains(target) != after.contains(target)) {
                changes.add(new Stored.DrainChanged(revision, target, after.contains(target)));
            }
        }
    }

    private void segment(String namespace, int number, Optional<byte[]> value, List<Stored> changes)
            throws InvalidProtocolBufferException {
        StoredSegment segment =
                value.isPresent() ? StoredSegment.parseFrom(value.get()) : StoredSegment.getDefaultInstance();
        changes.add(new Stored.SegmentWritten(revision, namespace, number, segment.getShardsCount()));
        TreeSet<String> gone = segmentKeys.computeIfAbsent(namespace + "/" + number, key -> new TreeSet<>());
        TreeSet<String> present = new TreeSet<>();
        for (int i = 0; i < segment.getShardsCount(); i++) {
            StoredShard stored = segment.getShards(i);
            String key = stored.getKey().isEmpty() ? Integer.toString(number * SEGMENT_SHARDS + i) : stored.getKey();
            present.add(key);
            Stored.Ownership now = new Stored.Ownership(
                    stored.getEpoch(),
                    stored.getOwner() == 0 ? "" : segment.getExecutors(stored.getOwner() - 1),
                    stored.getReleasing(),
                    stored.getNext() == 0 ? "" : segment.getExecutors(stored.getNext() - 1));
            changed(namespace, key, Optional.of(now), changes);
        }
        gone.removeAll(present);
        for (String key : gone) {
            changed(namespace, key, Optional.empty(), changes);
        }
        segmentKeys.put(namespace + "/" + number, present);
    }

    private void changed(String namespace, String key, Optional<Stored.Ownership> now, List<Stored> changes) {
        String name = namespace + "/" + key;
        Optional<Stored.Ownership> before = Optional.ofNullable(shards.get(name));
        if (before.equals(now)) {
            return;
        }
        now.ifPresentOrElse(
                ownership -> {
                    shards.put(name, ownership);
                    if (!ownership.owner().isEmpty()) {
                        everOwned
                                .computeIfAbsent(name, k -> new LinkedHashMap<>())
                                .computeIfAbsent(ownership.epoch(), k -> new TreeSet<>())
                                .add(ownership.owner());
                    }
                },
                () -> shards.remove(name));
        changes.add(new Stored.ShardChanged(revision, namespace, key, before, now));
    }
}
