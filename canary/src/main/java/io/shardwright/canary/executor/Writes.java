package io.shardwright.canary.executor;

import io.shardwright.client.ShardContext;

/** What a shard does besides answering pings: it writes, or it does not. */
interface Writes extends AutoCloseable {

    /** Writes nothing. */
    Writes NONE = new Writes() {
        @Override
        public void begin(ShardContext shard) {}

        @Override
        public void end(ShardContext shard) {}
    };

    /** Begins to write for a shard that starts; throws when it may not. */
    void begin(ShardContext shard) throws Exception;

    /** Writes no longer for a shard that was stopped. */
    void end(ShardContext shard);

    @Override
    default void close() {}
}
