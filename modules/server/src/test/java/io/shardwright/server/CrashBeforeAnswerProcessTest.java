package io.shardwright.server;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.shardwright.client.ExecutorClient;
import io.shardwright.client.ShardContext;
import io.shardwright.client.ShardProcessor;
import io.shardwright.client.lease.ShardStop;
import io.shardwright.proto.v1.GetRoutingTableRequest;
import io.shardwright.proto.v1.ShardRoute;
import io.shardwright.proto.v1.SpectatorServiceGrpc;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server process that dies between the commit of a decision and its delivery, with executors that live on. */
final class CrashBeforeAnswerProcessTest {

    private static final int SHARDS = 16;

    /** The lease outlasts the restart, so whoever stops a shard was told to. */
    private static final String NAMESPACES =
            "[{\"name\":\"orders\",\"kind\":\"fixed\",\"shard-count\":" + SHARDS + ",\"lease\":\"120s\"}]";

    @TempDir
    Path directory;

    private final Map<String, ShardContext> newest = new ConcurrentHashMap<>();
    private final Queue<String> violations = new ConcurrentLinkedQueue<>();

    /** The second executor's registration, with the releases it asks for; then what the releases lead to. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void executorsContinueWithWhatTheDeadServerStoredAndNoShardHasTwoOwners(int changes) throws Exception {
        int port = freePort();
        Path armed = directory.resolve("armed");
        ServerProcess dying = ServerProcess.startMain(
                directory,
                HaltingServer.class,
                armed.toString(),
                Integer.toString(changes),
                "persistence.type=sqlite",
                "persistence.sqlite.file=" + directory.resolve("state.db"),
                "grpc.port=" + port,
                "http.port=0",
                "namespaces=" + NAMESPACES);
        try (dying) {
            ManagedChannel channel = dying.connect();
            try (ExecutorClient a = executor("a", port)) {
                await().atMost(Duration.ofSeconds(60)).until(() -> running(a) == SHARDS);
                Map<String, Long> before = epochs(channel);
                Files.createFile(armed);
                try (ExecutorClient b = executor("b", port)) {
                    assertEquals(HaltingServer.HALTED, dying.exitCode(), dying::log);
                    if (changes == 1) {
                        assertEquals(0, b.describe().shards().size(), "b was told nothing");
                        assertEquals(SHARDS, running(a), "a was not asked for anything");
                    }
                    continueOnANewServer(port, a, b, before);
                }
            }
        }
        assertEquals(List.of(), List.copyOf(violations));
    }

    private void continueOnANewServer(int port, ExecutorClient a, ExecutorClient b, Map<String, Long> before)
            throws Exception {
        try (ServerProcess next = ServerProcess.start(
                directory,
                "--store",
                "sqlite:" + directory.resolve("state.db"),
                "--grpc-port",
                Integer.toString(port),
                "--http-port",
                "0",
                "--set",
                "namespaces=" + NAMESPACES)) {
            ManagedChannel channel = next.connect();
            await().atMost(Duration.ofSeconds(60)).until(() -> running(a) == SHARDS / 2 && running(b) == SHARDS / 2);
            Map<String, Long> after = epochs(channel);
            int kept = 0;
            for (Map.Entry<String, Long> epoch : before.entrySet()) {
                long now = after.getOrDefault(epoch.getKey(), 0L);
                assertTrue(now >= epoch.getValue(), "the epoch of shard " + epoch.getKey() + " fell to " + now);
                kept += a.isOwned(epoch.getKey(), epoch.getValue()) ? 1 : 0;
            }
            assertEquals(SHARDS / 2, kept, "a never stopped what it keeps");
        }
    }

    private ExecutorClient executor(String id, int port) {
        return ExecutorClient.builder()
                .target("127.0.0.1:" + port)
                .namespace("orders")
                .executorId(id)
                .address(id + ":7000")
                .processors(key -> new Watched())
                .closeTimeout(Duration.ofSeconds(1)) // there is no server any more to hand over to
                .start();
    }

    private long running(ExecutorClient client) {
        return newest.values().stream()
                .filter(shard -> shard.owner().equals(client.owner()) && shard.isOwned())
                .count();
    }

    private static Map<String, Long> epochs(ManagedChannel channel) {
        Map<String, Long> epochs = new TreeMap<>();
        for (ShardRoute route : SpectatorServiceGrpc.newBlockingStub(channel)
                .getRoutingTable(GetRoutingTableRequest.newBuilder()
                        .setNamespace("orders")
                        .build())
                .getShardsList()) {
            epochs.put(route.getShardKey(), route.getEpoch());
        }
        return epochs;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Looks, as it starts, whether the shard still runs elsewhere, and whether its epoch is a new one. */
    private final class Watched implements ShardProcessor {

        @Override
        public void start(ShardContext shard) {
            ShardContext before = newest.put(shard.shardKey(), shard);
            if (before != null && before.isOwned() && shard.isOwned()) {
                violations.add(shard + " starts while " + before + " runs");
            }
            if (before != null && before.epoch() >= shard.epoch()) {
                violations.add(shard + " starts after " + before);
            }
        }

        @Override
        public void stop(ShardStop reason) {}
    }
}
