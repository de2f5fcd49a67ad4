package io.shardwright.election;

import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.Txn;

/**
 * One stretch of leadership: the election key, as it was created when this replica won.
 *
 * @param key election key
 * @param createRevision revision that created it
 */
public record Term(Bytes key, long createRevision) {

    /**
     * Returns the condition that goes into every state transaction of a leader: my election key still is the one I won
     * with (R181).
     */
    public Txn.Compare guard() {
        return Txn.Compare.createRevision(key, createRevision);
    }
}
