package io.shardwright.persistence;

import java.util.List;

/**
 * Changes of whole revisions, in order.
 *
 * @param revision newest revision of which everything was delivered
 * @param events changes in the order of their revisions
 */
public record WatchBatch(long revision, List<Event> events) {

    public WatchBatch {
        events = List.copyOf(events);
    }

    /** A change of one key. */
    public sealed interface Event {

        /** The key that changed. */
        Bytes key();

        /** The revision of the change. */
        long revision();

        /** The key was written. */
        record Put(KeyValue kv) implements Event {
            @Override
            public Bytes key() {
                return kv.key();
            }

            @Override
            public long revision() {
                return kv.modRevision();
            }
        }

        /** The key was deleted. */
        record Delete(Bytes key, long revision) implements Event {}
    }
}
