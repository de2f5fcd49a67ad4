package io.shardwright.persistence;

/**
 * Which changes to stream.
 *
 * @param range which keys
 * @param fromRevision first revision of interest; 0: what comes after the watch was created. May lie in the future.
 */
public record WatchRequest(KeyRange range, long fromRevision) {}
