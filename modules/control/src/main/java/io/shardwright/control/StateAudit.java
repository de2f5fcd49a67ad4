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
 * shows it. One difference alone proves nothing, because the event may be under way; a key that differs at two checks
 * in a row, and of which nothing was heard between them, is a change that was not heard of. It was missed if the watch
 * has told of a revision as new as the first of these readings, since it tells in order; one that has not, because it
 * is slow or was lost and opened again, may only be late. A check reads keys without values, O(keys).
 */
final class StateAudit {

    /** Keys of one read; without values, some 100 bytes each. */
    private static final int PAGE = 2_000;

    private static final long ABSENT = 0;

    private final Store store;
    private final KeyRange all;
    private final TreeMap<Bytes, Long> heard = new TreeMap<>();
    private final Recency recency;

    /** The keys that differed at the last check. */
    private TreeMap<Bytes, Suspicion> suspected = new TreeMap<>();

    private boolean checking;

    /** Everything up to this revision was told of, or missed. */
    private long told;

    /**
     * A key that differs from what was heard.
     *
     * @param known the revision of what was heard
     * @param since the revision of the reading that first showed the difference
     */
    private record Suspicion(long known, long since) {}

    /** What a check found. */
    sealed interface Finding {

        /** Nothing that lasts. */
        record Nothing() implements Finding {}

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
    }

    void heard(WatchBatch batch) {
        told = Math.max(told, batch.revision());
        for (WatchBatch.Event event : batch.events()) {
            switch (event) {
                case WatchBatch.Event.Put(KeyValue kv) -> heard.put(kv.key(), kv.modRevision());
                case WatchBatch.Event.Delete(Bytes key, long revision) -> heard.remove(key);
            }
        }
    }

    /**
     * Reads all keys, and names one whose change was not heard of if there is one. Says nothing where it was not
     * answered with the present, or while an earlier check is under way.
     */
    void check(Consumer<Finding> found) {
        if (!checking) {
            checking = true;
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
        TreeMap<Bytes, Suspicion> before = suspected;
        suspected = new TreeMap<>();
        TreeSet<Bytes> keys = new TreeSet<>(stored.keySet());
        keys.addAll(heard.keySet());
        List<Bytes> unheard = new ArrayList<>();
        for (Bytes key : keys) {
            long known = heard.getOrDefault(key, ABSENT);
            if (stored.getOrDefault(key, ABSENT) == known) {
                continue;
            }
            Suspicion earlier = before.get(key);
            if (earlier == null || earlier.known() != known) {
                suspected.put(key, new Suspicion(known, whole.revision()));
            } else if (earlier.since() <= told) {
                return new Finding.Missed(key);
            } else {
                suspected.put(key, earlier);
                unheard.add(key);
            }
        }
        return unheard.isEmpty() ? new Finding.Nothing() : new Finding.Late(unheard.getFirst());
    }
}
