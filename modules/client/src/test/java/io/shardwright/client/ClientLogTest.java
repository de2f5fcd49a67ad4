package io.shardwright.client;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.client.lease.ShardStop;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the clients say to the application's log, which gets it through {@link System.Logger}. */
@Timeout(120)
final class ClientLogTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Logger logger = Logger.getLogger("io.shardwright.client");
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            lines.add(line.getLevel() + " " + line.getLoggerName() + " " + new SimpleFormatter().formatMessage(line));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    private record Quiet() implements ShardProcessor {
        @Override
        public void start(ShardContext shard) {}

        @Override
        public void stop(ShardStop reason) {}
    }

    @BeforeEach
    void listen() {
        logger.addHandler(handler);
    }

    @AfterEach
    void leave() {
        logger.removeHandler(handler);
    }

    private void assertLine(String start, String end) {
        assertTrue(
                lines.stream().anyMatch(line -> line.startsWith(start) && line.endsWith(end)),
                () -> "no line \"" + start + " ... " + end + "\" in " + lines);
    }

    private void awaitLine(String start, String end) {
        Awaitility.await().atMost(PATIENCE).untilAsserted(() -> assertLine(start, end));
    }

    @Test
    void anExecutorTellsOfItsRegistrationAndOfTheEndOfItsLease() throws Exception {
        try (FakeServer server = new FakeServer(0, Duration.ofSeconds(1));
                ExecutorClient client = ExecutorClient.builder()
                        .target(server.target())
                        .namespace("orders")
                        .executorId("e1")
                        .processors(key -> new Quiet())
                        .closeTimeout(Duration.ofMillis(100))
                        .start()) {
            awaitLine("INFO io.shardwright.client.ExecutorClient executor e1 of orders: registered", "lease PT1S");
            server.give("7", "e1");
            Awaitility.await().atMost(PATIENCE).until(() -> client.isOwned("7", 1));
            server.close();
            awaitLine(
                    "WARNING io.shardwright.client.ExecutorClient executor e1 of orders: renewal failed and is repeated",
                    "");
            awaitLine(
                    "WARNING io.shardwright.client.ExecutorClient executor e1 of orders: the lease ended for 1 shards",
                    "they stop");
        }
    }

    @Test
    void aSpectatorTellsOfTheTableItFollowsAndOfABrokenStream() throws Exception {
        try (FakeServer server = new FakeServer(0, Duration.ofSeconds(15));
                SpectatorClient client = SpectatorClient.builder()
                        .target(server.target())
                        .namespace("orders")
                        .start()) {
            assertTrue(client.awaitReady(PATIENCE));
            assertLine(
                    "INFO io.shardwright.client.SpectatorClient spectator of orders: routing table of 1 shards",
                    "at revision 5");
            server.close();
            awaitLine("WARNING io.shardwright.client.SpectatorClient spectator of orders: routing stream", "");
        }
    }
}
