package io.shardwright.control;

import io.shardwright.domain.Drain;
import io.shardwright.domain.ExecutorId;
import io.shardwright.domain.Namespace;
import io.shardwright.domain.NamespaceName;
import io.shardwright.domain.ShardKey;
import io.shardwright.election.LeaderAddress;
import io.shardwright.election.QueuedReplica;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The answer to a call of the control plane.
 *
 * @param <T> what a good answer holds
 */
public sealed interface Reply<T> {

    /** The call did what it says. */
    record Ok<T>(T value) implements Reply<T> {}

    /** The call was refused. */
    record Refused<T>(Refusal refusal) implements Reply<T> {}

    /** Why a call was refused. The rpc module maps each to one status. */
    sealed interface Refusal {

        /** Nobody created that namespace. */
        record NoSuchNamespace(NamespaceName namespace) implements Refusal {}

        /** The namespace has no such shard. */
        record NoSuchShard(NamespaceName namespace, ShardKey shard) implements Refusal {}

        /** Somebody drained the shard: nobody has it until it is taken back. */
        record ShardDrained(NamespaceName namespace, ShardKey shard, Drain drain) implements Refusal {}

        /** The executor must register (again). */
        record NotRegistered(NamespaceName namespace, ExecutorId executor) implements Refusal {}

        /** Another process holds a live lease under this id. */
        record IdInUse(NamespaceName namespace, ExecutorId executor, Duration retryAfter) implements Refusal {}

        /** The namespace exists with other settings. */
        record NamespaceDiffers(Namespace stored, Namespace asked) implements Refusal {}

        /** Executors are registered in the namespace. */
        record NamespaceInUse(NamespaceName namespace, int executors) implements Refusal {}

        /** There is no room for a new shard. */
        record NamespaceFull(NamespaceName namespace, ShardKey shard, int shards, int maxRequestBytes)
                implements Refusal {}

        /** Nobody can own a new shard. */
        record NoExecutors(NamespaceName namespace) implements Refusal {}

        /** The store did not take the change; nothing was acknowledged. */
        record StoreUnavailable(String message) implements Refusal {}

        /**
         * This replica does not lead, or does not yet. The call did not run (R121).
         *
         * @param leader where the one that does is, if that is known (R94)
         */
        record NotLeading(String why, Optional<LeaderAddress> leader) implements Refusal {

            /** Says that nobody is known to lead (R122). */
            public NotLeading(String why) {
                this(why, Optional.empty());
            }
        }

        /** Leadership ended while the call ran: it may have taken effect or not (R104, R124). */
        record LeadershipLost(String why) implements Refusal {}

        /** No such replica waits that could lead, or none at all. */
        record NoSuchReplica(Optional<LeaderAddress> asked, List<QueuedReplica> waiting) implements Refusal {}

        /** A newer stream of the same process took over. */
        record Replaced() implements Refusal {}

        /** A setting is bad. */
        record Invalid(String field, String value, String rule) implements Refusal {}
    }

    /** Returns a good answer. */
    static <T> Reply<T> ok(T value) {
        return new Ok<>(value);
    }

    /** Returns a refusal. */
    static <T> Reply<T> refused(Refusal refusal) {
        return new Refused<>(refusal);
    }
}
