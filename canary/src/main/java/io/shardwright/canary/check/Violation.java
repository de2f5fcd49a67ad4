package io.shardwright.canary.check;

/**
 * A broken promise, with its proof.
 *
 * @param kind what was broken
 * @param shard namespace and shard key
 * @param proof one sentence
 */
public record Violation(Kind kind, String shard, String proof) {
    /** What was broken. */
    public enum Kind {
        /** Two processes owned one shard at one moment, or were given the same epoch of it. */
        DOUBLE_OWNER,
        /** A shard was owned at an epoch after it had been owned at a higher one. */
        EPOCH_FALL
    }
}
