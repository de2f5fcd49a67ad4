package io.shardwright.server.http;

import java.util.Optional;
import java.util.function.Consumer;

/**
 * What happens in the shard manager, as JSON for the dashboard. Thread-safe.
 *
 * <p>A browser subscribes first and takes the snapshot then, so it may see an event that the snapshot contains already;
 * it never misses one.
 */
public interface LiveFeed {
    /**
     * Calls the listener for each event from now on, with one JSON document in one line. The listener returns at once
     * and never throws; it may be called from any thread.
     */
    Subscription subscribe(Consumer<String> listener);

    /** The whole state now, as one JSON document in one line. */
    String snapshotJson();

    /**
     * What is known of one shard, with the reason why it is where it is, as one JSON document; empty when there is no
     * such namespace or shard.
     */
    default Optional<String> shardJson(String namespace, String shardKey) {
        return Optional.empty();
    }

    /** An open subscription. */
    @FunctionalInterface
    interface Subscription {
        /**
         * Ends it. The listener may still be called once by a thread that was on its way. Repeating the call does
         * nothing.
         */
        void cancel();
    }

    /** A feed in which nothing ever happens. */
    static LiveFeed silent() {
        return new LiveFeed() {
            @Override
            public Subscription subscribe(Consumer<String> listener) {
                return () -> {};
            }

            @Override
            public String snapshotJson() {
                return "{}";
            }
        };
    }
}
