package io.shardwright.persistence;

import io.shardwright.domain.Outcome;
import java.util.function.Consumer;

/** Leases of a store: keys that hang on a lease are deleted when it ends, all in one revision. */
public interface StoreLeases {

    /**
     * Grants a lease.
     *
     * @param ttlSeconds at least 1; the store may grant more than was asked for
     */
    void grant(long ttlSeconds, Consumer<Outcome<Lease>> answer);

    /** Restarts a lease. {@code NOT_FOUND} when it has ended. */
    void keepAlive(long leaseId, Consumer<Outcome<Lease>> answer);

    /** Ends a lease and deletes its keys. {@code NOT_FOUND} when it has ended. Answers with the store revision. */
    void revoke(long leaseId, Consumer<Outcome<Long>> answer);

    /** Reads what is left of a lease. {@code NOT_FOUND} when it has ended. */
    void timeToLive(long leaseId, Consumer<Outcome<Lease>> answer);

    /**
     * A lease of the store.
     *
     * @param id not zero
     * @param ttlSeconds what is left, rounded up to whole seconds
     * @param grantedTtlSeconds the length that was granted
     */
    record Lease(long id, long ttlSeconds, long grantedTtlSeconds) {}
}
