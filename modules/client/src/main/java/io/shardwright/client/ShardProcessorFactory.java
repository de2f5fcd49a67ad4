package io.shardwright.client;

/**
 * Makes a processor for a shard. Called on a virtual thread before each start; may be called by several threads at a
 * time.
 */
@FunctionalInterface
public interface ShardProcessorFactory {

    /** Returns a new processor for the shard. */
    ShardProcessor create(String shardKey);
}
