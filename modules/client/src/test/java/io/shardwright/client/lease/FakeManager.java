package io.shardwright.client.lease;

import io.shardwright.domain.Clock;
import io.shardwright.proto.v1.Assignment;
import io.shardwright.proto.v1.AssignmentDelivery;
import io.shardwright.proto.v1.Confirmed;
import io.shardwright.proto.v1.DeregisterRequest;
import io.shardwright.proto.v1.DeregisterResponse;
import io.shardwright.proto.v1.RegisterRequest;
import io.shardwright.proto.v1.RegisterResponse;
import io.shardwright.proto.v1.ReleaseRequest;
import io.shardwright.proto.v1.ReleaseResponse;
import io.shardwright.proto.v1.RenewRequest;
import io.shardwright.proto.v1.RenewResponse;
import io.shardwright.proto.v1.ShardActivity;
import io.shardwright.proto.v1.ShardClaim;
import io.shardwright.proto.v1.ShardEpoch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The shard manager as the wire contract describes it, small enough to check by eye. Time is the server's clock.
 *
 * <p>A shard has one owner until that owner released it or the last answer (or push) that listed it for the owner ran
 * out by this clock; only then does its epoch grow.
 */
public final class FakeManager {

    private static final class Executor {
        String process = "";
        long leaseEnd;
        long lastSequence;
        boolean leaving;
        final List<Consumer<AssignmentDelivery>> watchers = new ArrayList<>();
    }

    private static final class Shard {
        String owner = "";
        long epoch;
        long listedUntil;
        boolean releasing;
        String next = "";
    }

    private final Clock clock;
    private final long leaseNanos;
    private final TreeMap<String, Executor> executors = new TreeMap<>();
    private final TreeMap<String, Shard> shards = new TreeMap<>();
    private String incarnation = "A";
    private long revision = 1;

    public final List<RegisterRequest> registers = new ArrayList<>();
    public final List<RenewRequest> renewals = new ArrayList<>();
    public final List<ShardEpoch> released = new ArrayList<>();

    public FakeManager(Clock clock, Duration lease) {
        this.clock = clock;
        this.leaseNanos = lease.toNanos();
    }

    private long now() {
        return clock.nanoTime();
    }

    public Transport.RegisterReply register(RegisterRequest request) {
        registers.add(request);
        expire();
        Executor known = executors.get(request.getExecutorId());
        if (known != null && !known.process.equals(request.getProcessId()) && known.leaseEnd - now() > 0) {
            return new Transport.RegisterReply.IdInUse(Duration.ofNanos(known.leaseEnd - now()));
        }
        Executor executor = executors.computeIfAbsent(request.getExecutorId(), id -> new Executor());
        executor.process = request.getProcessId();
        executor.leaving = false;
        executor.leaseEnd = now() + leaseNanos;
        revision++;
        expire();
        return new Transport.RegisterReply.Registered(RegisterResponse.newBuilder()
                .setLeaseMillis(leaseNanos / 1_000_000)
                .setAssignment(list(request.getExecutorId()))
                .build());
    }

    public Transport.RenewReply renew(RenewRequest request) {
        renewals.add(request);
        expire();
        Executor executor = executors.get(request.getExecutorId());
        if (executor == null) {
            return new Transport.RenewReply.NotRegistered();
        }
        if (!executor.process.equals(request.getProcessId())) {
            return new Transport.RenewReply.IdInUse(Duration.ofNanos(executor.leaseEnd - now()));
        }
        if (request.getSequence() > executor.lastSequence) {
            executor.lastSequence = request.getSequence();
            for (ShardClaim claim : request.getClaimsList()) {
                if (claim.getActivity() == ShardActivity.SHARD_ACTIVITY_IDLE
                        && holds(request.getExecutorId(), claim.getShardKey(), claim.getEpoch())) {
                    shards.remove(claim.getShardKey());
                    revision++;
                }
            }
        }
        executor.leaseEnd = now() + leaseNanos;
        Assignment set = list(request.getExecutorId());
        List<ShardEpoch> claimed = request.getClaimsList().stream()
                .map(claim -> shard(claim.getShardKey(), claim.getEpoch()))
                .toList();
        RenewResponse.Builder response = RenewResponse.newBuilder().setLeaseMillis(leaseNanos / 1_000_000);
        if (claimed.equals(set.getShardsList())) {
            response.setConfirmed(
                    Confirmed.newBuilder().setIncarnation(incarnation).setRevision(revision));
        } else {
            response.setAssignment(set);
        }
        return new Transport.RenewReply.Renewed(response.build());
    }

    public ReleaseResponse release(ReleaseRequest request) {
        released.addAll(request.getShardsList());
        ReleaseResponse.Builder response = ReleaseResponse.newBuilder();
        for (ShardEpoch shard : request.getShardsList()) {
            if (holds(request.getExecutorId(), shard.getShardKey(), shard.getEpoch())) {
                free(shard.getShardKey());
            } else {
                response.addNotHeld(shard.getShardKey());
            }
        }
        return response.build();
    }

    /** Empty: not registered. */
    public Optional<DeregisterResponse> deregister(DeregisterRequest request) {
        expire();
        Executor executor = executors.get(request.getExecutorId());
        if (executor == null) {
            return Optional.empty();
        }
        executor.leaving = true;
        DeregisterResponse.Builder response = DeregisterResponse.newBuilder();
        shards.forEach((key, shard) -> {
            if (shard.owner.equals(request.getExecutorId())) {
                shard.releasing = true;
                response.addToRelease(shard(key, shard.epoch));
            }
        });
        revision++;
        push(request.getExecutorId());
        return Optional.of(response.build());
    }

    /** Returns whether the executor is known and the stream therefore stays open. */
    public boolean watch(String executorId, Consumer<AssignmentDelivery> watcher) {
        Executor executor = executors.get(executorId);
        if (executor == null) {
            return false;
        }
        executor.watchers.clear();
        executor.watchers.add(watcher);
        watcher.accept(delivery(executorId));
        return true;
    }

    /** Gives the shard to an executor: at once if nobody has it, else after a release or the end of what was listed. */
    public void give(String key, String executorId) {
        Shard shard = shards.computeIfAbsent(key, k -> new Shard());
        shard.next = executorId;
        if (shard.owner.isEmpty()) {
            settle(shard);
        } else {
            shard.releasing = true;
            revision++;
            push(shard.owner);
        }
    }

    /** Lets time-outs happen. */
    public void expire() {
        executors.values().removeIf(executor -> executor.leaseEnd - now() <= 0);
        for (String key : List.copyOf(shards.keySet())) {
            Shard shard = Objects.requireNonNull(shards.get(key));
            boolean orphan = shard.releasing || !executors.containsKey(shard.owner);
            if (!shard.owner.isEmpty() && orphan && shard.listedUntil - now() <= 0) {
                free(key);
            } else if (shard.owner.isEmpty()) {
                settle(shard);
            }
        }
    }

    private void free(String key) {
        Shard shard = shards.get(key);
        if (shard != null) {
            shard.owner = "";
            shard.releasing = false;
            revision++;
            settle(shard);
        }
    }

    private void settle(Shard shard) {
        Executor target = executors.get(shard.next);
        if (target == null || target.leaving) {
            return;
        }
        shard.owner = shard.next;
        shard.epoch++;
        shard.listedUntil = target.leaseEnd;
        revision++;
        push(shard.owner);
    }

    /** A new leader on the same store: it restarts the lease of everybody it keeps. */
    public void failOver(String newIncarnation) {
        incarnation = newIncarnation;
        executors.values().forEach(executor -> {
            executor.leaseEnd = now() + leaseNanos;
            executor.watchers.clear();
        });
        shards.values().forEach(shard -> shard.listedUntil = now() + leaseNanos);
    }

    /** The store was wiped. */
    public void wipe(String newIncarnation) {
        incarnation = newIncarnation;
        revision = 1;
        executors.clear();
        shards.clear();
    }

    public void forget(String executorId) {
        executors.remove(executorId);
    }

    public Optional<String> owner(String key) {
        return Optional.ofNullable(shards.get(key)).map(shard -> shard.owner).filter(owner -> !owner.isEmpty());
    }

    public long epoch(String key) {
        return Objects.requireNonNull(shards.get(key)).epoch;
    }

    public long revision() {
        return revision;
    }

    public boolean knows(String executorId) {
        return executors.containsKey(executorId);
    }

    private boolean holds(String executorId, String key, long epoch) {
        Shard shard = shards.get(key);
        return shard != null && shard.owner.equals(executorId) && shard.epoch == epoch;
    }

    private Assignment list(String executorId) {
        Executor executor = Objects.requireNonNull(executors.get(executorId));
        Assignment.Builder set =
                Assignment.newBuilder().setIncarnation(incarnation).setRevision(revision);
        shards.forEach((key, shard) -> {
            if (shard.owner.equals(executorId) && !shard.releasing) {
                shard.listedUntil = Math.max(shard.listedUntil, executor.leaseEnd);
                set.addShards(shard(key, shard.epoch));
            }
        });
        return set.build();
    }

    private AssignmentDelivery delivery(String executorId) {
        return AssignmentDelivery.newBuilder().setAssignment(list(executorId)).build();
    }

    private void push(String executorId) {
        Executor executor = executors.get(executorId);
        if (executor != null) {
            List.copyOf(executor.watchers).forEach(watcher -> watcher.accept(delivery(executorId)));
        }
    }

    private static ShardEpoch shard(String key, long epoch) {
        return ShardEpoch.newBuilder().setShardKey(key).setEpoch(epoch).build();
    }
}
