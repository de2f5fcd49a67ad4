package io.shardwright.rpc.service;

import io.shardwright.control.Answers;
import io.shardwright.control.Claim;
import io.shardwright.control.Delivery;
import io.shardwright.domain.Drain;
import io.shardwright.domain.Executor;
import io.shardwright.domain.ExecutorId;
import io.shardwright.domain.Namespace;
import io.shardwright.domain.Shard;
import io.shardwright.election.QueuedReplica;
import io.shardwright.proto.v1.Assignment;
import io.shardwright.proto.v1.DrainedHost;
import io.shardwright.proto.v1.DrainedShard;
import io.shardwright.proto.v1.ExecutorDetails;
import io.shardwright.proto.v1.ExecutorInfo;
import io.shardwright.proto.v1.ExecutorStatus;
import io.shardwright.proto.v1.Label;
import io.shardwright.proto.v1.ListDrainsResponse;
import io.shardwright.proto.v1.ListReplicasResponse;
import io.shardwright.proto.v1.NamespaceKind;
import io.shardwright.proto.v1.Replica;
import io.shardwright.proto.v1.ReplicaRole;
import io.shardwright.proto.v1.ShardActivity;
import io.shardwright.proto.v1.ShardDetails;
import io.shardwright.proto.v1.ShardEpoch;
import io.shardwright.proto.v1.ShardRoute;
import io.shardwright.proto.v1.ShardState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Writes the domain's types down in wire form. */
final class ToWire {

    private ToWire() {}

    static Assignment assignment(Delivery delivery) {
        return Assignment.newBuilder()
                .setIncarnation(delivery.incarnation())
                .setRevision(delivery.revision())
                .addAllShards(shardEpochs(delivery.shards()))
                .build();
    }

    static List<ShardEpoch> shardEpochs(List<Delivery.Entry> entries) {
        return entries.stream()
                .map(entry -> ShardEpoch.newBuilder()
                        .setShardKey(entry.key().value())
                        .setEpoch(entry.epoch())
                        .build())
                .toList();
    }

    static ExecutorInfo executor(Executor executor) {
        ExecutorInfo.Builder info = ExecutorInfo.newBuilder()
                .setExecutorId(executor.id().value())
                .setAddress(executor.address())
                .setHost(executor.host());
        executor.labels()
                .forEach((key, value) ->
                        info.addLabels(Label.newBuilder().setKey(key).setValue(value)));
        return info.build();
    }

    static ShardRoute route(Shard shard) {
        ShardRoute.Builder route =
                ShardRoute.newBuilder().setShardKey(shard.key().value()).setEpoch(shard.epoch());
        shard.owner().ifPresent(owner -> route.setOwner(owner.value()));
        return route.build();
    }

    static ShardState state(Shard shard) {
        return switch (shard.state()) {
            case Shard.State.Unassigned() -> ShardState.SHARD_STATE_UNASSIGNED;
            case Shard.State.Assigned(ExecutorId owner) -> ShardState.SHARD_STATE_ASSIGNED;
            case Shard.State.Releasing(ExecutorId owner, Optional<ExecutorId> next) -> ShardState.SHARD_STATE_RELEASING;
        };
    }

    static ShardDetails shard(Answers.ShardDetails details) {
        Shard shard = details.shard();
        ShardDetails.Builder wire = ShardDetails.newBuilder()
                .setShardKey(shard.key().value())
                .setState(state(shard))
                .setEpoch(shard.epoch())
                .setActivity(details.activity().map(ToWire::activity).orElse(ShardActivity.SHARD_ACTIVITY_UNSPECIFIED))
                .setReason(details.reason());
        shard.owner().ifPresent(owner -> wire.setOwner(owner.value()));
        if (shard.state() instanceof Shard.State.Releasing releasing) {
            releasing.next().ifPresent(next -> wire.setNextOwner(next.value()));
        }
        details.load().ifPresent(wire::setLoad);
        details.drain().map(ToWire::drain).ifPresent(wire::setDrain);
        return wire.build();
    }

    static ExecutorDetails executor(Answers.ExecutorDetails details) {
        ExecutorDetails.Builder wire = ExecutorDetails.newBuilder()
                .setInfo(executor(details.executor()))
                .setProcessId(details.executor().processId())
                .setStatus(status(details.executor().status()))
                .setLeaseRemainingMillis(Math.max(0, details.leaseRemaining().toMillis()))
                .setLastRenewalAgeMillis(Math.max(0, details.renewalAge().toMillis()))
                .setAssignedCount(details.assigned())
                .setReleasingCount(details.releasing())
                .setLoad(details.load());
        details.drain().map(ToWire::drain).ifPresent(wire::setDrain);
        return wire.build();
    }

    private static io.shardwright.proto.v1.Drain drain(Drain drain) {
        return io.shardwright.proto.v1.Drain.newBuilder()
                .setDrainedBy(drain.by())
                .setReason(drain.reason())
                .setDrainedAtMillis(drain.at().toEpochMilli())
                .build();
    }

    static ListDrainsResponse drains(Answers.DrainList list) {
        ListDrainsResponse.Builder wire = ListDrainsResponse.newBuilder();
        list.shards()
                .forEach(shard -> wire.addShards(DrainedShard.newBuilder()
                        .setShardKey(shard.key().value())
                        .setDrain(drain(shard.drain()))
                        .setOwner(shard.owner().map(ExecutorId::value).orElse(""))));
        list.hosts()
                .forEach(host -> wire.addHosts(DrainedHost.newBuilder()
                        .setHost(host.host())
                        .setDrain(drain(host.drain()))
                        .setExecutorCount(host.executors())
                        .setShardCount(host.shards())));
        return wire.build();
    }

    static ListReplicasResponse replicas(Answers.Queue queue) {
        ListReplicasResponse.Builder wire = ListReplicasResponse.newBuilder();
        for (QueuedReplica replica : queue.replicas()) {
            ReplicaRole ofTheFirst =
                    replica.ready() ? ReplicaRole.REPLICA_ROLE_LEADER : ReplicaRole.REPLICA_ROLE_STARTING;
            boolean first = wire.getReplicasCount() == 0;
            wire.addReplicas(replica(replica, first ? ofTheFirst : ReplicaRole.REPLICA_ROLE_STANDBY));
        }
        queue.heard().map(Duration::toMillis).ifPresent(wire::setHeardMillisAgo);
        return wire.build();
    }

    static Replica replica(QueuedReplica replica, ReplicaRole role) {
        Replica.Builder wire =
                Replica.newBuilder().setRole(role).setVersion(replica.version()).setIdentity(replica.identity());
        replica.address().ifPresent(address -> wire.setHost(address.host()).setPort(address.port()));
        return wire.build();
    }

    static io.shardwright.proto.v1.Namespace namespace(Namespace namespace) {
        io.shardwright.proto.v1.Namespace.Builder wire = io.shardwright.proto.v1.Namespace.newBuilder()
                .setName(namespace.name().value())
                .setLeaseMillis(namespace.lease().toMillis())
                .setBalancer(namespace.balancer());
        return switch (namespace.kind()) {
            case Namespace.Kind.Fixed(int count) ->
                wire.setKind(NamespaceKind.NAMESPACE_KIND_FIXED)
                        .setShardCount(count)
                        .build();
            case Namespace.Kind.Ephemeral() ->
                wire.setKind(NamespaceKind.NAMESPACE_KIND_EPHEMERAL).build();
        };
    }

    private static ExecutorStatus status(Executor.Status status) {
        return switch (status) {
            case ACTIVE -> ExecutorStatus.EXECUTOR_STATUS_ACTIVE;
            case LEAVING -> ExecutorStatus.EXECUTOR_STATUS_LEAVING;
        };
    }

    private static ShardActivity activity(Claim.Activity activity) {
        return switch (activity) {
            case STARTING -> ShardActivity.SHARD_ACTIVITY_STARTING;
            case RUNNING -> ShardActivity.SHARD_ACTIVITY_RUNNING;
            case STOPPING -> ShardActivity.SHARD_ACTIVITY_STOPPING;
            case FAILED -> ShardActivity.SHARD_ACTIVITY_FAILED;
            case IDLE -> ShardActivity.SHARD_ACTIVITY_IDLE;
        };
    }
}
