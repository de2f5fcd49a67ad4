package io.shardwright.client.lease;

import io.shardwright.domain.Scheduler;
import io.shardwright.proto.v1.ShardActivity;
import io.shardwright.proto.v1.ShardClaim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes what runs equal to what is granted: one run per shard at most, from the start of its processor until the end of
 * its stop.
 *
 * <pre>
 * STARTING -> RUNNING -> STOPPING -> (gone)
 *    |                      ^
 *    +-> FAILED -> STARTING |        a stop may come at any time; a new start waits for the end of the stop
 * </pre>
 */
final class ShardRuns {

    private static final Duration FIRST_RETRY = Duration.ofMillis(100);
    private static final Duration LONGEST_RETRY = Duration.ofSeconds(30);

    enum Phase {
        STARTING,
        RUNNING,
        STOPPING,
        FAILED
    }

    /** One processor, or the wait for the next attempt to start it. */
    private static final class Run {
        private Ownership ownership;
        private final Backoff backoff;
        private Phase phase = Phase.STARTING;
        private ShardStop stop = ShardStop.REASSIGNED;
        private long retryAt;

        Run(Ownership ownership, Backoff backoff) {
            this.ownership = ownership;
            this.backoff = backoff;
        }

        boolean mayServe() {
            return phase == Phase.STARTING || phase == Phase.RUNNING;
        }
    }

    /** A shard that nobody used: at this epoch it does not run here again. */
    private static final class Idled {
        private final long epoch;
        private Scheduler.@Nullable Timer forget;

        Idled(long epoch) {
            this.epoch = epoch;
        }

        void cancel() {
            if (forget != null) {
                forget.cancel();
            }
        }
    }

    /** What a renewal says and which part of it was granted when it was sent. */
    record Claims(List<ShardClaim> all, List<Held> granted) {}

    private final AgentPorts ports;
    private final Grants grants;
    private final Releases releases;
    private final OwnershipTable table;
    private final long idleNanos;
    private final TreeMap<String, Run> runs = new TreeMap<>();
    /** No answer comes later than this: a renewal is given a third of its lease, and a lease is an hour at most. */
    private static final Duration LATEST_ANSWER = Duration.ofMinutes(20);

    private final TreeMap<String, Idled> idled = new TreeMap<>();
    private final AgentListener listener;

    private Runnable onIdle = () -> {};
    private boolean closing;
    private boolean revoked;
    private boolean wakeQueued;
    private Scheduler.@Nullable Timer wake;

    ShardRuns(AgentPorts ports, LeaseSettings settings, Grants grants, Releases releases, AgentListener listener) {
        this.ports = ports;
        this.grants = grants;
        this.releases = releases;
        this.idleNanos = settings.idleAfter().toNanos();
        this.listener = listener;
        this.table = ports.table();
    }

    void onIdle(Runnable action) {
        onIdle = action;
    }

    boolean isEmpty() {
        return runs.isEmpty();
    }

    int count() {
        return runs.size();
    }

    /** Applies a change of what is granted. */
    void apply(Grants.Change change) {
        if (change instanceof Grants.Change.Applied applied) {
            applied.removed().forEach(this::forget);
        }
        reconcileAll();
    }

    private void forget(Held removed) {
        @Nullable Run run = runs.get(removed.shardKey());
        if (run != null && run.ownership.epoch() == removed.epoch()) {
            return;
        }
        @Nullable Idled idle = idled.get(removed.shardKey());
        if (idle != null && idle.epoch == removed.epoch()) {
            // An answer to an earlier renewal may still list it; it must not run again at this epoch.
            idle.cancel();
            idle.forget = ports.scheduler().schedule(LATEST_ANSWER, () -> idled.remove(removed.shardKey(), idle));
        } else if (grants.grant(removed.shardKey()).isEmpty()) {
            releases.add(removed);
        }
    }

    /** Stops everything and starts nothing any more. */
    void close() {
        closing = true;
        stopAll(ShardStop.CLOSING);
    }

    /** Releases what the shard manager still counts as held and what does not run here. */
    void releaseUnlessRunning(List<Held> shards) {
        for (Held shard : shards) {
            @Nullable Run run = runs.get(shard.shardKey());
            if ((run == null || run.ownership.epoch() != shard.epoch())
                    && !releases.covers(shard.shardKey(), shard.epoch())) {
                releases.add(shard);
            }
        }
    }

    void stopAll(ShardStop reason) {
        for (Run run : new ArrayList<>(runs.values())) {
            if (run.mayServe()) {
                stop(run, reason);
            } else if (run.phase == Phase.FAILED) {
                run.stop = reason;
                ended(run);
            }
        }
    }

    /** Withdraws every right at once, without waiting for stops. */
    void revokeAll() {
        closing = true;
        revoked = true;
        idled.values().forEach(Idled::cancel);
        runs.values().forEach(run -> table.withdraw(run.ownership));
        if (wake != null) {
            wake.cancel();
        }
    }

    void started(Ownership ownership) {
        run(ownership).filter(run -> run.phase == Phase.STARTING).ifPresent(run -> {
            run.phase = Phase.RUNNING;
            run.backoff.reset();
        });
    }

    void startFailed(Ownership ownership) {
        run(ownership).filter(run -> run.phase == Phase.STARTING).ifPresent(run -> {
            table.withdraw(ownership);
            run.phase = Phase.FAILED;
            run.retryAt = ports.clock().nanoTime() + run.backoff.next().toNanos();
            reconcile(ownership.shardKey());
            wakeSoon();
        });
    }

    void stopped(Ownership ownership) {
        run(ownership).filter(run -> run.phase == Phase.STOPPING).ifPresent(this::ended);
    }

    private Optional<Run> run(Ownership ownership) {
        return Optional.ofNullable(runs.get(ownership.shardKey())).filter(run -> run.ownership == ownership);
    }

    private void ended(Run run) {
        Ownership ownership = run.ownership;
        runs.remove(ownership.shardKey());
        Optional<Grants.Grant> grant = grants.grant(ownership.shardKey());
        boolean granted = grant.filter(g -> g.epoch() == ownership.epoch()).isPresent();
        if (run.stop == ShardStop.IDLE && granted) {
            idle(ownership.shardKey(), new Idled(ownership.epoch()));
            onIdle.run();
        } else if (run.stop == ShardStop.CLOSING || (grant.isEmpty() && run.stop != ShardStop.ID_LOST)) {
            releases.add(new Held(ownership.shardKey(), ownership.epoch()));
        }
        reconcile(ownership.shardKey());
        wakeSoon();
    }

    /** Remembers a shard as idle, or with null no longer. */
    private void idle(String key, @Nullable Idled next) {
        @Nullable Idled before = next == null ? idled.remove(key) : idled.put(key, next);
        if (before != null) {
            before.cancel();
        }
    }

    void reconcileAll() {
        int before = countLeaseEnds();
        for (String key : keys()) {
            reconcile(key);
        }
        int ended = countLeaseEnds() - before;
        if (ended > 0) {
            listener.leaseEnded(ended);
        }
        wakeSoon();
    }

    private int countLeaseEnds() {
        return (int) runs.values().stream()
                .filter(run -> run.phase == Phase.STOPPING && run.stop == ShardStop.LEASE_ENDED)
                .count();
    }

    private List<String> keys() {
        List<String> keys = new ArrayList<>(runs.keySet());
        for (String key : grants.all().keySet()) {
            if (!runs.containsKey(key)) {
                keys.add(key);
            }
        }
        return keys;
    }

    private void reconcile(String key) {
        long now = ports.clock().nanoTime();
        Optional<Grants.Grant> grant = grants.grant(key);
        @Nullable Run run = runs.get(key);
        if (run == null) {
            grant.filter(g -> mayStart(key, g, now)).ifPresent(g -> start(key, g, now));
            return;
        }
        switch (run.phase) {
            case STARTING, RUNNING -> {
                Optional<ShardStop> reason = reasonToStop(run, grant, now);
                if (reason.isPresent()) {
                    stop(run, reason.get());
                } else {
                    grant.ifPresent(g -> run.ownership.extend(g.runUntil()));
                }
            }
            case FAILED -> retry(run, grant, now);
            case STOPPING -> {}
        }
    }

    private boolean mayStart(String key, Grants.Grant grant, long now) {
        @Nullable Idled idle = idled.get(key);
        return !closing
                && grant.runUntil() - now > 0
                && !releases.covers(key, grant.epoch())
                && (idle == null || idle.epoch != grant.epoch());
    }

    private void start(String key, Grants.Grant grant, long now) {
        idle(key, null);
        Ownership ownership = new Ownership(key, grant.epoch(), grant.runUntil(), now);
        runs.put(key, new Run(ownership, new Backoff(ports.random(), FIRST_RETRY, LONGEST_RETRY)));
        table.publish(ownership);
        ports.runner().start(ownership);
    }

    private Optional<ShardStop> reasonToStop(Run run, Optional<Grants.Grant> grant, long now) {
        if (closing) {
            return Optional.of(ShardStop.CLOSING);
        }
        if (grant.isEmpty()) {
            return Optional.of(ShardStop.REASSIGNED);
        }
        if (grant.get().epoch() != run.ownership.epoch()) {
            return Optional.of(ShardStop.NEW_EPOCH);
        }
        if (grant.get().runUntil() - now <= 0) {
            return Optional.of(ShardStop.LEASE_ENDED);
        }
        if (idleNanos > 0 && run.phase == Phase.RUNNING && now - run.ownership.lastTouch() >= idleNanos) {
            return Optional.of(ShardStop.IDLE);
        }
        return Optional.empty();
    }

    private void stop(Run run, ShardStop reason) {
        table.withdraw(run.ownership);
        run.phase = Phase.STOPPING;
        run.stop = reason;
        ports.runner().stop(run.ownership, reason);
    }

    private void retry(Run run, Optional<Grants.Grant> grant, long now) {
        Ownership old = run.ownership;
        if (closing || !grants.covers(old.shardKey(), old.epoch())) {
            run.stop = closing ? ShardStop.CLOSING : ShardStop.REASSIGNED;
            ended(run);
        } else if (now - run.retryAt >= 0 && grant.orElseThrow().runUntil() - now > 0) {
            run.ownership = new Ownership(
                    old.shardKey(), old.epoch(), grant.orElseThrow().runUntil(), now);
            run.phase = Phase.STARTING;
            table.publish(run.ownership);
            ports.runner().start(run.ownership);
        }
    }

    /** Returns what this process holds now, ordered by key. */
    Claims claims() {
        TreeMap<String, ShardClaim> all = new TreeMap<>();
        idled.forEach((key, idle) -> {
            if (grants.covers(key, idle.epoch)) {
                all.put(
                        key,
                        claim(key, idle.epoch, ShardActivity.SHARD_ACTIVITY_IDLE)
                                .build());
            }
        });
        runs.forEach((key, run) -> {
            ShardClaim.Builder claim = claim(key, run.ownership.epoch(), activity(run.phase));
            if (run.phase == Phase.RUNNING) {
                OptionalDouble load = ports.runner().load(run.ownership);
                load.ifPresent(claim::setLoad);
            }
            all.put(key, claim.build());
        });
        List<Held> granted = all.values().stream()
                .filter(claim -> grants.covers(claim.getShardKey(), claim.getEpoch()))
                .map(claim -> new Held(claim.getShardKey(), claim.getEpoch()))
                .toList();
        return new Claims(List.copyOf(all.values()), granted);
    }

    private static ShardClaim.Builder claim(String key, long epoch, ShardActivity activity) {
        return ShardClaim.newBuilder().setShardKey(key).setEpoch(epoch).setActivity(activity);
    }

    private static ShardActivity activity(Phase phase) {
        return switch (phase) {
            case STARTING -> ShardActivity.SHARD_ACTIVITY_STARTING;
            case RUNNING -> ShardActivity.SHARD_ACTIVITY_RUNNING;
            case STOPPING -> ShardActivity.SHARD_ACTIVITY_STOPPING;
            case FAILED -> ShardActivity.SHARD_ACTIVITY_FAILED;
        };
    }

    private void wakeSoon() {
        if (!wakeQueued) {
            wakeQueued = true;
            ports.scheduler().execute(this::rearm);
        }
    }

    /** Sets one timer to the next moment at which something ends, becomes idle or is to be tried again. */
    private void rearm() {
        wakeQueued = false;
        if (revoked) {
            return;
        }
        if (wake != null) {
            wake.cancel();
        }
        long now = ports.clock().nanoTime();
        long next = Long.MAX_VALUE;
        for (Run run : runs.values()) {
            next = Math.min(next, nanosToNextChange(run, now));
        }
        if (next != Long.MAX_VALUE) {
            wake = ports.scheduler().schedule(Duration.ofNanos(Math.max(0, next)), this::reconcileAll);
        }
    }

    private long nanosToNextChange(Run run, long now) {
        if (run.phase == Phase.FAILED) {
            // A retry that is due but has no lease waits for the next answer, which reconciles by itself.
            long wait = run.retryAt - now;
            return wait > 0 ? wait : Long.MAX_VALUE;
        }
        if (!run.mayServe()) {
            return Long.MAX_VALUE;
        }
        long wait = run.ownership.runUntil() - now;
        if (idleNanos > 0 && run.phase == Phase.RUNNING) {
            wait = Math.min(wait, run.ownership.lastTouch() + idleNanos - now);
        }
        return wait;
    }

    /** Returns the phase of each shard, for people. */
    SortedMap<String, String> describe() {
        TreeMap<String, String> phases = new TreeMap<>();
        runs.forEach((key, run) -> phases.put(key, run.phase + "@" + run.ownership.epoch()));
        idled.forEach((key, idle) -> phases.putIfAbsent(key, "IDLE@" + idle.epoch));
        return phases;
    }
}
