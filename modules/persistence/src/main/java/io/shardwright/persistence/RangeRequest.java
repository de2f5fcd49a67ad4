package io.shardwright.persistence;

/**
 * A read of keys in ascending order.
 *
 * @param range which keys
 * @param revision at which revision; 0: the newest
 * @param limit at most so many keys; 0: all
 * @param keysOnly leave the values out
 */
public record RangeRequest(KeyRange range, long revision, int limit, boolean keysOnly) {

    public RangeRequest {
        if (revision < 0 || limit < 0) {
            throw new IllegalArgumentException(
                    "revision=" + revision + " and limit=" + limit + " must not be negative");
        }
    }

    /** Returns a read of the newest revision. */
    public static RangeRequest of(KeyRange range) {
        return new RangeRequest(range, 0, 0, false);
    }

    /** Returns this read at a revision. */
    public RangeRequest at(long revision) {
        return new RangeRequest(range, revision, limit, keysOnly);
    }

    /** Returns this read with a limit. */
    public RangeRequest limit(int limit) {
        return new RangeRequest(range, revision, limit, keysOnly);
    }
}
