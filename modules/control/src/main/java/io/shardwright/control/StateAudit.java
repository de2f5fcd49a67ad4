package io.shardwright.control;

import io.shardwright.domain.Outcome;
import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.KeyRange;
import io.shardwright.persistence.KeyValue;
import io.shardwright.persistence.RangeRequest;
import io.shardwright.persistence.RangeResponse;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.WatchBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Finds what a watch kept to itself: compares which revision wrote each key with what was heard of.
 *
 * <p>Watches of etcd have lost events (its issues tell of several releases that did), and nothing in the watch itself
 * shows it. But a watch tells in order: a change that it has not told of, although it told of a later one, was missed.
 * Where it told of nothing later, because it is slow, or was lost and opened again, or nothing happened since, the
 * change may be under way; a key that differs at two checks in a row, and of which nothing was heard between them, is
 * late. A check reads keys without values, O(keys).
 */
final class StateAudit {

    /** Keys of one read; without values, some 100 bytes each. */
    private static final int PAGE = 2_000;

    private static final long ABSENT = 0;

    private final Store store;
    private final KeyRange all;
    private final TreeMap<Bytes, Long> heard = new TreeMap<>();
    private final Recency recency;

    /** The keys that differed at the last check, and of which nothing as new as that check was heard since. */
    private TreeMap<Bytes, Awaited> suspected = new TreeMap<>();

    /** When, by revision, the keys were deleted that went since the last check began. */
    private final TreeMap<Bytes, Long> deleted = new TreeMap<>();

    private boolean checking;

    private final long readAt;

    /** Everything up to this revision was told of, or missed. */
    private long told;

    /**
     * What was not heard of.
     *
     * @param revision of the change; where the key is gone, one that is not older
     * @param gone whether the key was deleted
     */
    private record Awaited(long revision, boolean gone) {}

    /** What a check found. */
    sealed interface Finding {

        /**
         * Nothing that is wrong.
         *
         * @param allHeard whether everything was heard of; otherwise the newest changes may be under way
         */
        record Nothing(boolean allHeard) implements Finding {}

        /** The watch has not come to a change of this key yet. */
        record Late(Bytes key) implements Finding {}

        /** The watch kept a change of this key to itself. */
        record Missed(Bytes key) implements Finding {}
    }

    /**
     * @param read the keys of the first reading with the revisions that wrote them
     * @param revision of that reading
     */
    StateAudit(Store store, KeyRange all, Recency recency, TreeMap<Bytes, Long> read, long revision) {
        this.store = store;
        this.all = all;
        this.recency = recency;
        this.heard.putAll(read);
        this.told = revision;
        this.readAt = revision;
    }

    void heard(WatchBatch batch) {
        told = Math.max(told, batch.revision());
        for (WatchBatch.Event event : batch.events()) {
            switch (event) {
                case WatchBatch.Event.Put(KeyValue kv) -> {
                    heard.put(kv.key(), kv.modRevision());
                    heardOf(kv.key(), kv.modRevision(), false);
                }
                case WatchBatch.Event.Delete(Bytes key, long revision) -> {
                    heard.remove(key);
                    deleted.put(key, revision);
                    heardOf(key, revision, true);
                }
            }
        }
    }

    private void heardOf(Bytes key, long revision, boolean deletion) {
        Awaited awaited = suspected.get(key);
        if (awaited != null && (revision >= awaited.revision() || (deletion && awaited.gone()))) {
            suspected.remove(key);
        }
    }

    /**
     * Reads all keys, and names one whose change was not heard of if there is one. Says nothing where it was not
     * answered with the present, or while an earlier check is under way.
     */
    void check(Consumer<Finding> found) {
        if (!checking) {
            checking = true;
            deleted.clear();
            Pages.read(store, new RangeRequest(all, 0, PAGE, true), recency.asked(), outcome -> {
                checking = false;
                // Otherwise the next check tells; whether the store is heard of at all is watched elsewhere.
                if (outcome instanceof Outcome.Success<RangeResponse>(RangeResponse whole)) {
                    found.accept(compare(whole));
                }
            });
        }
    }

    private Finding compare(RangeResponse whole) {
        TreeMap<Bytes, Long> stored = new TreeMap<>();
        whole.kvs().forEach(kv -> stored.put(kv.key(), kv.modRevision()));
        TreeMap<Bytes, Awaited> before = suspected;
        suspected = new TreeMap<>();
        TreeSet<Bytes> keys = new TreeSet<>(stored.keySet());
        keys.addAll(heard.keySet());
        List<Bytes> unheard = new ArrayList<>();
        for (Bytes key : keys) {
            long written = stored.getOrDefault(key, ABSENT);
            long known = heard.getOrDefault(key, ABSENT);
            boolean strange = known == ABSENT && written <= readAt; // only a newer version knows what it is
            if (written == known || strange || Math.max(known, deleted.getOrDefault(key, ABSENT)) > whole.revision()) {
                continue; // the latter changed after the reading
            }
            long awaited = written == ABSENT ? whole.revision() : written; // nobody says when it was deleted
            if (awaited <= told) {
                return new Finding.Missed(key);
            }
            if (before.containsKey(key)) {
                unheard.add(key);
            }
            suspected.put(key, new Awaited(awaited, written == ABSENT));
        }
        return unheard.isEmpty() ? new Finding.Nothing(suspected.isEmpty()) : new Finding.Late(unheard.getFirst());
    }
}
