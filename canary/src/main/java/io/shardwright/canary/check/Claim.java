package io.shardwright.canary.check;

/**
 * An answer "I own the shard at this epoch".
 *
 * <p>It was true at some moment between {@code from} and {@code until}; nobody knows at which.
 *
 * @param shard namespace and shard key
 * @param executor id of the executor that answered
 * @param process identity of its process
 * @param epoch ownership generation it named
 * @param from when it was asked, in nanoseconds of the asking process
 * @param until when the answer came, in nanoseconds of the asking process
 */
public record Claim(String shard, String executor, String process, long epoch, long from, long until) {
    /** Checks the order of the times. */
    public Claim {
        if (until < from) {
            throw new IllegalArgumentException("until: " + until + " is before from: " + from);
        }
    }
}
