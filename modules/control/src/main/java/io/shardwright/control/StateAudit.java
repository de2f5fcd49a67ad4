package io.shardwright.control;

import io.shardwright.domain.Outcome;
import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.KeyRange;
import io.shardwright.persistence.KeyValue;
import io.shardwright.persistence.RangeRequest;
import io.shardwright.persistence.RangeResponse;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.WatchBatch;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Finds what a watch kept to itself: compares which revision wrote each key with what was heard of.
 *
 * <p>Watches of etcd have lost events (its issues tell of several releases that did), and nothing in the watch itself
 * shows it. One difference alone proves nothing, because the event may be under way; the same difference at two checks
 * in a row is a change that was missed. A check reads keys without values, O(keys).
 */
final class StateAudit {

    /** Keys of one read; without values, some 100 bytes each. */
    private static final int PAGE = 2_000;

    private final Store store;
    private final KeyRange all;
    private final TreeMap<Bytes, Long> heard = new TreeMap<>();
    private TreeMap<Bytes, Difference> suspected = new TreeMap<>();
    private boolean checking;

    /** Revisions that wrote a key; 0: it is absent. */
    private record Difference(long stored, long heard) {}

    /** @param read the keys of the first reading with the revisions that wrote them */
    StateAudit(Store store, KeyRange all, TreeMap<Bytes, Long> read) {
        this.store = store;
        this.all = all;
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

    /** Reads all keys, and names one whose change was missed if there is one. A check under way is not overtaken. */
    void check(Consumer<Bytes> missed) {
        if (!checking) {
            checking = true;
            page(all, 0, new TreeMap<>(), missed);
        }
    }

    private void page(KeyRange range, long revision, TreeMap<Bytes, Long> stored, Consumer<Bytes> missed) {
        store.range(new RangeRequest(range, revision, PAGE, true), outcome -> {
            if (!(outcome instanceof Outcome.Success<RangeResponse>(RangeResponse response))) {
                checking = false; // whether the store is heard of is watched elsewhere
                return;
            }
            response.kvs().forEach(kv -> stored.put(kv.key(), kv.modRevision()));
            if (response.more()) {
                page(
                        new KeyRange(Keys.after(stored.lastKey()), range.end()),
                        revision == 0 ? response.revision() : revision,
                        stored,
                        missed);
            } else {
                checking = false;
                compare(stored, missed);
            }
        });
    }

    private void compare(TreeMap<Bytes, Long> stored, Consumer<Bytes> missed) {
        TreeMap<Bytes, Difference> before = suspected;
        suspected = new TreeMap<>();
        TreeSet<Bytes> keys = new TreeSet<>(stored.keySet());
        keys.addAll(heard.keySet());
        for (Bytes key : keys) {
            Difference difference = new Difference(stored.getOrDefault(key, 0L), heard.getOrDefault(key, 0L));
            if (difference.stored() != difference.heard()) {
                suspected.put(key, difference);
            }
        }
        suspected.entrySet().stream()
                .filter(now -> now.getValue().equals(before.get(now.getKey())))
                .findFirst()
                .ifPresent(now -> missed.accept(now.getKey()));
    }
}
