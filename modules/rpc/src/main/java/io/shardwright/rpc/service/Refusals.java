package io.shardwright.rpc.service;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import com.google.rpc.ErrorInfo;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.shardwright.control.Reply.Refusal;
import io.shardwright.domain.InvalidField;
import io.shardwright.domain.Namespace;
import io.shardwright.domain.NamespaceName;
import io.shardwright.election.LeaderAddress;
import io.shardwright.election.QueuedReplica;
import io.shardwright.proto.v1.NotLeader;
import io.shardwright.rpc.transport.ErrorInterceptor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Turns each refusal into its status: code, {@code google.rpc.ErrorInfo}, and a sentence with the remedy.
 * {@code errors.proto} lists them all.
 */
final class Refusals {

    /** A detail of this type marks a call that never ran and may be sent elsewhere, whatever it is. */
    private static final Any BEFORE_RUNNING = Any.newBuilder()
            .setTypeUrl("type.googleapis.com/shardwright.v1.RefusedBeforeRunning")
            .build();

    private Refusals() {}

    /** Returns the status of a refusal. */
    static StatusRuntimeException status(Refusal refusal) {
        return switch (refusal) {
            case Refusal.NoSuchNamespace(var namespace) ->
                new Problem(Status.Code.NOT_FOUND, "NAMESPACE_NOT_FOUND")
                        .with("namespace", namespace)
                        .says(
                                "namespace \"" + namespace
                                        + "\" does not exist; create it with \"shardctl namespace create\", or correct the name");
            case Refusal.NoSuchShard(var namespace, var shard) ->
                new Problem(Status.Code.NOT_FOUND, "SHARD_NOT_FOUND")
                        .with("namespace", namespace)
                        .with("shard_key", shard)
                        .says("shard_key = \"" + InvalidField.printable(shard.value()) + "\": namespace \"" + namespace
                                + "\" has no such shard; \"shardctl namespace describe " + namespace
                                + "\" says which it has");
            case Refusal.ShardDrained(var namespace, var shard, var drain) ->
                new Problem(Status.Code.FAILED_PRECONDITION, "SHARD_DRAINED")
                        .with("namespace", namespace)
                        .with("shard_key", shard)
                        .with("drained_by", drain.by())
                        .with("reason", drain.reason())
                        .says("shard_key = \"" + InvalidField.printable(shard.value()) + "\" of namespace \""
                                + namespace
                                + "\" is drained since " + drain.at()
                                + (drain.by().isEmpty() ? "" : " by " + drain.by())
                                + (drain.reason().isEmpty() ? "" : " (" + drain.reason() + ")")
                                + "; nobody has it until \"shardctl shard undrain\"");
            case Refusal.NotRegistered(var namespace, var executor) ->
                new Problem(Status.Code.NOT_FOUND, "EXECUTOR_NOT_REGISTERED")
                        .with("namespace", namespace)
                        .with("executor_id", executor)
                        .says("executor_id = \"" + executor + "\": no such executor is registered in namespace \""
                                + namespace + "\"; it has to register (again)");
            case Refusal.IdInUse(var namespace, var executor, Duration retryAfter) ->
                idInUse(namespace, executor.value(), retryAfter);
            case Refusal.NamespaceDiffers(Namespace stored, Namespace asked) ->
                new Problem(Status.Code.ALREADY_EXISTS, "NAMESPACE_EXISTS")
                        .with("namespace", stored.name())
                        .with("stored", settings(stored))
                        .with("asked", settings(asked))
                        .says("namespace \"" + stored.name() + "\" exists with other settings: stored is "
                                + settings(stored) + ", asked was " + settings(asked)
                                + "; ask for the stored settings, or delete the namespace first");
            case Refusal.NamespaceInUse(var namespace, int executors) ->
                new Problem(Status.Code.FAILED_PRECONDITION, "NAMESPACE_IN_USE")
                        .with("namespace", namespace)
                        .with("executors", executors)
                        .says("namespace \"" + namespace + "\" is in use by " + executors
                                + " executors; stop them (or wait for their leases to end), then repeat the call");
            case Refusal.NamespaceFull(var namespace, var shard, int shards, int maxRequestBytes) ->
                new Problem(Status.Code.RESOURCE_EXHAUSTED, "LIMIT_REACHED")
                        .with("limit", "persistence.limits.max-request-bytes: " + maxRequestBytes)
                        .with("value", shards)
                        .with("namespace", namespace)
                        .says("shard_key = \"" + InvalidField.printable(shard.value()) + "\": namespace \"" + namespace
                                + "\" has " + shards
                                + " shards and no room for this one, because a segment of it must fit one store request of "
                                + maxRequestBytes
                                + " bytes; let executors give idle shards back, use fewer keys, or raise"
                                + " persistence.limits.max-request-bytes (and etcd's own limit)");
            case Refusal.NoExecutors(var namespace) ->
                new Problem(Status.Code.UNAVAILABLE, "NO_EXECUTORS")
                        .with("namespace", namespace)
                        .says("no executor of namespace \"" + namespace
                                + "\" can own a new shard; start one, then repeat the call");
            case Refusal.StoreUnavailable(String message) ->
                new Problem(Status.Code.UNAVAILABLE, "STORE_UNAVAILABLE")
                        .says("nothing was acknowledged: " + message + "; repeat the call");
            case Refusal.NotLeading(String why, Optional<LeaderAddress> leader) -> notLeading(why, leader);
            case Refusal.LeadershipLost(String why) ->
                new Problem(Status.Code.UNAVAILABLE, "LEADERSHIP_LOST")
                        .says(
                                "this server stopped leading while the call ran: " + why
                                        + "; it may have taken effect or not: look before you repeat it, or repeat it if it can be repeated");
            case Refusal.NoSuchReplica(Optional<LeaderAddress> asked, List<QueuedReplica> waiting) ->
                noSuchReplica(asked, waiting);
            case Refusal.Replaced() ->
                new Problem(Status.Code.ABORTED, "REPLACED")
                        .says("a newer stream of the same process took over; this one is over");
            case Refusal.Invalid(String field, String value, String rule) ->
                status(new InvalidField(field, value, rule));
        };
    }

    /** Who knows the leader names it (R94); only who does not says that the call never ran (R122). */
    private static StatusRuntimeException notLeading(String why, Optional<LeaderAddress> leader) {
        Problem problem = new Problem(Status.Code.UNAVAILABLE, "NOT_LEADER");
        return leader.map(address -> problem.detail(NotLeader.newBuilder()
                                .setLeaderHost(address.host())
                                .setLeaderPort(address.port())
                                .build())
                        .says("this server does not decide now: " + why + "; " + address
                                + " does, send the call there"))
                .orElseGet(() -> problem.beforeRunning()
                        .says("this server does not decide now: " + why
                                + "; the call did not run, send it again or elsewhere"));
    }

    private static StatusRuntimeException noSuchReplica(Optional<LeaderAddress> asked, List<QueuedReplica> waiting) {
        String names = waiting.stream()
                .map(replica -> replica.address().map(LeaderAddress::toString).orElse("one of another version"))
                .collect(Collectors.joining(", "));
        Problem problem = new Problem(Status.Code.FAILED_PRECONDITION, "NO_STANDBY").with("waiting", names);
        return waiting.isEmpty()
                ? problem.says("no other replica waits to lead, so this one goes on; start one (persistence.type etcd),"
                        + " wait until it is ready, then repeat the call")
                : problem.with("asked", asked.map(LeaderAddress::toString).orElse(""))
                        .says("address = \""
                                + asked.map(LeaderAddress::toString).orElse("")
                                + "\": no such replica waits to lead; these do: " + names);
    }

    /** Returns the status of bad input. */
    static StatusRuntimeException status(InvalidField invalid) {
        return new Problem(Status.Code.INVALID_ARGUMENT, "INVALID_FIELD")
                .with("field", invalid.field())
                .with("value", invalid.value())
                .with("rule", invalid.rule())
                .says(String.valueOf(invalid.getMessage()));
    }

    /** Returns the status of a request that holds more than one request may. */
    static StatusRuntimeException limitReached(String field, int count, int limit) {
        return new Problem(Status.Code.RESOURCE_EXHAUSTED, "LIMIT_REACHED")
                .with("limit", field + ": " + limit)
                .with("value", count)
                .says(field + " = " + count + " entries: one call takes at most " + limit
                        + "; spread them over more executors or calls");
    }

    private static StatusRuntimeException idInUse(NamespaceName namespace, String executor, Duration retryAfter) {
        // Rounded up: a caller that waits this long finds the lease over.
        long millis = retryAfter.plusNanos(999_999).toMillis();
        return new Problem(Status.Code.ALREADY_EXISTS, "EXECUTOR_ID_IN_USE")
                .with("namespace", namespace)
                .with("executor_id", executor)
                .with("retry_after_millis", millis)
                .says("executor_id = \"" + executor + "\": another process holds a lease under this id in namespace \""
                        + namespace + "\" for up to " + millis
                        + " ms; choose another id, stop the other process, or repeat the call then");
    }

    private static String settings(Namespace namespace) {
        return namespace.kind() + ", lease " + namespace.lease().toMillis() + " ms, balancer " + namespace.balancer();
    }

    /** A status under construction. */
    private static final class Problem {
        private final Status.Code code;
        private final String reason;
        private final Map<String, String> metadata = new LinkedHashMap<>();
        private final List<Any> details = new ArrayList<>();

        Problem(Status.Code code, String reason) {
            this.code = code;
            this.reason = reason;
        }

        Problem with(String key, Object value) {
            metadata.put(key, value.toString());
            return this;
        }

        Problem beforeRunning() {
            details.add(BEFORE_RUNNING);
            return this;
        }

        Problem detail(Message detail) {
            details.add(Any.pack(detail));
            return this;
        }

        StatusRuntimeException says(String sentence) {
            ErrorInfo info = ErrorInfo.newBuilder()
                    .setReason(reason)
                    .setDomain(ErrorInterceptor.ERROR_DOMAIN)
                    .putAllMetadata(metadata)
                    .build();
            com.google.rpc.Status.Builder status = com.google.rpc.Status.newBuilder()
                    .setCode(code.value())
                    .setMessage(sentence)
                    .addDetails(Any.pack(info))
                    .addAllDetails(details);
            return StatusProto.toStatusRuntimeException(status.build());
        }
    }
}
