package io.shardwright.persistence;

/**
 * A key with its value and its history.
 *
 * @param createRevision revision that created the key
 * @param modRevision revision that wrote it last
 * @param version writes since the creation, 1 for the creation itself
 * @param leaseId lease that it hangs on; 0: none
 */
public record KeyValue(Bytes key, Bytes value, long createRevision, long modRevision, long version, long leaseId) {}
