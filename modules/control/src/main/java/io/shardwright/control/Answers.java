package io.shardwright.control;

import io.shardwright.domain.Drain;
import io.shardwright.domain.Executor;
import io.shardwright.domain.ExecutorId;
import io.shardwright.domain.Namespace;
import io.shardwright.domain.Shard;
import io.shardwright.domain.ShardKey;
import io.shardwright.election.QueuedReplica;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** What the calls of the control plane answer with. */
public final class Answers {

    private Answers() {}

    /**
     * The queue for leadership, the leader first.
     *
     * @param heard how long ago the store last answered the replica that tells it; empty: never
     */
    public record Queue(List<QueuedReplica> replicas, Optional<Duration> heard) {}

    /** A registration: the lease, from the caller's own send time, and the set. */
    public record Registered(Duration lease, Delivery delivery) {}

    /**
     * A renewal: the lease, from the caller's own send time.
     *
     * @param confirmed the claims are exactly the set; else {@code delivery} holds it
     * @param delivery the set, without its shards where it is confirmed
     */
    public record Renewed(Duration lease, boolean confirmed, Delivery delivery) {}

    /** A release: the shards that the caller did not hold. */
    public record Released(List<ShardKey> notHeld) {}

    /** A deregistration: the shards that are to be released. */
    public record Leaving(List<Delivery.Entry> toRelease) {}

    /** A lookup. */
    public record Owner(Shard shard, Optional<Executor> owner, long revision) {}

    /** A created namespace; {@code created} is false when it existed with equal settings. */
    public record Created(Namespace namespace, boolean created) {}

    /** A namespace with its figures. */
    public record NamespaceDetails(
            Namespace namespace,
            int executors,
            int shards,
            int unassigned,
            int releasing,
            Duration oldestUnassigned,
            long revision) {}

    /** An executor with its figures, as the leader counts them; {@code drain} is that of its host. */
    public record ExecutorDetails(
            Executor executor,
            Duration leaseRemaining,
            Duration renewalAge,
            int assigned,
            int releasing,
            double load,
            Optional<Drain> drain) {}

    /** What a call drained that was not drained before, or took back that was: shard keys or hosts, sorted. */
    public record Drained(List<String> changed) {}

    /** A drained shard; {@code owner} still runs it. */
    public record DrainedShard(ShardKey key, Drain drain, Optional<ExecutorId> owner) {}

    /**
     * A drained host.
     *
     * @param executors executors that are registered from there
     * @param shards shards that they still hold
     */
    public record DrainedHost(String host, Drain drain, int executors, int shards) {}

    /** Everything that is drained in a namespace. */
    public record DrainList(List<DrainedShard> shards, List<DrainedHost> hosts) {}

    /** A shard with its figures; {@code activity} is empty where nobody owns it. */
    public record ShardDetails(
            Shard shard,
            Optional<Executor> owner,
            OptionalDouble load,
            Optional<Claim.Activity> activity,
            String reason,
            Optional<Drain> drain,
            long revision) {}

    /** An executor with its shards. */
    public record ExecutorShards(ExecutorDetails details, List<ShardDetails> shards) {}

    /** All executors of a namespace. */
    public record Executors(List<ExecutorDetails> executors) {}

    /** What an executor measured on a shard of its set. */
    public record ReportedLoad(ShardKey key, double load) {}

    /** What an executor measured; shards that were not measured are left out. */
    public record ReportedLoads(List<ReportedLoad> loads) {}

    /** Who is named by a call of an executor. */
    public record Caller(ExecutorId id, String processId) {}
}
