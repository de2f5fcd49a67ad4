package io.shardwright.canary;

import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.shardwright.proto.canary.v1.CanaryServiceGrpc;
import io.shardwright.proto.canary.v1.PingRequest;
import io.shardwright.proto.canary.v1.PingResponse;
import io.shardwright.proto.v1.AdminServiceGrpc;
import io.shardwright.proto.v1.DescribeNamespaceRequest;
import io.shardwright.proto.v1.DescribeNamespaceResponse;
import io.shardwright.proto.v1.ExecutorInfo;
import io.shardwright.proto.v1.GetShardOwnerRequest;
import io.shardwright.proto.v1.GetShardOwnerResponse;
import io.shardwright.proto.v1.Namespace;
import io.shardwright.proto.v1.NamespaceKind;
import io.shardwright.proto.v1.RoutingDelta;
import io.shardwright.proto.v1.RoutingEvent;
import io.shardwright.proto.v1.RoutingSnapshot;
import io.shardwright.proto.v1.ShardRoute;
import io.shardwright.proto.v1.SpectatorServiceGrpc;
import io.shardwright.proto.v1.WatchRoutingRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A shard manager of one shard and its two executors. The table first names {@code a} at epoch 1, then {@code b} at
 * epoch 2; whether {@code a} lets go is up to the test.
 */
final class LyingCluster implements AutoCloseable {

    private final List<StreamObserver<RoutingEvent>> watchers = new CopyOnWriteArrayList<>();
    private final Server manager;
    private final Server first;
    private final Server second;
    private volatile boolean moved;

    LyingCluster(boolean firstLetsGo) throws IOException {
        first = serve(executor("a", 1, () -> !(moved && firstLetsGo)));
        second = serve(executor("b", 2, () -> moved));
        manager = serve(new Admin(), new Spectator());
    }

    private interface Owns {
        boolean now();
    }

    String target() {
        return "127.0.0.1:" + manager.getPort();
    }

    /** Says whether the canary follows the table. */
    boolean isWatched() {
        return !watchers.isEmpty();
    }

    /** Gives the shard to the second executor. */
    void move() {
        moved = true;
        RoutingEvent event = RoutingEvent.newBuilder()
                .setIncarnation("m")
                .setRevision(2)
                .setDelta(RoutingDelta.newBuilder().setFromRevision(1).addShards(route("b", 2)))
                .build();
        watchers.forEach(watcher -> watcher.onNext(event));
    }

    private static Server serve(BindableService... services) throws IOException {
        NettyServerBuilder builder =
                NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        List.of(services).forEach(builder::addService);
        return builder.build().start();
    }

    private static ShardRoute route(String owner, long epoch) {
        return ShardRoute.newBuilder()
                .setShardKey("0")
                .setOwner(owner)
                .setEpoch(epoch)
                .build();
    }

    private static BindableService executor(String id, long epoch, Owns owns) {
        return new CanaryServiceGrpc.CanaryServiceImplBase() {
            @Override
            public void ping(PingRequest request, StreamObserver<PingResponse> observer) {
                boolean owned = owns.now();
                observer.onNext(PingResponse.newBuilder()
                        .setExecutorId(id)
                        .setProcessId("p-" + id)
                        .setOwned(owned)
                        .setEpoch(owned ? epoch : 0)
                        .build());
                observer.onCompleted();
            }
        };
    }

    private static final class Admin extends AdminServiceGrpc.AdminServiceImplBase {
        @Override
        public void describeNamespace(
                DescribeNamespaceRequest request, StreamObserver<DescribeNamespaceResponse> observer) {
            boolean fixed = request.getNamespace().equals("canary-fixed");
            observer.onNext(DescribeNamespaceResponse.newBuilder()
                    .setNamespace(Namespace.newBuilder()
                            .setName(request.getNamespace())
                            .setKind(
                                    fixed ? NamespaceKind.NAMESPACE_KIND_FIXED : NamespaceKind.NAMESPACE_KIND_EPHEMERAL)
                            .setShardCount(fixed ? 1 : 0)
                            .setLeaseMillis(1000))
                    .build());
            observer.onCompleted();
        }
    }

    private final class Spectator extends SpectatorServiceGrpc.SpectatorServiceImplBase {
        @Override
        public void watchRouting(WatchRoutingRequest request, StreamObserver<RoutingEvent> observer) {
            boolean fixed = request.getNamespace().equals("canary-fixed");
            RoutingSnapshot.Builder snapshot =
                    RoutingSnapshot.newBuilder().setFirst(true).setLast(true);
            if (fixed) {
                snapshot.addExecutors(info("a", first))
                        .addExecutors(info("b", second))
                        .addShards(route("a", 1));
            }
            observer.onNext(RoutingEvent.newBuilder()
                    .setIncarnation("m")
                    .setRevision(1)
                    .setSnapshot(snapshot)
                    .build());
            if (fixed) {
                watchers.add(observer);
            }
        }

        @Override
        public void getShardOwner(GetShardOwnerRequest request, StreamObserver<GetShardOwnerResponse> observer) {
            observer.onNext(GetShardOwnerResponse.getDefaultInstance());
            observer.onCompleted();
        }

        private static ExecutorInfo info(String id, Server server) {
            return ExecutorInfo.newBuilder()
                    .setExecutorId(id)
                    .setAddress("127.0.0.1:" + server.getPort())
                    .build();
        }
    }

    @Override
    public void close() {
        manager.shutdownNow();
        first.shutdownNow();
        second.shutdownNow();
    }
}
