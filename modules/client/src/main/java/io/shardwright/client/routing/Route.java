package io.shardwright.client.routing;

/**
 * Where one shard is.
 *
 * @param shardKey name of the shard
 * @param epoch ownership generation; pass it on with requests if the owner is to refuse what was routed for an earlier
 *     one
 * @param executor the owner
 */
public record Route(String shardKey, long epoch, Executor executor) {}
