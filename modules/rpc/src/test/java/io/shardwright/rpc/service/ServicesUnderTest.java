package io.shardwright.rpc.service;

import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.shardwright.control.ControlPlane;
import io.shardwright.control.ControlSettings;
import io.shardwright.domain.system.EventLoop;
import io.shardwright.domain.system.SystemClock;
import io.shardwright.domain.system.SystemRandom;
import io.shardwright.election.LocalElection;
import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.memory.MemoryStore;
import io.shardwright.proto.v1.AdminServiceGrpc;
import io.shardwright.proto.v1.AdminServiceGrpc.AdminServiceBlockingStub;
import io.shardwright.proto.v1.CreateNamespaceRequest;
import io.shardwright.proto.v1.ExecutorServiceGrpc;
import io.shardwright.proto.v1.ExecutorServiceGrpc.ExecutorServiceBlockingStub;
import io.shardwright.proto.v1.Namespace;
import io.shardwright.proto.v1.NamespaceKind;
import io.shardwright.proto.v1.RegisterRequest;
import io.shardwright.proto.v1.RegisterResponse;
import io.shardwright.proto.v1.ReleaseRequest;
import io.shardwright.proto.v1.RenewRequest;
import io.shardwright.proto.v1.RenewResponse;
import io.shardwright.proto.v1.ShardClaim;
import io.shardwright.proto.v1.ShardEpoch;
import io.shardwright.proto.v1.SpectatorServiceGrpc;
import io.shardwright.proto.v1.SpectatorServiceGrpc.SpectatorServiceBlockingStub;
import io.shardwright.proto.v1.WatchAssignmentsRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The services as a client sees them: real control plane, memory store and event loop behind in-process gRPC. */
final class ServicesUnderTest implements AutoCloseable {

    static final String FIXED = "orders";
    static final String EPHEMERAL = "sessions";
    static final int SHARDS = 8;

    final ControlPlane control;
    final EventLoop loop = EventLoop.start("test-control");
    private final Store store;
    private final StreamThreads threads = StreamThreads.start();
    private final Server server;
    final ManagedChannel channel;

    ServicesUnderTest() {
        this(RoutingHistory.Limits.DEFAULT);
    }

    ServicesUnderTest(RoutingHistory.Limits limits) {
        SystemClock clock = new SystemClock();
        store = MemoryStore.open(clock, loop);
        ControlListeners listeners = new ControlListeners();
        control = new ControlPlane(
                new ControlPlane.Ports(clock, loop, new SystemRandom(), store),
                new LocalElection(store, loop, Bytes.utf8("/shardwright/leader"), "test"),
                ControlSettings.DEFAULT,
                List.of(),
                listeners);
        RoutingFeed feed = new RoutingFeed(control.incarnation(), threads, limits);
        listeners.add(feed);
        String name = UUID.randomUUID().toString();
        server = InProcessServerBuilder.forName(name)
                .executor(threads.writers())
                .addService(new ExecutorGrpc(control, threads))
                .addService(new SpectatorGrpc(control, feed, threads))
                .addService(new AdminGrpc(control, threads))
                .build();
        try {
            server.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        channel = InProcessChannelBuilder.forName(name).build();
    }

    /** Serves a fixed and an ephemeral namespace. */
    static ServicesUnderTest serving() {
        ServicesUnderTest services = new ServicesUnderTest();
        services.start();
        services.create(FIXED, NamespaceKind.NAMESPACE_KIND_FIXED, SHARDS);
        services.create(EPHEMERAL, NamespaceKind.NAMESPACE_KIND_EPHEMERAL, 0);
        return services;
    }

    void start() {
        CountDownLatch started = new CountDownLatch(1);
        control.start(outcome -> started.countDown());
        await(started);
    }

    void stop() {
        CountDownLatch stopped = new CountDownLatch(1);
        control.stop(stopped::countDown);
        await(stopped);
    }

    void create(String name, NamespaceKind kind, int shards) {
        var ignored = admin().createNamespace(CreateNamespaceRequest.newBuilder()
                .setNamespace(Namespace.newBuilder()
                        .setName(name)
                        .setKind(kind)
                        .setShardCount(shards)
                        .setLeaseMillis(60_000))
                .build());
    }

    ExecutorServiceBlockingStub executors() {
        return ExecutorServiceGrpc.newBlockingStub(channel).withDeadlineAfter(20, TimeUnit.SECONDS);
    }

    SpectatorServiceBlockingStub spectators() {
        return SpectatorServiceGrpc.newBlockingStub(channel).withDeadlineAfter(20, TimeUnit.SECONDS);
    }

    AdminServiceBlockingStub admin() {
        return AdminServiceGrpc.newBlockingStub(channel).withDeadlineAfter(20, TimeUnit.SECONDS);
    }

    RegisterResponse register(String id) {
        return executors().register(registration(id));
    }

    static RegisterRequest registration(String id) {
        return RegisterRequest.newBuilder()
                .setNamespace(FIXED)
                .setExecutorId(id)
                .setProcessId("process of " + id)
                .setAddress(id + ":7000")
                .build();
    }

    RenewResponse renew(String id, long sequence, ShardClaim... claims) {
        return executors().renew(renewal(id, sequence, claims));
    }

    static RenewRequest renewal(String id, long sequence, ShardClaim... claims) {
        return RenewRequest.newBuilder()
                .setNamespace(FIXED)
                .setExecutorId(id)
                .setProcessId("process of " + id)
                .setSequence(sequence)
                .addAllClaims(List.of(claims))
                .build();
    }

    static WatchAssignmentsRequest watch(String id) {
        return WatchAssignmentsRequest.newBuilder()
                .setNamespace(FIXED)
                .setExecutorId(id)
                .setProcessId("process of " + id)
                .build();
    }

    static ReleaseRequest release(String id, ShardEpoch... shards) {
        return ReleaseRequest.newBuilder()
                .setNamespace(FIXED)
                .setExecutorId(id)
                .setProcessId("process of " + id)
                .addAllShards(List.of(shards))
                .build();
    }

    static ShardClaim claim(String key, long epoch) {
        return ShardClaim.newBuilder().setShardKey(key).setEpoch(epoch).build();
    }

    static ShardClaim claim(ShardEpoch shard) {
        return claim(shard.getShardKey(), shard.getEpoch());
    }

    static ShardClaim[] claims(List<ShardEpoch> shards) {
        return shards.stream().map(ServicesUnderTest::claim).toArray(ShardClaim[]::new);
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(20, TimeUnit.SECONDS)) {
                throw new AssertionError("the event loop did not answer within 20 s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        channel.shutdownNow();
        server.shutdownNow();
        store.close();
        loop.close();
        threads.close();
    }
}
