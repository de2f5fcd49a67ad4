package io.shardwright.client.lease;

/** Why a shard is stopped. */
public enum ShardStop {
    /** The shard manager took the shard away, to give it to another executor or to nobody. */
    REASSIGNED,
    /** The shard was granted again at another epoch; it starts anew at that one. */
    NEW_EPOCH,
    /**
     * The lease ended without an answer of the shard manager. The shard may already run elsewhere: do not write without
     * a fence.
     */
    LEASE_ENDED,
    /** Nobody asked for the shard in its idle time. */
    IDLE,
    /** The application closes its client. */
    CLOSING,
    /** Another process registered under this executor id. */
    ID_LOST
}
