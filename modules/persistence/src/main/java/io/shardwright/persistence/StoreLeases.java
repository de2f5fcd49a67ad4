package io.shardwright.persistence;

import io.shardwright.domain.Outcome;
import io.shardwright.domain.Outcome.Fault;
import java.util.Optional;
import java.util.function.Consumer;

/** Leases of a store: keys that hang on a lease are deleted when it ends, all in one revision. */
public interface StoreLeases {

    /** Longest lease that can be asked for; etcd's own bound. */
    long MAX_TTL_SECONDS = 9_000_000_000L;

    /**
     * Grants a lease.
     *
     * @param ttlSeconds from 1 to {@link #MAX_TTL_SECONDS}; the store may grant more than was asked for
     */
    void grant(long ttlSeconds, Consumer<Outcome<Lease>> answer);

    /** Restarts a lease. {@code NOT_FOUND} when it has ended. */
    void keepAlive(long leaseId, Consumer<Outcome<Lease>> answer);

    /** Ends a lease and deletes its keys. {@code NOT_FOUND} when it has ended. Answers with the store revision. */
    void revoke(long leaseId, Consumer<Outcome<Long>> answer);

    /** Reads what is left of a lease, and who told it. {@code NOT_FOUND} when it has ended. */
    void timeToLive(long leaseId, Consumer<Outcome<Lease>> answer);

    /** Returns what is wrong with a length that a lease is asked for, if anything. */
    static Optional<Fault> check(long ttlSeconds) {
        return ttlSeconds >= 1 && ttlSeconds <= MAX_TTL_SECONDS
                ? Optional.empty()
                : Optional.of(new Fault(
                        Fault.Kind.INVALID,
                        "lease of " + ttlSeconds + " s: a lease is from 1 to " + MAX_TTL_SECONDS + " s long"));
    }

    /**
     * A lease of the store.
     *
     * @param id not zero
     * @param ttlSeconds what is left, in whole seconds; some stores round up and some down
     * @param grantedTtlSeconds the length that was granted
     * @param leaderTerm another number after the store changed its own leader, which gives each lease its time anew; 0
     *     where the store has no leader or the call does not tell
     */
    record Lease(long id, long ttlSeconds, long grantedTtlSeconds, long leaderTerm) {

        /** A lease of a store that tells nothing of its leader. */
        public Lease(long id, long ttlSeconds, long grantedTtlSeconds) {
            this(id, ttlSeconds, grantedTtlSeconds, 0);
        }
    }
}
