package io.shardwright.server;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Any;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.protobuf.StatusProto;
import io.shardwright.client.ExecutorClient;
import io.shardwright.client.ShardContext;
import io.shardwright.client.ShardProcessor;
import io.shardwright.client.SpectatorClient;
import io.shardwright.client.lease.ShardStop;
import io.shardwright.client.routing.Route;
import io.shardwright.proto.v1.ExecutorServiceGrpc;
import io.shardwright.proto.v1.GetRoutingTableRequest;
import io.shardwright.proto.v1.NotLeader;
import io.shardwright.proto.v1.RegisterRequest;
import io.shardwright.proto.v1.SpectatorServiceGrpc;
import io.shardwright.testkit.TestEtcd;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three servers on one etcd, and executors that must not notice which of them leads. */
final class ReplicasProcessTest {

    private static final System.Logger LOG = System.getLogger(ReplicasProcessTest.class.getName());

    private static final int SHARDS = 16;
    private static final Duration LEASE = Duration.ofSeconds(12);
    private static final Duration LEADER_TTL = Duration.ofSeconds(4);

    /** For machines that are busy with other builds. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    private final AtomicInteger stops = new AtomicInteger();

    private record Replica(ServerProcess process, ManagedChannel channel) {

        boolean serves() {
            return HealthGrpc.newBlockingStub(channel)
                            .check(HealthCheckRequest.newBuilder()
                                    .setService(Server.HEALTH_SERVICE)
                                    .build())
                            .getStatus()
                    == ServingStatus.SERVING;
        }
    }

    @Test
    @Tag("R23")
    @Tag("R27")
    @Tag("R94")
    @Tag("R96")
    @Tag("R101")
    @Tag("R106")
    @Tag("R128")
    @Tag("R139")
    @Tag("R140")
    @Tag("R154")
    @Tag("B2")
    @Tag("R93")
    @Tag("R107")
    void executorsKeepTheirShardsWhenTheLeaderIsStoppedAndWhenTheNextOneIsKilled() throws Exception {
        try (TestEtcd etcd = TestEtcd.start();
                ServerProcess one = start(etcd);
                ServerProcess two = start(etcd);
                ServerProcess three = start(etcd)) {
            List<Replica> replicas = new ArrayList<>();
            for (ServerProcess process : List.of(one, two, three)) {
                replicas.add(new Replica(process, process.connect()));
            }
            String[] targets = replicas.stream()
                    .map(replica -> replica.channel().authority())
                    .toArray(String[]::new);
            Replica first = leader(replicas);
            Set<String> ofA = new ConcurrentSkipListSet<>();
            Set<String> ofB = new ConcurrentSkipListSet<>();
            try (ExecutorClient a = executor("a", ofA, targets);
                    ExecutorClient b = executor("b", ofB, targets)) {
                await().atMost(PATIENCE).until(() -> ofA.size() == SHARDS / 2 && ofB.size() == SHARDS / 2);
                stops.set(0);
                assertTrue(first.process().log().contains("only processes on this machine can be sent here"));
                TreeMap<String, String> owners = owners(first);
                standbysRedirectExecutorsAndServeRouters(replicas, first, owners);

                replicas.remove(first);
                long stopped = System.nanoTime();
                first.process().askToStop();
                Replica second = leader(replicas);
                LOG.log(
                        System.Logger.Level.INFO,
                        "SIGTERM of the leader to the next one serving: {0} ms",
                        (System.nanoTime() - stopped) / 1_000_000);
                assertEquals(owners, owners(second));
                assertEquals(0, first.process().exitCode(), first.process()::log);

                replicas.remove(second);
                long killed = System.nanoTime();
                second.process().kill();
                Replica third = leader(replicas);
                LOG.log(
                        System.Logger.Level.INFO,
                        "SIGKILL of the leader to the next one serving: {0} ms",
                        (System.nanoTime() - killed) / 1_000_000);
                assertEquals(owners, owners(third));

                // The new leader's patience: whoever did not renew with it would be lost by then.
                await().during(LEASE.plusSeconds(1))
                        .atMost(LEASE.plusSeconds(10))
                        .until(() -> owners(third).equals(owners) && stops.get() == 0);
            }
        }
    }

    private void standbysRedirectExecutorsAndServeRouters(
            List<Replica> replicas, Replica leader, TreeMap<String, String> owners) throws Exception {
        int leaderPort = Integer.parseInt(leader.channel().authority().split(":", 2)[1]);
        double leaders = 0;
        for (Replica replica : replicas) {
            String metrics = get(replica, "/metrics").body();
            leaders += metrics.contains("shard_manager_is_leader 1.0") ? 1 : 0;
            assertEquals(200, get(replica, "/readyz").statusCode());
            if (replica.equals(leader)) {
                continue;
            }
            StatusRuntimeException refused = assertThrows(
                    StatusRuntimeException.class,
                    () -> ExecutorServiceGrpc.newBlockingStub(replica.channel())
                            .register(RegisterRequest.newBuilder()
                                    .setNamespace("orders")
                                    .setExecutorId("c")
                                    .setProcessId("c")
                                    .setAddress("c:7000")
                                    .build()));
            assertEquals(Status.Code.UNAVAILABLE, refused.getStatus().getCode());
            List<Any> details = StatusProto.fromStatusAndTrailers(refused.getStatus(), refused.getTrailers())
                    .getDetailsList();
            NotLeader named = details.stream()
                    .filter(detail -> detail.is(NotLeader.class))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(refused.toString()))
                    .unpack(NotLeader.class);
            assertEquals("127.0.0.1", named.getLeaderHost());
            assertEquals(leaderPort, named.getLeaderPort());
            await().atMost(PATIENCE).until(() -> owners(replica).equals(owners));
            try (SpectatorClient router = SpectatorClient.builder()
                    .target(replica.channel().authority())
                    .namespace("orders")
                    .start()) {
                assertTrue(router.awaitReady(PATIENCE));
                Route route = router.ownerOf("3").orElseThrow();
                assertEquals(owners.get("3"), route.executor().id() + "@" + route.epoch());
            }
        }
        assertEquals(1, leaders);
    }

    private ServerProcess start(TestEtcd etcd) throws Exception {
        return ServerProcess.start(
                directory,
                "--set=persistence.type=etcd",
                "--set=persistence.etcd.endpoints=" + etcd.endpoint(),
                "--set=persistence.etcd.leader-lease-ttl=" + LEADER_TTL.toSeconds() + "s",
                "--set=persistence.etcd.request-timeout=1s",
                "--set=grpc.bind-address=127.0.0.1",
                "--set=grpc.advertised-host=127.0.0.1",
                "--set=namespaces=[{name: orders, kind: fixed, shard-count: " + SHARDS + ", lease: " + LEASE.toSeconds()
                        + "s}]",
                "--grpc-port=0",
                "--http-port=0");
    }

    private ExecutorClient executor(String id, Set<String> running, String... targets) throws Exception {
        ExecutorClient client = ExecutorClient.builder()
                .target(targets)
                .namespace("orders")
                .executorId(id)
                .address(id + ":7000")
                .processors(key -> new ShardProcessor() {
                    @Override
                    public void start(ShardContext shard) {
                        running.add(key);
                    }

                    @Override
                    public void stop(ShardStop reason) {
                        running.remove(key);
                        stops.incrementAndGet();
                    }
                })
                .start();
        assertTrue(client.awaitRegistered(PATIENCE));
        return client;
    }

    /** Waits until one of them serves; looks as often as it can, because the wait is measured. */
    private static Replica leader(List<Replica> replicas) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() - end < 0) {
            for (Replica replica : replicas) {
                if (replica.serves()) {
                    return replica;
                }
            }
            LockSupport.parkNanos(1_000_000);
        }
        StringBuilder logs = new StringBuilder();
        replicas.forEach(replica -> logs.append("\n").append(replica.process().log()));
        throw new AssertionError("nobody serves after " + PATIENCE + logs);
    }

    /** Owner and epoch of each shard, as one replica tells it. */
    private static TreeMap<String, String> owners(Replica replica) {
        TreeMap<String, String> owners = new TreeMap<>();
        SpectatorServiceGrpc.newBlockingStub(replica.channel())
                .getRoutingTable(GetRoutingTableRequest.newBuilder()
                        .setNamespace("orders")
                        .build())
                .getShardsList()
                .forEach(route -> owners.put(route.getShardKey(), route.getOwner() + "@" + route.getEpoch()));
        return owners;
    }

    private static HttpResponse<String> get(Replica replica, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + replica.process().httpPort() + path);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }
}
