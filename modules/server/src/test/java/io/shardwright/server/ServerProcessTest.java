package io.shardwright.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.shardwright.proto.v1.AdminServiceGrpc;
import io.shardwright.proto.v1.DescribeExecutorRequest;
import io.shardwright.proto.v1.ExecutorServiceGrpc;
import io.shardwright.proto.v1.GetRoutingTableRequest;
import io.shardwright.proto.v1.GetRoutingTableResponse;
import io.shardwright.proto.v1.RegisterRequest;
import io.shardwright.proto.v1.RegisterResponse;
import io.shardwright.proto.v1.ReleaseRequest;
import io.shardwright.proto.v1.RenewRequest;
import io.shardwright.proto.v1.RenewResponse;
import io.shardwright.proto.v1.ShardClaim;
import io.shardwright.proto.v1.ShardEpoch;
import io.shardwright.proto.v1.ShardRoute;
import io.shardwright.proto.v1.SpectatorServiceGrpc;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a server process keeps and how it ends. */
final class ServerProcessTest {

    private static final int SHARDS = 16;

    @TempDir
    Path directory;

    @Test
    void whatWasAcknowledgedOutlivesAKilledServerAndEpochsNeverFall() throws Exception {
        Map<String, Long> epochs;
        RegisterResponse registered;
        try (ServerProcess server = start()) {
            ManagedChannel channel = server.connect();
            registered = ExecutorServiceGrpc.newBlockingStub(channel).register(registration("a"));
            assertEquals(SHARDS, registered.getAssignment().getShardsCount());
            epochs = epochs(channel);
            server.kill();
        }
        try (ServerProcess server = start()) {
            ManagedChannel channel = server.connect();
            GetRoutingTableResponse table = table(channel);
            assertTrue(table.getShardsList().stream()
                    .allMatch(route -> route.getOwner().equals("a")));
            assertEquals("a:7000", table.getExecutors(0).getAddress());
            assertEquals(epochs, epochs(channel));
            assertTrue(!table.getIncarnation().equals(registered.getAssignment().getIncarnation()));

            RenewResponse renewed = ExecutorServiceGrpc.newBlockingStub(channel).renew(renewal(registered));
            assertTrue(renewed.hasConfirmed(), "the process of before the crash goes on without a new registration");

            handHalfOver(channel, registered);
            Map<String, Long> later = epochs(channel);
            epochs.forEach((key, epoch) -> assertTrue(later.getOrDefault(key, 0L) >= epoch, "epoch of shard " + key));
            assertTrue(later.values().stream().mapToLong(Long::longValue).sum()
                    > epochs.values().stream().mapToLong(Long::longValue).sum());
        }
    }

    @Test
    void aTerminatedServerSaysGoodbyeAndExitsWithZero() throws Exception {
        try (ServerProcess server =
                ServerProcess.startOnFreePorts(directory, "--store", "memory", "--namespace", "orders:fixed:4")) {
            ManagedChannel channel = server.connect();
            var health = HealthGrpc.newBlockingStub(channel);
            for (String service : List.of("", Server.HEALTH_SERVICE)) {
                assertEquals(
                        ServingStatus.SERVING,
                        health.check(HealthCheckRequest.newBuilder()
                                        .setService(service)
                                        .build())
                                .getStatus());
            }
            assertEquals(0, server.terminate(), server::log);
            assertEquals("stopped", server.nextLine());
            assertTrue(!server.log().contains("There is no"), "no library complains: " + server.log());
        }
    }

    @Test
    void whoeverSpeaksSomethingElseToTheGrpcPortIsOneLineInTheLog() throws Exception {
        try (ServerProcess server = ServerProcess.startOnFreePorts(directory, "--store", "memory")) {
            URI address = URI.create("grpc://" + server.connect().authority());
            for (String hello : List.of("GET / HTTP/1.1\r\n\r\n", "who is there, and what do you speak?\r\n")) {
                try (Socket stranger = new Socket(address.getHost(), address.getPort())) {
                    stranger.getOutputStream().write(hello.getBytes(StandardCharsets.US_ASCII));
                    stranger.getInputStream().readAllBytes(); // until the server ends it
                }
            }
            try (SSLSocket stranger = (SSLSocket)
                    SSLContext.getDefault().getSocketFactory().createSocket(address.getHost(), address.getPort())) {
                assertThrows(IOException.class, stranger::startHandshake);
            }
            Awaitility.await()
                    .untilAsserted(() -> assertTrue(server.log().contains("a client spoke TLS"), server.log()));
            assertTrue(server.log().contains("a client spoke HTTP/1 to the gRPC port"), server.log());
            assertTrue(server.log().contains("a client spoke something else than gRPC"), server.log());
            assertTrue(!server.log().contains("\tat "), server.log());
        }
    }

    @Test
    void aWrongCommandLineStartsNothing() throws Exception {
        Path store = directory.resolve("state.db");
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ServerProcess server = ServerProcess.start(
                        directory,
                        "--store",
                        "sqlite:" + store,
                        "--grpc-port",
                        Integer.toString(taken.getLocalPort()),
                        "--namespace",
                        "orders:fixed:0")) {
            assertEquals(2, server.exitCode());
            assertTrue(server.log().contains("namespaces"), server.log());
            assertTrue(!server.log().contains("cannot listen"), server.log());
            assertTrue(!Files.exists(store), "no store is opened for a configuration that is wrong");
        }
    }

    private ServerProcess start() throws Exception {
        return ServerProcess.startOnFreePorts(
                directory,
                "--store",
                "sqlite:" + directory.resolve("state.db"),
                "--namespace",
                "orders:fixed:" + SHARDS);
    }

    /** A second executor joins; the first releases what it is asked to. */
    private static void handHalfOver(ManagedChannel channel, RegisterResponse registered) {
        var executors = ExecutorServiceGrpc.newBlockingStub(channel);
        var joined = executors.register(registration("b"));
        assertEquals(0, joined.getAssignment().getShardsCount(), "nothing moves before it is released");
        List<ShardEpoch> kept = AdminServiceGrpc.newBlockingStub(channel)
                .describeExecutor(DescribeExecutorRequest.newBuilder()
                        .setNamespace("orders")
                        .setExecutorId("a")
                        .build())
                .getShardsList()
                .stream()
                .filter(shard -> shard.getNextOwner().isEmpty())
                .map(shard -> ShardEpoch.newBuilder()
                        .setShardKey(shard.getShardKey())
                        .setEpoch(shard.getEpoch())
                        .build())
                .toList();
        List<ShardEpoch> toGive = registered.getAssignment().getShardsList().stream()
                .filter(shard -> !kept.contains(shard))
                .toList();
        assertEquals(SHARDS / 2, toGive.size());
        var answer = executors.release(ReleaseRequest.newBuilder()
                .setNamespace("orders")
                .setExecutorId("a")
                .setProcessId("process of a")
                .addAllShards(toGive)
                .build());
        assertEquals(List.of(), answer.getNotHeldList());
        assertEquals(
                SHARDS / 2,
                table(channel).getShardsList().stream()
                        .filter(route -> route.getOwner().equals("b"))
                        .count());
    }

    private static GetRoutingTableResponse table(ManagedChannel channel) {
        return SpectatorServiceGrpc.newBlockingStub(channel)
                .getRoutingTable(GetRoutingTableRequest.newBuilder()
                        .setNamespace("orders")
                        .build());
    }

    private static Map<String, Long> epochs(ManagedChannel channel) {
        Map<String, Long> epochs = new TreeMap<>();
        for (ShardRoute route : table(channel).getShardsList()) {
            epochs.put(route.getShardKey(), route.getEpoch());
        }
        return epochs;
    }

    private static RegisterRequest registration(String id) {
        return RegisterRequest.newBuilder()
                .setNamespace("orders")
                .setExecutorId(id)
                .setProcessId("process of " + id)
                .setAddress(id + ":7000")
                .build();
    }

    private static RenewRequest renewal(RegisterResponse registered) {
        return RenewRequest.newBuilder()
                .setNamespace("orders")
                .setExecutorId("a")
                .setProcessId("process of a")
                .setSequence(1)
                .addAllClaims(registered.getAssignment().getShardsList().stream()
                        .map(shard -> ShardClaim.newBuilder()
                                .setShardKey(shard.getShardKey())
                                .setEpoch(shard.getEpoch())
                                .build())
                        .toList())
                .build();
    }
}
