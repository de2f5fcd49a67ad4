package io.shardwright.persistence.mvcc;

import io.shardwright.persistence.KeyValue;
import io.shardwright.persistence.WatchBatch.Event;
import java.util.List;

/**
 * The changes of one revision, in the order of their operations; what a journal writes and a watch delivers.
 *
 * @param revision of the store after the changes
 * @param events at least one; each key at most once
 */
public record Commit(long revision, List<Event> events) {

    /** Bytes that one version costs beside its key and value; measured roughly: record, two lists, a map entry. */
    private static final int VERSION_OVERHEAD = 160;

    public Commit {
        events = List.copyOf(events);
    }

    /** Returns about how much memory the versions of this commit take. */
    public long bytes() {
        long bytes = 0;
        for (Event event : events) {
            bytes += VERSION_OVERHEAD;
            bytes += switch (event) {
                case Event.Put(KeyValue kv) -> kv.key().length() + kv.value().length();
                case Event.Delete delete -> delete.key().length();
            };
        }
        return bytes;
    }
}
