package io.shardwright.client.lease;

import java.util.Optional;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * What other threads may know of the shards of this process: written by the event loop, read by any thread without a
 * lock.
 *
 * <p>Never iterated, so its order reaches no decision.
 */
public final class OwnershipTable {

    private final ConcurrentMap<String, Ownership> owned;

    /** @param owned an empty map that only this table will use; in production a hash map, for its reads */
    public OwnershipTable(ConcurrentMap<String, Ownership> owned) {
        this.owned = owned;
    }

    /**
     * Says whether this process may run the shard at this epoch at this moment, and notes that somebody asked.
     *
     * @param now a reading of the monotonic clock
     */
    public boolean isOwned(String shardKey, long epoch, long now) {
        @Nullable Ownership ownership = owned.get(shardKey);
        if (ownership == null || ownership.epoch() != epoch || !ownership.isOwned(now)) {
            return false;
        }
        ownership.touch(now);
        return true;
    }

    /** Returns the right to a shard if it stands at this moment, and notes that somebody asked. */
    public Optional<Ownership> find(String shardKey, long now) {
        @Nullable Ownership ownership = owned.get(shardKey);
        if (ownership == null || !ownership.isOwned(now)) {
            return Optional.empty();
        }
        ownership.touch(now);
        return Optional.of(ownership);
    }

    void publish(Ownership ownership) {
        owned.put(ownership.shardKey(), ownership);
    }

    void withdraw(Ownership ownership) {
        ownership.revoke();
        owned.remove(ownership.shardKey(), ownership);
    }
}
