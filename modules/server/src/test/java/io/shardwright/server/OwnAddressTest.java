package io.shardwright.server;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.election.LeaderAddress;
import io.shardwright.testkit.TestEtcd;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that advertises an address that leads to itself, and one that does not. */
final class OwnAddressTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    @Test
    @Tag("R131")
    @Tag("R134")
    @Tag("R137")
    void aServerWhoseAddressLeadsToAnotherOneIsNotReadyAndNeverLeads() throws Exception {
        try (TestEtcd etcd = TestEtcd.start();
                Server first = EtcdServers.start(etcd, directory, Map.of());
                Server mistaken = EtcdServers.start(
                        etcd, directory, Map.of("grpc.advertised-port", Integer.toString(first.grpcPort())))) {
            await().atMost(PATIENCE).until(() -> get(first, "/metrics").body().contains("is_serving 1.0"));
            assertEquals(200, get(first, "/readyz").statusCode());
            HttpResponse<String> ready = get(mistaken, "/readyz");
            assertEquals(503, ready.statusCode());
            assertTrue(ready.body().contains("advertised address"), ready.body());
            first.close();
            await().during(Duration.ofSeconds(2))
                    .atMost(PATIENCE)
                    .until(() -> get(mistaken, "/metrics").body().contains("is_leader 0.0"));
        }
    }

    @Test
    @Tag("B11")
    void twoShardManagersShareOneEtcdUnderPrefixesOfTheirOwn() throws Exception {
        try (TestEtcd etcd = TestEtcd.start();
                Server first = EtcdServers.start(etcd, directory, Map.of("persistence.key-prefix", "/first/"));
                Server second = EtcdServers.start(etcd, directory, Map.of("persistence.key-prefix", "/second/"))) {
            for (Server each : List.of(first, second)) {
                await().atMost(PATIENCE)
                        .until(() -> get(each, "/metrics").body().contains("is_serving 1.0"));
            }
        }
    }

    @Test
    @Tag("R132")
    void withTlsTheAddressIsOnlyConnectedToAndWithoutItIsAskedForTheEntry() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            LeaderAddress address = new LeaderAddress("127.0.0.1", silent.getLocalPort());
            assertTrue(new OwnAddress(address, "entry", false).reached());
            assertFalse(new OwnAddress(address, "entry", true).reached());
        }
    }

    @Test
    @Tag("R133")
    @Tag("R135")
    void itIsTriedEachSecondUntilOneAttemptArrivesAndTheAddressIsNamedOnceInAWhile() throws Exception {
        List<String> warnings = new CopyOnWriteArrayList<>();
        Logger logger = Logger.getLogger("shardwright");
        Handler listener = new Handler() {
            @Override
            public void publish(LogRecord line) {
                if (line.getLevel().equals(Level.WARNING)) {
                    warnings.add(new SimpleFormatter().formatMessage(line));
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(listener);
        AtomicInteger reached = new AtomicInteger();
        int port;
        try (ServerSocket free = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Runnable end =
                new OwnAddress(new LeaderAddress("127.0.0.1", port), "entry", false).watch(reached::incrementAndGet);
        try {
            Thread.sleep(3500);
            assertEquals(0, reached.get());
            assertEquals(1, warnings.size(), warnings::toString);
            assertTrue(warnings.getFirst().contains("127.0.0.1:" + port), warnings::toString);
            try (ServerSocket now = new ServerSocket(port, 50, InetAddress.getLoopbackAddress())) {
                await().atMost(PATIENCE).until(() -> reached.get() == 1);
                assertTrue(now.isBound());
            }
        } finally {
            end.run();
            logger.removeHandler(listener);
        }
    }

    @Test
    @Tag("R36")
    void theIdentityIsHostProcessAndStart() {
        assertTrue(
                Identity.ofThisProcess()
                        .matches("[^/]+/pid-" + ProcessHandle.current().pid() + "/[1-9][0-9]{8,}"),
                Identity::ofThisProcess);
    }

    private static HttpResponse<String> get(Server server, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + server.httpPort().getAsInt() + path);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }
}
