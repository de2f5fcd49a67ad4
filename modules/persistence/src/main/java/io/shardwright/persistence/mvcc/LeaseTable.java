package io.shardwright.persistence.mvcc;

import io.shardwright.persistence.StoreLeases.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The leases of an embedded store and when they end. Times are monotonic nanoseconds, passed in.
 *
 * <p>A lease whose time is over still exists until it is revoked, as in etcd: its keys stay, but it can no longer be
 * renewed. Used by one thread at a time.
 */
final class LeaseTable {

    private final TreeMap<Long, Entry> leases = new TreeMap<>();
    private long lastId;

    /** Returns the id that the next grant takes; ids are never used twice. */
    long nextId() {
        return lastId + 1;
    }

    /** Adds a lease that starts now. */
    Lease grant(long id, long ttlSeconds, long now) {
        leases.put(id, new Entry(ttlSeconds, deadline(ttlSeconds, now)));
        lastId = Math.max(lastId, id);
        return new Lease(id, ttlSeconds, ttlSeconds);
    }

    /** Says which id was taken last, where leases with higher ids than the present ones have ended. */
    void restoreLastId(long id) {
        lastId = Math.max(lastId, id);
    }

    boolean exists(long id) {
        return leases.containsKey(id);
    }

    boolean isOver(long id, long now) {
        Entry entry = leases.get(id);
        return entry != null && entry.deadline - now <= 0;
    }

    Optional<Lease> restart(long id, long now) {
        Entry entry = leases.get(id);
        if (entry == null) {
            return Optional.empty();
        }
        leases.put(id, new Entry(entry.ttlSeconds, deadline(entry.ttlSeconds, now)));
        return Optional.of(new Lease(id, entry.ttlSeconds, entry.ttlSeconds));
    }

    /** Starts every lease anew, those included whose time is over but that were not revoked yet. */
    void restartAll(long now) {
        leases.replaceAll((id, entry) -> new Entry(entry.ttlSeconds, deadline(entry.ttlSeconds, now)));
    }

    Optional<Lease> read(long id, long now) {
        Entry entry = leases.get(id);
        if (entry == null) {
            return Optional.empty();
        }
        long left = Math.max(0, entry.deadline - now);
        long second = Duration.ofSeconds(1).toNanos();
        return Optional.of(new Lease(id, (left + second - 1) / second, entry.ttlSeconds));
    }

    void remove(long id) {
        leases.remove(id);
    }

    /** Returns the leases whose time is over, by id. */
    List<Long> over(long now) {
        List<Long> over = new ArrayList<>();
        leases.forEach((id, entry) -> {
            if (entry.deadline - now <= 0) {
                over.add(id);
            }
        });
        return over;
    }

    boolean isEmpty() {
        return leases.isEmpty();
    }

    private static long deadline(long ttlSeconds, long now) {
        return now + Duration.ofSeconds(ttlSeconds).toNanos();
    }

    private record Entry(long ttlSeconds, long deadline) {}
}
