package io.shardwright.control;

import io.shardwright.domain.Executor;
import io.shardwright.domain.ExecutorId;
import io.shardwright.domain.Shard;
import io.shardwright.domain.ShardKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the leader knows of one executor beside its stored record: its lease, what it may run, what it still has to let
 * go, and what it reported. Lives for one term; used on the event loop only.
 *
 * <p>The rule it keeps (section 5 of the architecture): a shard that is taken from the executor is held for it until
 * {@link #leaseEnd} as it was when the executor's set last listed the shard, because every answer that listed it was
 * given at or before the renewal that this moment counts from.
 */
final class ExecutorSession {

    /** A shard that the executor may run: its set. */
    static final class Held {
        private final long epoch;
        private double load = Claim.NOT_MEASURED;
        private Claim.Activity activity = Claim.Activity.STARTING;
        private long seenIn;

        private Held(long epoch) {
            this.epoch = epoch;
        }

        long epoch() {
            return epoch;
        }

        Claim.Activity activity() {
            return activity;
        }

        OptionalDouble load() {
            return Double.isNaN(load) ? OptionalDouble.empty() : OptionalDouble.of(load);
        }
    }

    /**
     * A shard that the executor was asked to let go: it may run it until {@code until}, in the leader's nanoseconds.
     */
    record Hold(long epoch, long until, OptionalDouble load) {}

    /** Somebody else who wants the id. */
    record Successor(String processId, long lastAskedAt) {}

    private final ExecutorId id;
    private final String processId;
    private final LinkedHashMap<ShardKey, Held> listed = new LinkedHashMap<>();
    private final TreeMap<ShardKey, Hold> holds = new TreeMap<>();
    private final TreeMap<ShardKey, Long> released = new TreeMap<>();
    private final TreeSet<ShardKey> idle = new TreeSet<>();
    private Optional<AssignmentListener> stream = Optional.empty();
    private Optional<Successor> successor = Optional.empty();
    private boolean lost;
    private long leaseEnd;
    private long renewedAt;
    private long sequence;
    private long renewalCount;

    ExecutorSession(Executor executor, long now, Duration lease) {
        this.id = executor.id();
        this.processId = executor.processId();
        renew(now, lease);
    }

    ExecutorId id() {
        return id;
    }

    String processId() {
        return processId;
    }

    /** Restarts the lease; an earlier promise is never shortened. */
    void renew(long now, Duration lease) {
        renewedAt = now;
        extend(now + lease.toNanos());
    }

    /** Moves the lease end to {@code until} if that is later. */
    void extend(long until) {
        if (until - leaseEnd > 0 || renewalCount == 0) {
            leaseEnd = until;
        }
        renewalCount++;
    }

    /** The moment from which the executor is lost. */
    long leaseEnd() {
        return leaseEnd;
    }

    long renewedAt() {
        return renewedAt;
    }

    /** Takes a renewal's sequence; false when it was seen already (a late or repeated renewal). */
    boolean advance(long next) {
        if (next <= sequence) {
            return false;
        }
        sequence = next;
        return true;
    }

    /** A decision that takes everything from this executor is being written: nothing is promised to it any more. */
    void markLost(boolean value) {
        lost = value;
    }

    boolean lost() {
        return lost;
    }

    void wantedBy(Successor other) {
        successor = Optional.of(other);
    }

    Optional<Successor> successor() {
        return successor;
    }

    Optional<AssignmentListener> stream() {
        return stream;
    }

    void stream(Optional<AssignmentListener> listener) {
        stream = listener;
    }

    /**
     * Follows a stored change of one shard; true when the executor's set changed.
     *
     * @param load what was last known of the shard's load; it counts until this executor reports its own
     */
    boolean follow(Shard shard, OptionalDouble load) {
        ShardKey key = shard.key();
        return switch (shard.state()) {
            case Shard.State.Assigned(ExecutorId owner) when owner.equals(id) -> list(key, shard.epoch(), load);
            case Shard.State.Releasing(ExecutorId owner, Optional<ExecutorId> next)
            when owner.equals(id) -> hold(key, shard.epoch());
            case Shard.State.Assigned assigned -> forget(key);
            case Shard.State.Releasing releasing -> forget(key);
            case Shard.State.Unassigned unassigned -> forget(key);
        };
    }

    private boolean list(ShardKey key, long epoch, OptionalDouble load) {
        holds.remove(key);
        released.remove(key);
        idle.remove(key);
        Held before = listed.get(key);
        if (before != null && before.epoch == epoch) {
            return false;
        }
        Held now = new Held(epoch);
        now.load = load.orElse(Claim.NOT_MEASURED);
        listed.put(key, now);
        return true;
    }

    private boolean hold(ShardKey key, long epoch) {
        Held before = listed.remove(key);
        if (holds.containsKey(key) && holds.get(key).epoch() == epoch) {
            return false;
        }
        holds.put(key, new Hold(epoch, leaseEnd, before == null ? OptionalDouble.empty() : before.load()));
        return before != null;
    }

    /** The shard is no longer this executor's; true when its set changed. */
    boolean forget(ShardKey key) {
        holds.remove(key);
        released.remove(key);
        idle.remove(key);
        return listed.remove(key) != null;
    }

    /**
     * Takes the claims of a renewal or registration; true when they are exactly the executor's set.
     *
     * @param mayBeIdle whether an idle shard is to be forgotten (ephemeral namespaces)
     */
    boolean report(List<Claim> claims, boolean mayBeIdle) {
        renewalCount++;
        int matched = 0;
        for (Claim claim : claims) {
            Held held = listed.get(claim.key());
            if (held == null || held.epoch != claim.epoch()) {
                continue;
            }
            if (claim.activity() == Claim.Activity.IDLE && mayBeIdle) {
                listed.remove(claim.key());
                idle.add(claim.key());
                continue;
            }
            if (held.seenIn != renewalCount) {
                held.seenIn = renewalCount;
                matched++;
            }
            held.load = claim.load();
            held.activity = claim.activity();
        }
        return matched == listed.size() && matched == claims.size();
    }

    /** Takes a release; false when the executor does not hold the shard at that epoch. */
    boolean release(ShardKey key, long epoch) {
        Held held = listed.get(key);
        Hold hold = holds.get(key);
        if (hold != null && hold.epoch() == epoch) {
            released.put(key, epoch);
            return true;
        }
        if (held != null && held.epoch == epoch) {
            listed.remove(key);
            released.put(key, epoch);
            return true;
        }
        return released.getOrDefault(key, -1L) == epoch;
    }

    /** Shards that may get another owner: released ones, and those whose last listing has run out. */
    void collectFreed(long now, TreeSet<ShardKey> into) {
        into.addAll(released.keySet());
        holds.forEach((key, hold) -> {
            if (now - hold.until() >= 0) {
                into.add(key);
            }
        });
    }

    /** Shards that the executor stopped for want of use. */
    TreeSet<ShardKey> idle() {
        return idle;
    }

    /** The next moment at which {@link #collectFreed} finds more by itself. */
    Optional<Long> nextHoldEnd() {
        Optional<Long> next = Optional.empty();
        for (Map.Entry<ShardKey, Hold> hold : holds.entrySet()) {
            long until = hold.getValue().until();
            if (!released.containsKey(hold.getKey()) && (next.isEmpty() || until - next.get() < 0)) {
                next = Optional.of(until);
            }
        }
        return next;
    }

    /** What a load report said of a shard that this executor runs or lets go. */
    OptionalDouble load(ShardKey key) {
        Held held = listed.get(key);
        if (held != null) {
            return held.load();
        }
        Hold hold = holds.get(key);
        return hold == null ? OptionalDouble.empty() : hold.load();
    }

    Optional<Held> held(ShardKey key) {
        return Optional.ofNullable(listed.get(key));
    }

    int listedCount() {
        return listed.size();
    }

    int holdCount() {
        return holds.size();
    }

    double totalLoad() {
        double total = 0;
        for (Held held : listed.values()) {
            total += held.load().orElse(0);
        }
        return total;
    }

    /** The measured loads of the executor's set. */
    List<Answers.ReportedLoad> reportedLoads() {
        List<Answers.ReportedLoad> loads = new ArrayList<>(listed.size());
        listed.forEach((key, held) -> held.load().ifPresent(load -> loads.add(new Answers.ReportedLoad(key, load))));
        return loads;
    }

    /** The executor's set. */
    List<Delivery.Entry> entries() {
        List<Delivery.Entry> entries = new ArrayList<>(listed.size());
        listed.forEach((key, held) -> entries.add(new Delivery.Entry(key, held.epoch)));
        return entries;
    }

    /** What the executor was asked to let go and has not. */
    List<Delivery.Entry> toRelease() {
        List<Delivery.Entry> entries = new ArrayList<>(holds.size());
        holds.forEach((key, hold) -> {
            if (!released.containsKey(key)) {
                entries.add(new Delivery.Entry(key, hold.epoch()));
            }
        });
        return entries;
    }
}
