package io.shardwright.persistence;

import java.util.List;

/**
 * Keys that a read found.
 *
 * @param revision newest store revision when the read ran (inside a transaction that wrote: the revision of that
 *     transaction)
 * @param kvs ascending by key
 * @param more whether the limit left keys out
 * @param count keys in the range, whatever the limit
 */
public record RangeResponse(long revision, List<KeyValue> kvs, boolean more, long count) {

    public RangeResponse {
        kvs = List.copyOf(kvs);
    }
}
