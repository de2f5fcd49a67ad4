package io.shardwright.election;

import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.Txn;

/**
 * One stretch of leadership: the election key, as it was created when this replica won.
 *
 * @param key election key
 * @param createRevision revision that created it
 * @param since revision at which the election was certain: whatever earlier leaders wrote was written before it, so a
 *     state that is older must not be led from
 * @param belief how long leadership is certain without a word from the store
 */
public record Term(Bytes key, long createRevision, long since, Belief belief) {

    /**
     * Returns the condition that goes into every state transaction of a leader: my election key still is the one I won
     * with (R181).
     */
    public Txn.Compare guard() {
        return Txn.Compare.createRevision(key, createRevision);
    }

    /**
     * Tells whether the leader may decide, confirm a lease or answer for the stored state at a moment of its own
     * monotonic clock (R179). False once means false for ever. Safe for any thread.
     */
    public boolean believes(long now) {
        return belief.holds(now);
    }
}
