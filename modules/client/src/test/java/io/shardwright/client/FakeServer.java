package io.shardwright.client;

import com.google.protobuf.Any;
import com.google.rpc.ErrorInfo;
import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.shardwright.client.lease.FakeManager;
import io.shardwright.client.lease.Transport;
import io.shardwright.domain.system.SystemClock;
import io.shardwright.proto.v1.AssignmentDelivery;
import io.shardwright.proto.v1.DeregisterRequest;
import io.shardwright.proto.v1.DeregisterResponse;
import io.shardwright.proto.v1.ExecutorInfo;
import io.shardwright.proto.v1.ExecutorServiceGrpc;
import io.shardwright.proto.v1.GetShardOwnerRequest;
import io.shardwright.proto.v1.GetShardOwnerResponse;
import io.shardwright.proto.v1.NotLeader;
import io.shardwright.proto.v1.RegisterRequest;
import io.shardwright.proto.v1.RegisterResponse;
import io.shardwright.proto.v1.ReleaseRequest;
import io.shardwright.proto.v1.ReleaseResponse;
import io.shardwright.proto.v1.RenewRequest;
import io.shardwright.proto.v1.RenewResponse;
import io.shardwright.proto.v1.RoutingEvent;
import io.shardwright.proto.v1.RoutingSnapshot;
import io.shardwright.proto.v1.ShardRoute;
import io.shardwright.proto.v1.SpectatorServiceGrpc;
import io.shardwright.proto.v1.WatchAssignmentsRequest;
import io.shardwright.proto.v1.WatchRoutingRequest;
import io.shardwright.testkit.Certificates;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** The fake manager behind a real socket; or a standby that names another server. */
final class FakeServer implements AutoCloseable {

    private static final int NOBODY = -1;

    final FakeManager manager;
    final AtomicInteger calls = new AtomicInteger();
    private final Server server;
    private volatile int leaderPort;

    /** @param leaderPort port of the leader that a standby names; 0: this server is the leader */
    FakeServer(int leaderPort, Duration lease) throws IOException {
        this(leaderPort, lease, Optional.empty());
    }

    /** @param tls the certificate of the server, empty: plain text */
    FakeServer(int leaderPort, Duration lease, Optional<Certificates.Pair> tls) throws IOException {
        this.manager = new FakeManager(new SystemClock(), lease);
        this.leaderPort = leaderPort;
        NettyServerBuilder builder =
                NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        tls.ifPresent(pair -> builder.useTransportSecurity(
                pair.certificate().toFile(), pair.key().toFile()));
        this.server = builder.addService((BindableService) new Executors())
                .addService((BindableService) new Spectators())
                .permitKeepAliveWithoutCalls(true)
                .build()
                .start();
    }

    int port() {
        return server.getPort();
    }

    String target() {
        return "127.0.0.1:" + port();
    }

    void give(String key, String executorId) {
        synchronized (manager) {
            manager.give(key, executorId);
        }
    }

    List<RenewRequest> renewals() {
        synchronized (manager) {
            return List.copyOf(manager.renewals);
        }
    }

    /** Names nobody to callers, or leads again. */
    void leads(boolean leads) {
        leaderPort = leads ? 0 : NOBODY;
    }

    private boolean refuse(StreamObserver<?> out) {
        calls.incrementAndGet();
        if (leaderPort == 0) {
            return false;
        }
        if (leaderPort == NOBODY) {
            out.onError(StatusProto.toStatusRuntimeException(com.google.rpc.Status.newBuilder()
                    .setCode(com.google.rpc.Code.UNAVAILABLE_VALUE)
                    .setMessage("nobody leads")
                    .addDetails(Any.newBuilder().setTypeUrl("type.googleapis.com/shardwright.v1.RefusedBeforeRunning"))
                    .build()));
            return true;
        }
        out.onError(StatusProto.toStatusRuntimeException(com.google.rpc.Status.newBuilder()
                .setCode(com.google.rpc.Code.UNAVAILABLE_VALUE)
                .setMessage("standby")
                .addDetails(Any.pack(NotLeader.newBuilder()
                        .setLeaderHost("127.0.0.1")
                        .setLeaderPort(leaderPort)
                        .build()))
                .addDetails(Any.newBuilder().setTypeUrl("type.googleapis.com/shardwright.v1.RefusedBeforeRunning"))
                .build()));
        return true;
    }

    private static RuntimeException error(int code, String reason) {
        return StatusProto.toStatusRuntimeException(com.google.rpc.Status.newBuilder()
                .setCode(code)
                .setMessage(reason)
                .addDetails(Any.pack(ErrorInfo.newBuilder()
                        .setReason(reason)
                        .setDomain("shardwright")
                        .putMetadata("retry_after_millis", "500")
                        .build()))
                .build());
    }

    private final class Executors extends ExecutorServiceGrpc.ExecutorServiceImplBase {
        @Override
        public void register(RegisterRequest request, StreamObserver<RegisterResponse> out) {
            if (refuse(out)) {
                return;
            }
            synchronized (manager) {
                switch (manager.register(request)) {
                    case Transport.RegisterReply.Registered registered -> answer(out, registered.response());
                    case Transport.RegisterReply.IdInUse inUse ->
                        out.onError(error(com.google.rpc.Code.ALREADY_EXISTS_VALUE, "EXECUTOR_ID_IN_USE"));
                }
            }
        }

        @Override
        public void renew(RenewRequest request, StreamObserver<RenewResponse> out) {
            if (refuse(out)) {
                return;
            }
            synchronized (manager) {
                switch (manager.renew(request)) {
                    case Transport.RenewReply.Renewed renewed -> answer(out, renewed.response());
                    case Transport.RenewReply.NotRegistered unknown ->
                        out.onError(error(com.google.rpc.Code.NOT_FOUND_VALUE, "EXECUTOR_NOT_REGISTERED"));
                    case Transport.RenewReply.IdInUse inUse ->
                        out.onError(error(com.google.rpc.Code.ALREADY_EXISTS_VALUE, "EXECUTOR_ID_IN_USE"));
                }
            }
        }

        @Override
        public void release(ReleaseRequest request, StreamObserver<ReleaseResponse> out) {
            if (!refuse(out)) {
                synchronized (manager) {
                    answer(out, manager.release(request));
                }
            }
        }

        @Override
        public void deregister(DeregisterRequest request, StreamObserver<DeregisterResponse> out) {
            if (!refuse(out)) {
                synchronized (manager) {
                    answer(out, manager.deregister(request).orElseGet(DeregisterResponse::getDefaultInstance));
                }
            }
        }

        @Override
        public void watchAssignments(WatchAssignmentsRequest request, StreamObserver<AssignmentDelivery> out) {
            if (refuse(out)) {
                return;
            }
            ServerCallStreamObserver<AssignmentDelivery> stream = (ServerCallStreamObserver<AssignmentDelivery>) out;
            stream.setOnCancelHandler(() -> {});
            synchronized (manager) {
                if (!manager.watch(request.getExecutorId(), delivery -> {
                    if (!stream.isCancelled()) {
                        stream.onNext(delivery);
                    }
                })) {
                    out.onError(error(com.google.rpc.Code.NOT_FOUND_VALUE, "EXECUTOR_NOT_REGISTERED"));
                }
            }
        }
    }

    private final class Spectators extends SpectatorServiceGrpc.SpectatorServiceImplBase {
        @Override
        public void getShardOwner(GetShardOwnerRequest request, StreamObserver<GetShardOwnerResponse> out) {
            if (refuse(out)) {
                return;
            }
            if (request.getShardKey().equals("missing")) {
                out.onError(error(com.google.rpc.Code.NOT_FOUND_VALUE, "SHARD_NOT_FOUND"));
                return;
            }
            answer(
                    out,
                    GetShardOwnerResponse.newBuilder()
                            .setOwner(ExecutorInfo.newBuilder().setExecutorId("created"))
                            .setEpoch(1)
                            .build());
        }

        @Override
        public void watchRouting(WatchRoutingRequest request, StreamObserver<RoutingEvent> out) {
            out.onNext(RoutingEvent.newBuilder()
                    .setIncarnation("A")
                    .setRevision(5)
                    .setSnapshot(RoutingSnapshot.newBuilder()
                            .setFirst(true)
                            .setLast(true)
                            .addExecutors(ExecutorInfo.newBuilder()
                                    .setExecutorId("e1")
                                    .setAddress("h:1"))
                            .addShards(ShardRoute.newBuilder()
                                    .setShardKey("7")
                                    .setOwner("e1")
                                    .setEpoch(3)))
                    .build());
        }
    }

    private static <T> void answer(StreamObserver<T> out, T value) {
        out.onNext(value);
        out.onCompleted();
    }

    @Override
    public void close() throws InterruptedException {
        server.shutdownNow().awaitTermination();
    }
}
