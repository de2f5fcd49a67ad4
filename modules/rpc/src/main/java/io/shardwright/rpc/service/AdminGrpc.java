package io.shardwright.rpc.service;

import io.grpc.stub.StreamObserver;
import io.shardwright.control.Answers;
import io.shardwright.control.ControlPlane;
import io.shardwright.control.NamespaceView;
import io.shardwright.domain.ExecutorId;
import io.shardwright.domain.InvalidField;
import io.shardwright.domain.NamespaceName;
import io.shardwright.domain.ShardKey;
import io.shardwright.election.QueuedReplica;
import io.shardwright.proto.v1.AdminServiceGrpc.AdminServiceImplBase;
import io.shardwright.proto.v1.CreateNamespaceRequest;
import io.shardwright.proto.v1.CreateNamespaceResponse;
import io.shardwright.proto.v1.DeleteNamespaceRequest;
import io.shardwright.proto.v1.DeleteNamespaceResponse;
import io.shardwright.proto.v1.DescribeExecutorRequest;
import io.shardwright.proto.v1.DescribeExecutorResponse;
import io.shardwright.proto.v1.DescribeNamespaceRequest;
import io.shardwright.proto.v1.DescribeNamespaceResponse;
import io.shardwright.proto.v1.DrainHostsRequest;
import io.shardwright.proto.v1.DrainHostsResponse;
import io.shardwright.proto.v1.DrainShardsRequest;
import io.shardwright.proto.v1.DrainShardsResponse;
import io.shardwright.proto.v1.InspectShardRequest;
import io.shardwright.proto.v1.InspectShardResponse;
import io.shardwright.proto.v1.ListDrainsRequest;
import io.shardwright.proto.v1.ListDrainsResponse;
import io.shardwright.proto.v1.ListExecutorsRequest;
import io.shardwright.proto.v1.ListExecutorsResponse;
import io.shardwright.proto.v1.ListNamespacesRequest;
import io.shardwright.proto.v1.ListNamespacesResponse;
import io.shardwright.proto.v1.ListReplicasRequest;
import io.shardwright.proto.v1.ListReplicasResponse;
import io.shardwright.proto.v1.ReplicaRole;
import io.shardwright.proto.v1.TransferLeadershipRequest;
import io.shardwright.proto.v1.TransferLeadershipResponse;
import io.shardwright.proto.v1.UndrainHostsRequest;
import io.shardwright.proto.v1.UndrainHostsResponse;
import io.shardwright.proto.v1.UndrainShardsRequest;
import io.shardwright.proto.v1.UndrainShardsResponse;
import java.util.List;

/** {@code shardwright.v1.AdminService}: namespaces, executors and shards for operators. Thread-safe. */
public final class AdminGrpc extends AdminServiceImplBase {

    private final ControlPlane control;
    private final Unary unary;

    /** Serves a control plane. */
    public AdminGrpc(ControlPlane control, StreamThreads threads) {
        this.control = control;
        this.unary = new Unary(threads.writers());
    }

    @Override
    public void createNamespace(CreateNamespaceRequest request, StreamObserver<CreateNamespaceResponse> response) {
        unary.run(
                response,
                call -> {
                    if (!request.hasNamespace()) {
                        throw new InvalidField("namespace", "", "must be given");
                    }
                    control.createNamespace(FromWire.namespace(request.getNamespace()), call);
                },
                (Answers.Created answer) -> CreateNamespaceResponse.newBuilder()
                        .setNamespace(ToWire.namespace(answer.namespace()))
                        .setCreated(answer.created())
                        .build());
    }

    @Override
    public void listNamespaces(ListNamespacesRequest request, StreamObserver<ListNamespacesResponse> response) {
        unary.run(
                response,
                call -> {
                    List<NamespaceView> views = control.views();
                    if (control.serving()) {
                        call.ok(views);
                    } else {
                        call.refuse(control.notLeading());
                    }
                },
                (List<NamespaceView> views) -> ListNamespacesResponse.newBuilder()
                        .addAllNamespaces(views.stream()
                                .map(view -> ToWire.namespace(view.namespace()))
                                .toList())
                        .build());
    }

    @Override
    public void describeNamespace(
            DescribeNamespaceRequest request, StreamObserver<DescribeNamespaceResponse> response) {
        unary.run(
                response,
                call -> control.describeNamespace(new NamespaceName(request.getNamespace()), call),
                (Answers.NamespaceDetails answer) -> DescribeNamespaceResponse.newBuilder()
                        .setNamespace(ToWire.namespace(answer.namespace()))
                        .setExecutorCount(answer.executors())
                        .setShardCount(answer.shards())
                        .setUnassignedCount(answer.unassigned())
                        .setReleasingCount(answer.releasing())
                        .setOldestUnassignedMillis(answer.oldestUnassigned().toMillis())
                        .setRevision(answer.revision())
                        .build());
    }

    @Override
    public void deleteNamespace(DeleteNamespaceRequest request, StreamObserver<DeleteNamespaceResponse> response) {
        unary.run(
                response,
                call -> control.deleteNamespace(new NamespaceName(request.getNamespace()), call),
                (NamespaceName gone) -> DeleteNamespaceResponse.getDefaultInstance());
    }

    @Override
    public void listExecutors(ListExecutorsRequest request, StreamObserver<ListExecutorsResponse> response) {
        unary.run(
                response,
                call -> control.listExecutors(new NamespaceName(request.getNamespace()), call),
                (Answers.Executors answer) -> ListExecutorsResponse.newBuilder()
                        .addAllExecutors(answer.executors().stream()
                                .map(ToWire::executor)
                                .toList())
                        .build());
    }

    @Override
    public void describeExecutor(DescribeExecutorRequest request, StreamObserver<DescribeExecutorResponse> response) {
        unary.run(
                response,
                call -> control.describeExecutor(
                        new NamespaceName(request.getNamespace()), new ExecutorId(request.getExecutorId()), call),
                (Answers.ExecutorShards answer) -> DescribeExecutorResponse.newBuilder()
                        .setExecutor(ToWire.executor(answer.details()))
                        .addAllShards(
                                answer.shards().stream().map(ToWire::shard).toList())
                        .build());
    }

    @Override
    public void inspectShard(InspectShardRequest request, StreamObserver<InspectShardResponse> response) {
        unary.run(
                response,
                call -> control.inspectShard(
                        new NamespaceName(request.getNamespace()), new ShardKey(request.getShardKey()), call),
                AdminGrpc::inspected);
    }

    @Override
    public void drainShards(DrainShardsRequest request, StreamObserver<DrainShardsResponse> response) {
        unary.run(
                response,
                call -> control.drainShards(
                        new NamespaceName(request.getNamespace()),
                        FromWire.shardKeys(request.getShardKeysList()),
                        request.getDrainedBy(),
                        request.getReason(),
                        call),
                (Answers.Drained answer) -> DrainShardsResponse.newBuilder()
                        .addAllDrainedShardKeys(answer.changed())
                        .build());
    }

    @Override
    public void undrainShards(UndrainShardsRequest request, StreamObserver<UndrainShardsResponse> response) {
        unary.run(
                response,
                call -> control.undrainShards(
                        new NamespaceName(request.getNamespace()),
                        FromWire.shardKeys(request.getShardKeysList()),
                        call),
                (Answers.Drained answer) -> UndrainShardsResponse.newBuilder()
                        .addAllUndrainedShardKeys(answer.changed())
                        .build());
    }

    @Override
    public void drainHosts(DrainHostsRequest request, StreamObserver<DrainHostsResponse> response) {
        unary.run(
                response,
                call -> control.drainHosts(
                        new NamespaceName(request.getNamespace()),
                        FromWire.hosts(request.getHostsList()),
                        request.getDrainedBy(),
                        request.getReason(),
                        call),
                (Answers.Drained answer) -> DrainHostsResponse.newBuilder()
                        .addAllDrainedHosts(answer.changed())
                        .build());
    }

    @Override
    public void undrainHosts(UndrainHostsRequest request, StreamObserver<UndrainHostsResponse> response) {
        unary.run(
                response,
                call -> control.undrainHosts(
                        new NamespaceName(request.getNamespace()), FromWire.hosts(request.getHostsList()), call),
                (Answers.Drained answer) -> UndrainHostsResponse.newBuilder()
                        .addAllUndrainedHosts(answer.changed())
                        .build());
    }

    @Override
    public void listDrains(ListDrainsRequest request, StreamObserver<ListDrainsResponse> response) {
        unary.run(
                response, call -> control.listDrains(new NamespaceName(request.getNamespace()), call), ToWire::drains);
    }

    @Override
    public void listReplicas(ListReplicasRequest request, StreamObserver<ListReplicasResponse> response) {
        unary.run(response, call -> call.ok(control.queue()), ToWire::replicas);
    }

    @Override
    public void transferLeadership(
            TransferLeadershipRequest request, StreamObserver<TransferLeadershipResponse> response) {
        unary.run(
                response,
                call -> control.transferLeadership(FromWire.replica(request), call),
                (QueuedReplica next) -> TransferLeadershipResponse.newBuilder()
                        .setNext(ToWire.replica(next, ReplicaRole.REPLICA_ROLE_STARTING))
                        .build());
    }

    private static InspectShardResponse inspected(Answers.ShardDetails answer) {
        InspectShardResponse.Builder response =
                InspectShardResponse.newBuilder().setShard(ToWire.shard(answer)).setRevision(answer.revision());
        answer.owner().ifPresent(owner -> response.setOwner(ToWire.executor(owner)));
        return response.build();
    }
}
