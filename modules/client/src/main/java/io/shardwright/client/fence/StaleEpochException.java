package io.shardwright.client.fence;

/**
 * A write or an opening was refused because a newer owner, or another one of the same epoch, is recorded. Nothing was
 * written.
 */
public final class StaleEpochException extends RuntimeException {

    private final String shardKey;
    private final long epoch;

    StaleEpochException(String shardKey, long epoch, String owner) {
        super("shard " + shardKey + ": epoch " + epoch + " of " + owner
                + " is refused, the shard has a newer owner; stop working on it");
        this.shardKey = shardKey;
        this.epoch = epoch;
    }

    /** Returns the shard. */
    public String shardKey() {
        return shardKey;
    }

    /** Returns the epoch that was refused. */
    public long epoch() {
        return epoch;
    }
}
