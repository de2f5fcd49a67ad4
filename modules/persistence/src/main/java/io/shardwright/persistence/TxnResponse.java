package io.shardwright.persistence;

import java.util.List;

/**
 * What a transaction did.
 *
 * @param succeeded whether all compares held
 * @param revision newest store revision after it; its own, if it wrote
 * @param results one for each operation of the branch that ran, in order
 */
public record TxnResponse(boolean succeeded, long revision, List<OpResult> results) {

    public TxnResponse {
        results = List.copyOf(results);
    }

    /** Result of one operation. */
    public sealed interface OpResult {

        /** A key was written. */
        record Put() implements OpResult {}

        /** So many keys were deleted. */
        record Deleted(long count) implements OpResult {}

        /** Keys were read. */
        record Ranged(RangeResponse response) implements OpResult {}
    }
}
