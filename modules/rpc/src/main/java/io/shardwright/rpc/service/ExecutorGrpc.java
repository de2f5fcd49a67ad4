package io.shardwright.rpc.service;

import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.shardwright.control.Answers;
import io.shardwright.control.ControlPlane;
import io.shardwright.control.Delivery;
import io.shardwright.control.NamespaceView;
import io.shardwright.domain.InvalidField;
import io.shardwright.domain.Namespace;
import io.shardwright.domain.NamespaceName;
import io.shardwright.domain.ShardKey;
import io.shardwright.proto.v1.AssignmentDelivery;
import io.shardwright.proto.v1.Confirmed;
import io.shardwright.proto.v1.DeregisterRequest;
import io.shardwright.proto.v1.DeregisterResponse;
import io.shardwright.proto.v1.ExecutorServiceGrpc.ExecutorServiceImplBase;
import io.shardwright.proto.v1.RegisterRequest;
import io.shardwright.proto.v1.RegisterResponse;
import io.shardwright.proto.v1.ReleaseRequest;
import io.shardwright.proto.v1.ReleaseResponse;
import io.shardwright.proto.v1.RenewRequest;
import io.shardwright.proto.v1.RenewResponse;
import io.shardwright.proto.v1.WatchAssignmentsRequest;
import java.time.Duration;

/** {@code shardwright.v1.ExecutorService}: leases, sets and releases of executors. Thread-safe. */
public final class ExecutorGrpc extends ExecutorServiceImplBase {

    private final ControlPlane control;
    private final StreamThreads threads;
    private final Unary unary;

    /** Serves a control plane. */
    public ExecutorGrpc(ControlPlane control, StreamThreads threads) {
        this.control = control;
        this.threads = threads;
        this.unary = new Unary(threads.writers());
    }

    @Override
    public void register(RegisterRequest request, StreamObserver<RegisterResponse> response) {
        unary.run(
                response,
                call -> control.register(
                        new NamespaceName(request.getNamespace()),
                        FromWire.executor(request),
                        FromWire.claims(request.getClaimsList()),
                        call),
                (Answers.Registered answer) -> RegisterResponse.newBuilder()
                        .setLeaseMillis(answer.lease().toMillis())
                        .setAssignment(ToWire.assignment(answer.delivery()))
                        .build());
    }

    @Override
    public void renew(RenewRequest request, StreamObserver<RenewResponse> response) {
        unary.run(
                response,
                call -> control.renew(
                        new NamespaceName(request.getNamespace()),
                        FromWire.caller(request.getExecutorId(), request.getProcessId()),
                        FromWire.sequence(request.getSequence()),
                        FromWire.claims(request.getClaimsList()),
                        call),
                ExecutorGrpc::renewed);
    }

    private static RenewResponse renewed(Answers.Renewed answer) {
        RenewResponse.Builder response =
                RenewResponse.newBuilder().setLeaseMillis(answer.lease().toMillis());
        Delivery delivery = answer.delivery();
        if (answer.confirmed()) {
            response.setConfirmed(Confirmed.newBuilder()
                    .setIncarnation(delivery.incarnation())
                    .setRevision(delivery.revision()));
        } else {
            response.setAssignment(ToWire.assignment(delivery));
        }
        return response.build();
    }

    @Override
    public void watchAssignments(WatchAssignmentsRequest request, StreamObserver<AssignmentDelivery> response) {
        try {
            NamespaceName name = new NamespaceName(request.getNamespace());
            Answers.Caller caller = FromWire.caller(request.getExecutorId(), request.getProcessId());
            Duration lease = control.view(name)
                    .map(NamespaceView::namespace)
                    .map(Namespace::lease)
                    .orElse(Namespace.DEFAULT_LEASE);
            AssignmentStream stream =
                    new AssignmentStream((ServerCallStreamObserver<AssignmentDelivery>) response, threads, lease);
            stream.open(listener -> control.watchAssignments(name, caller, listener));
        } catch (InvalidField invalid) {
            response.onError(Refusals.status(invalid));
        } catch (StatusRuntimeException refused) {
            response.onError(refused);
        }
    }

    @Override
    public void release(ReleaseRequest request, StreamObserver<ReleaseResponse> response) {
        unary.run(
                response,
                call -> control.release(
                        new NamespaceName(request.getNamespace()),
                        FromWire.caller(request.getExecutorId(), request.getProcessId()),
                        FromWire.released(request.getShardsList()),
                        call),
                (Answers.Released answer) -> ReleaseResponse.newBuilder()
                        .addAllNotHeld(
                                answer.notHeld().stream().map(ShardKey::value).toList())
                        .build());
    }

    @Override
    public void deregister(DeregisterRequest request, StreamObserver<DeregisterResponse> response) {
        unary.run(
                response,
                call -> control.deregister(
                        new NamespaceName(request.getNamespace()),
                        FromWire.caller(request.getExecutorId(), request.getProcessId()),
                        call),
                (Answers.Leaving answer) -> DeregisterResponse.newBuilder()
                        .addAllToRelease(ToWire.shardEpochs(answer.toRelease()))
                        .build());
    }
}
