package io.shardwright.server;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.shardwright.client.ExecutorClient;
import io.shardwright.client.ShardContext;
import io.shardwright.client.ShardProcessor;
import io.shardwright.client.lease.ShardStop;
import io.shardwright.proto.v1.AdminServiceGrpc;
import io.shardwright.proto.v1.CreateNamespaceRequest;
import io.shardwright.proto.v1.ExecutorServiceGrpc;
import io.shardwright.proto.v1.Namespace;
import io.shardwright.proto.v1.NamespaceKind;
import io.shardwright.proto.v1.RegisterRequest;
import io.shardwright.proto.v1.RegisterResponse;
import io.shardwright.server.config.ConfigInputs;
import io.shardwright.server.config.ConfigLoader;
import io.shardwright.server.config.LoadedConfig;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a server starts, and with which words it does not. */
final class ServerTest {

    @TempDir
    Path directory;

    @Test
    @Tag("R140")
    @Tag("R141")
    @Tag("R144")
    void aServerIsReadyWhenItHasStarted() throws Exception {
        try (Server server = Server.start(config("persistence.type=memory", "namespaces=orders:fixed:4"))) {
            assertEquals(200, get(server, "/readyz").statusCode());
            String metrics = get(server, "/metrics").body();
            assertTrue(metrics.contains("shard_manager_is_serving 1.0"), metrics);
            assertTrue(metrics.contains("shard_manager_is_leader 1.0"), metrics);
            double since = metrics.lines()
                    .filter(line -> line.startsWith("shard_manager_leader_since_epoch "))
                    .mapToDouble(line -> Double.parseDouble(line.split(" ", -1)[1]))
                    .sum();
            assertTrue(Math.abs(since - System.currentTimeMillis() / 1000.0) < 600, metrics);
            assertTrue(
                    metrics.contains("shard_manager_shards{namespace=\"orders\",state=\"unassigned\"} 4.0"), metrics);
            assertTrue(metrics.contains("shard_manager_double_owners_total{namespace=\"orders\"} 0.0"), metrics);
        }
    }

    @Test
    void aLeaseOfOneSecondIsGrantedAndNotTakenBeforeItsEnd() throws Exception {
        try (Server server = Server.start(config("persistence.type=memory"))) {
            String target = "127.0.0.1:" + server.grpcPort();
            ManagedChannel channel = Grpc.newChannelBuilder(target, InsecureChannelCredentials.create())
                    .build();
            AdminServiceGrpc.newBlockingStub(channel)
                    .createNamespace(CreateNamespaceRequest.newBuilder()
                            .setNamespace(Namespace.newBuilder()
                                    .setName("quick")
                                    .setKind(NamespaceKind.NAMESPACE_KIND_FIXED)
                                    .setShardCount(4)
                                    .setLeaseMillis(1000))
                            .build());
            RegisterResponse silent = ExecutorServiceGrpc.newBlockingStub(channel)
                    .register(RegisterRequest.newBuilder()
                            .setNamespace("quick")
                            .setExecutorId("silent")
                            .setProcessId("p")
                            .build());
            long registered = System.nanoTime();
            assertEquals(1000, silent.getLeaseMillis());
            assertEquals(4, silent.getAssignment().getShardsCount());
            Set<String> started = ConcurrentHashMap.newKeySet();
            try (ExecutorClient renewing = ExecutorClient.builder()
                    .target(target)
                    .namespace("quick")
                    .executorId("renewing")
                    .processors(key -> new Noted(started))
                    .start()) {
                await().atMost(Duration.ofSeconds(30)).until(() -> started.size() == 4);
                assertEquals(Duration.ofSeconds(1), renewing.describe().lease());
                assertTrue(
                        System.nanoTime() - registered > TimeUnit.MILLISECONDS.toNanos(990),
                        "the silent one may run its shards for a second");
            } finally {
                channel.shutdownNow();
            }
        }
    }

    /** A processor that notes that it was started. */
    private record Noted(Set<String> started) implements ShardProcessor {

        @Override
        public void start(ShardContext shard) {
            started.add(shard.shardKey());
        }

        @Override
        public void stop(ShardStop reason) {}
    }

    @Test
    @Tag("B5")
    void aSecondLiveProcessWithTheSameIdWaitsUntilTheFirstOneLeaves() throws Exception {
        try (Server server = Server.start(config("persistence.type=memory", "namespaces=orders:fixed:4"))) {
            Set<String> startedByFirst = ConcurrentHashMap.newKeySet();
            Set<String> startedBySecond = ConcurrentHashMap.newKeySet();
            ExecutorClient first = orders(server, startedByFirst);
            await().atMost(Duration.ofSeconds(30)).until(() -> startedByFirst.size() == 4);
            try (ExecutorClient second = orders(server, startedBySecond)) {
                assertTrue(!second.awaitRegistered(Duration.ofSeconds(2)), "the id is in use");
                assertEquals(Set.of(), startedBySecond);
                first.close();
                assertTrue(second.awaitRegistered(Duration.ofSeconds(30)), "the id is free");
                await().atMost(Duration.ofSeconds(30)).until(() -> startedBySecond.size() == 4);
            } finally {
                first.close();
            }
        }
    }

    private static ExecutorClient orders(Server server, Set<String> started) {
        return ExecutorClient.builder()
                .target("127.0.0.1:" + server.grpcPort())
                .namespace("orders")
                .executorId("same")
                .processors(key -> new Noted(started))
                .start();
    }

    @Test
    void aSecondServerOnTheSameFileIsRefused() throws Exception {
        try (Server first = Server.start(sqlite("namespaces=orders:fixed:4"))) {
            String refusal = refusal(sqlite());
            assertTrue(refusal.contains("state.db"), refusal);
            assertEquals(200, get(first, "/readyz").statusCode());
        }
    }

    @Test
    @Tag("R5")
    @Tag("R3")
    void aFixedCountThatDiffersIsRefusedWithBothNumbers() throws Exception {
        Server.start(sqlite("namespaces=orders:fixed:64")).close();
        String refusal = refusal(sqlite("namespaces=orders:fixed:128"));
        assertTrue(refusal.contains("64") && refusal.contains("128"), refusal);
        Server.start(sqlite("namespaces=orders:fixed:64")).close(); // nothing was left open or changed
    }

    @Test
    void aPortInUseIsNamedWithItsKey() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            for (String key : List.of("grpc.port", "http.port")) {
                String port = key + "=" + taken.getLocalPort();
                String refusal = refusal(config(
                        "persistence.type=memory", port, "grpc.bind-address=127.0.0.1", "http.bind-address=127.0.0.1"));
                assertTrue(refusal.startsWith(port.replace("=", " = ")), refusal);
            }
        }
    }

    @Test
    void aFileThatIsNoStoreIsRefusedAndLeftAsItIs() throws Exception {
        Path file = directory.resolve("state.db");
        Files.writeString(file, "not a database, but long enough to be looked at as one");
        String refusal = refusal(sqlite());
        assertTrue(refusal.contains("state.db"), refusal);
        assertEquals("not a database, but long enough to be looked at as one", Files.readString(file));
    }

    private static String refusal(LoadedConfig config) {
        return String.valueOf(assertThrows(StartFailedException.class, () -> Server.start(config))
                .getMessage());
    }

    private LoadedConfig sqlite(String... settings) throws Exception {
        List<String> all = new ArrayList<>(
                List.of("persistence.type=sqlite", "persistence.sqlite.file=" + directory.resolve("state.db")));
        all.addAll(List.of(settings));
        return config(all.toArray(String[]::new));
    }

    /** Free ports, then what is said; a key that is said twice counts as said last. */
    private LoadedConfig config(String... settings) throws Exception {
        Map<String, String> values = new TreeMap<>(Map.of("grpc.port", "0", "http.port", "0"));
        for (String setting : settings) {
            int end = setting.indexOf('=');
            values.put(setting.substring(0, end), setting.substring(end + 1));
        }
        List<ConfigInputs.Flag> flags = values.entrySet().stream()
                .map(value -> new ConfigInputs.Flag("--set", value.getKey(), value.getValue()))
                .toList();
        return ConfigLoader.load(new ConfigInputs(flags, Map.of(), Optional.empty(), directory));
    }

    private static HttpResponse<String> get(Server server, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + server.httpPort().getAsInt() + path);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }
}
