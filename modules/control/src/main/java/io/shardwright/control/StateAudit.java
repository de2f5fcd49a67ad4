package io.shardwright.control;

import io.shardwright.domain.Outcome;
import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.KeyRange;
import io.shardwright.persistence.KeyValue;
import io.shardwright.persistence.RangeRequest;
import io.shardwright.persistence.RangeResponse;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.WatchBatch;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Finds what a watch kept to itself: compares which revision wrote each key with what was heard of.
 *
 * <p>Watches of etcd have lost events (its issues tell of several releases that did), and nothing in the watch itself
 * shows it. One difference alone proves nothing, because the event may be under way; a key that differs at two checks
 * in a row, and of which nothing was heard between them, is a change that was not heard of. It was missed if one watch
 * was there all that time; a watch that was lost and opened again may only be late. A check reads keys without values,
 * O(keys).
 */
final class StateAudit {

    /** Keys of one read; without values, some 100 bytes each. */
    private static final int PAGE = 2_000;

    private static final long ABSENT = 0;

    private final Store store;
    private final KeyRange all;
    private final TreeMap<Bytes, Long> heard = new TreeMap<>();
    private final Recency recency;

    /** What was heard of the keys that differed at the last check. */
    private TreeMap<Bytes, Long> suspected = new TreeMap<>();

    private boolean checking;

    /** Whether the watch was opened or lost since the last check. */
    private boolean watchChanged;

    /** What a check found. */
    sealed interface Finding {

        /** Nothing that lasts. */
        record Nothing() implements Finding {}

        /** No watch was there to tell of this key all the time. */
        record Late(Bytes key) implements Finding {}

        /** The watch kept a change of this key to itself. */
        record Missed(Bytes key) implements Finding {}
    }

    /** @param read the keys of the first reading with the revisions that wrote them */
    StateAudit(Store store, KeyRange all, Recency recency, TreeMap<Bytes, Long> read) {
        this.store = store;
        this.all = all;
        this.recency = recency;
        this.heard.putAll(read);
    }

    void heard(WatchBatch batch) {
        for (WatchBatch.Event event : batch.events()) {
            switch (event) {
                case WatchBatch.Event.Put(KeyValue kv) -> heard.put(kv.key(), kv.modRevision());
                case WatchBatch.Event.Delete(Bytes key, long revision) -> heard.remove(key);
            }
        }
    }

    /** The watch was lost, or opened again. */
    void watchChanged() {
        watchChanged = true;
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
        TreeMap<Bytes, Long> before = suspected;
        suspected = new TreeMap<>();
        TreeSet<Bytes> keys = new TreeSet<>(stored.keySet());
        keys.addAll(heard.keySet());
        for (Bytes key : keys) {
            long known = heard.getOrDefault(key, ABSENT);
            if (stored.getOrDefault(key, ABSENT) != known) {
                suspected.put(key, known);
            }
        }
        boolean changed = watchChanged;
        watchChanged = false;
        return suspected.entrySet().stream()
                .filter(now -> now.getValue().equals(before.get(now.getKey())))
                .findFirst()
                .map(Map.Entry::getKey)
                .<Finding>map(key -> changed ? new Finding.Late(key) : new Finding.Missed(key))
                .orElseGet(Finding.Nothing::new);
    }
}
