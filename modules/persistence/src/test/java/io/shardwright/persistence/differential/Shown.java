package io.shardwright.persistence.differential;

import io.shardwright.domain.Outcome;
import io.shardwright.domain.Outcome.Fault;
import io.shardwright.persistence.KeyValue;
import io.shardwright.persistence.RangeResponse;
import io.shardwright.persistence.StoreLeases.Lease;
import io.shardwright.persistence.TxnResponse;
import io.shardwright.persistence.TxnResponse.OpResult;
import io.shardwright.persistence.WatchBatch.Event;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Writes answers of one store so that they can be compared with those of another: revisions as offsets from the start
 * of the sequence, leases by the order of their grants, what is left of a lease as "about all of it".
 */
final class Shown {

    private static final long LEASE_PRECISION_SECONDS = 30;

    private final long base;
    private final Map<Long, String> leases = new ConcurrentHashMap<>();

    Shown(long base) {
        this.base = base;
    }

    long offset(long revision) {
        return revision - base;
    }

    void named(long leaseId) {
        leases.put(leaseId, "L" + (leases.size() + 1));
    }

    Iterable<Long> leaseIds() {
        return leases.keySet();
    }

    <T> String outcome(Outcome<T> outcome, Function<T, String> show) {
        return switch (outcome) {
            case Outcome.Success<T>(T value) -> show.apply(value);
            case Outcome.Failure<T>(Fault fault) -> "fails " + fault.kind();
            case Outcome.Unknown<T>(Fault fault) -> "unknown " + fault.kind();
        };
    }

    String range(RangeResponse response) {
        return "at %s %d of %d%s %s"
                .formatted(
                        revision(response.revision()),
                        response.kvs().size(),
                        response.count(),
                        response.more() ? " and more" : "",
                        response.kvs().stream().map(this::kv).toList());
    }

    String txn(TxnResponse response) {
        return (response.succeeded() ? "then" : "else") + " at " + revision(response.revision())
                + response.results().stream().map(this::result).collect(Collectors.joining(", ", " {", "}"));
    }

    private String result(OpResult result) {
        return switch (result) {
            case OpResult.Put() -> "put";
            case OpResult.Deleted(long count) -> "deleted " + count;
            case OpResult.Ranged(RangeResponse response) -> "read " + range(response);
        };
    }

    String lease(Lease lease) {
        long granted = lease.grantedTtlSeconds();
        boolean nearlyWhole = lease.ttlSeconds() <= granted && lease.ttlSeconds() > granted - LEASE_PRECISION_SECONDS;
        return lease(lease.id()) + " of " + granted + " s, left "
                + (nearlyWhole ? "about all" : lease.ttlSeconds() + " s");
    }

    String event(Event event) {
        return switch (event) {
            case Event.Put(KeyValue kv) -> "put " + kv(kv);
            case Event.Delete deleted -> "delete " + deleted.key() + " at " + revision(deleted.revision());
        };
    }

    String revision(long revision) {
        return "%+d".formatted(offset(revision));
    }

    private String kv(KeyValue kv) {
        return kv.key() + "=" + kv.value() + "(created " + revision(kv.createRevision()) + " written "
                + revision(kv.modRevision()) + " version " + kv.version()
                + (kv.leaseId() == 0 ? "" : " " + lease(kv.leaseId())) + ")";
    }

    private String lease(long id) {
        return leases.getOrDefault(id, "L?");
    }
}
