package io.shardwright.rpc.service;

import io.shardwright.control.Answers;
import io.shardwright.control.Claim;
import io.shardwright.control.Delivery;
import io.shardwright.domain.Drains;
import io.shardwright.domain.Executor;
import io.shardwright.domain.ExecutorId;
import io.shardwright.domain.InvalidField;
import io.shardwright.domain.Namespace;
import io.shardwright.domain.NamespaceName;
import io.shardwright.domain.ShardKey;
import io.shardwright.domain.balance.Balancers;
import io.shardwright.election.LeaderAddress;
import io.shardwright.proto.v1.Label;
import io.shardwright.proto.v1.NamespaceKind;
import io.shardwright.proto.v1.RegisterRequest;
import io.shardwright.proto.v1.ShardClaim;
import io.shardwright.proto.v1.ShardEpoch;
import io.shardwright.proto.v1.TransferLeadershipRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Reads requests into the domain's own types. Whatever breaks a rule is an {@link InvalidField}, before anything is
 * changed.
 */
final class FromWire {

    /** Claims or releases of one call. Far more than one process can run; fits the default message limit of 4 MiB. */
    static final int MAX_SHARDS = 100_000;

    /** A DNS name has at most 253 characters. */
    private static final int MAX_HOST = 253;

    private FromWire() {}

    static Executor executor(RegisterRequest request) {
        TreeMap<String, String> labels = new TreeMap<>();
        for (Label label : request.getLabelsList()) {
            if (labels.put(label.getKey(), label.getValue()) != null) {
                throw new InvalidField("labels.key", label.getKey(), "must be given once");
            }
        }
        return new Executor(
                new ExecutorId(request.getExecutorId()),
                request.getProcessId(),
                request.getAddress(),
                request.getHost(),
                labels,
                Executor.Status.ACTIVE);
    }

    /** Names the caller; whether it exists is for the control plane to say. */
    static Answers.Caller caller(String executorId, String processId) {
        if (processId.isEmpty()) {
            throw new InvalidField("process_id", processId, "must not be empty");
        }
        return new Answers.Caller(new ExecutorId(executorId), processId);
    }

    static long sequence(long sequence) {
        if (sequence < 1) {
            throw new InvalidField(
                    "sequence", Long.toUnsignedString(sequence), "must be 1 to 2^63-1, and grow with each renewal");
        }
        return sequence;
    }

    static List<Claim> claims(List<ShardClaim> claims) {
        requireFew("claims", claims.size());
        List<Claim> read = new ArrayList<>(claims.size());
        for (ShardClaim claim : claims) {
            ShardKey key = new ShardKey(claim.getShardKey());
            Claim.Activity activity = activity(claim);
            read.add(
                    claim.hasLoad()
                            ? Claim.measured(key, claim.getEpoch(), activity, claim.getLoad())
                            : new Claim(key, claim.getEpoch(), activity, Claim.NOT_MEASURED));
        }
        return read;
    }

    static List<Delivery.Entry> released(List<ShardEpoch> shards) {
        requireFew("shards", shards.size());
        List<Delivery.Entry> read = new ArrayList<>(shards.size());
        for (ShardEpoch shard : shards) {
            read.add(new Delivery.Entry(new ShardKey(shard.getShardKey()), shard.getEpoch()));
        }
        return read;
    }

    static Namespace namespace(io.shardwright.proto.v1.Namespace asked) {
        String balancer = asked.getBalancer().isEmpty() ? Balancers.DEFAULT : asked.getBalancer();
        return new Namespace(new NamespaceName(asked.getName()), kind(asked), lease(asked.getLeaseMillis()), balancer);
    }

    private static Namespace.Kind kind(io.shardwright.proto.v1.Namespace asked) {
        String count = Integer.toUnsignedString(asked.getShardCount());
        return switch (asked.getKind()) {
            case NAMESPACE_KIND_FIXED -> {
                if (asked.getShardCount() < 0) {
                    throw new InvalidField("shard_count", count, "must be 1 to " + Namespace.MAX_SHARD_COUNT);
                }
                yield new Namespace.Kind.Fixed(asked.getShardCount());
            }
            case NAMESPACE_KIND_EPHEMERAL -> {
                if (asked.getShardCount() != 0) {
                    throw new InvalidField(
                            "shard_count",
                            count,
                            "must be 0 (not given) in an ephemeral namespace, whose shards are created by requests");
                }
                yield new Namespace.Kind.Ephemeral();
            }
            case NAMESPACE_KIND_UNSPECIFIED, UNRECOGNIZED ->
                throw new InvalidField(
                        "kind",
                        asked.getKindValue() == 0 ? "" : Integer.toString(asked.getKindValue()),
                        "must be " + NamespaceKind.NAMESPACE_KIND_FIXED + " or "
                                + NamespaceKind.NAMESPACE_KIND_EPHEMERAL);
        };
    }

    private static Duration lease(long millis) {
        if (millis == 0) {
            return Namespace.DEFAULT_LEASE;
        }
        if (millis < Namespace.MIN_LEASE.toMillis() || millis > Namespace.MAX_LEASE.toMillis()) {
            throw new InvalidField(
                    "lease_millis",
                    Long.toUnsignedString(millis),
                    "must be " + Namespace.MIN_LEASE.toMillis() + " to " + Namespace.MAX_LEASE.toMillis()
                            + ", or 0 for the default");
        }
        return Duration.ofMillis(millis);
    }

    private static Claim.Activity activity(ShardClaim claim) {
        return switch (claim.getActivity()) {
            case SHARD_ACTIVITY_STARTING -> Claim.Activity.STARTING;
            case SHARD_ACTIVITY_UNSPECIFIED, SHARD_ACTIVITY_RUNNING -> Claim.Activity.RUNNING;
            case SHARD_ACTIVITY_STOPPING -> Claim.Activity.STOPPING;
            case SHARD_ACTIVITY_FAILED -> Claim.Activity.FAILED;
            case SHARD_ACTIVITY_IDLE -> Claim.Activity.IDLE;
            case UNRECOGNIZED -> Claim.Activity.RUNNING; // a newer client's finer word for a shard that it holds
        };
    }

    /** Returns the replica that leadership is to go to; empty: whichever is next. */
    static Optional<LeaderAddress> replica(TransferLeadershipRequest request) {
        if (request.getHost().isEmpty() && request.getPort() == 0) {
            return Optional.empty();
        }
        if (request.getHost().isBlank() || request.getHost().length() > MAX_HOST) {
            throw new InvalidField("host", request.getHost(), "must have 1 to " + MAX_HOST + " characters");
        }
        if (request.getPort() < 1 || request.getPort() > 65_535) {
            throw new InvalidField(
                    "port", Integer.toUnsignedString(request.getPort()), "must be 1 to 65535 where host is given");
        }
        return Optional.of(new LeaderAddress(request.getHost(), request.getPort()));
    }

    static List<ShardKey> shardKeys(List<String> keys) {
        requireSome("shard_keys", keys);
        return keys.stream().map(ShardKey::new).toList();
    }

    static List<String> hosts(List<String> hosts) {
        requireSome("hosts", hosts);
        hosts.forEach(Drains::requireHost);
        return hosts;
    }

    private static void requireSome(String field, List<String> names) {
        requireFew(field, names.size());
        if (names.isEmpty()) {
            throw new InvalidField(field, "", "must name at least one");
        }
    }

    private static void requireFew(String field, int count) {
        if (count > MAX_SHARDS) {
            throw Refusals.limitReached(field, count, MAX_SHARDS);
        }
    }
}
