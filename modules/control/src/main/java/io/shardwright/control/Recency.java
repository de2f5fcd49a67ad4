package io.shardwright.control;

/**
 * Tells reads that show the past from others: the revision of a store only grows, unless it was wiped or restored. Not
 * thread-safe.
 */
final class Recency {

    /**
     * A member that answers from its past stops doing so, or another one is asked; a store that was restored remains.
     */
    private static final int OLDER_IN_A_ROW = 6;

    private long newest;
    private int older;

    /** The store told of a revision. */
    void heard(long revision) {
        newest = Math.max(newest, revision);
    }

    /** Returns whether a read of the newest state at this revision shows the present. */
    boolean isPresent(long revision) {
        if (revision < newest && ++older < OLDER_IN_A_ROW) {
            return false;
        }
        newest = revision;
        older = 0;
        return true;
    }
}
