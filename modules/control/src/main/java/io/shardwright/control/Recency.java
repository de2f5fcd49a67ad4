package io.shardwright.control;

import java.util.function.LongPredicate;

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

    /**
     * Returns whether a read of the newest state that is sent now shows the present, for when its revision is known.
     * What is heard while it is under way does not count: a store that is written to all the time would have to answer
     * faster than it tells of changes.
     */
    LongPredicate asked() {
        long known = newest;
        return revision -> isPresent(revision, known);
    }

    private boolean isPresent(long revision, long known) {
        if (revision >= known) {
            older = 0;
            heard(revision);
            return true;
        }
        if (++older < OLDER_IN_A_ROW) {
            return false;
        }
        older = 0;
        newest = revision;
        return true;
    }
}
