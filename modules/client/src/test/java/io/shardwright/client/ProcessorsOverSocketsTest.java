package io.shardwright.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.client.lease.ShardStop;
import io.shardwright.proto.v1.ShardActivity;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a client does with the processors of its application. */
@Timeout(120)
final class ProcessorsOverSocketsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Short, because loads and idle shards go with renewals. */
    private static final Duration LEASE = Duration.ofSeconds(6);

    private final List<String> slow = new CopyOnWriteArrayList<>();

    private ExecutorClientBuilder client(FakeServer server, ShardProcessorFactory factory) {
        return ExecutorClient.builder()
                .target(server.target())
                .namespace("orders")
                .executorId("e1")
                .processors(factory)
                .listener(new ExecutorListener() {
                    @Override
                    public void shardSlow(String shardKey, long epoch, SlowStep step) {
                        slow.add(shardKey + "@" + epoch + " " + step);
                    }
                });
    }

    /** A processor that waits at each step until it may go on. */
    private record Gated(CountDownLatch start, CountDownLatch stop) implements ShardProcessor {
        @Override
        public void start(ShardContext shard) throws InterruptedException {
            start.await();
        }

        @Override
        public void stop(ShardStop reason) throws InterruptedException {
            stop.await();
        }
    }

    @Test
    void startsOfManyShardsRunSideBySide() throws Exception {
        CountDownLatch all = new CountDownLatch(8);
        try (FakeServer server = new FakeServer(0, LEASE);
                ExecutorClient client = client(server, key -> new ShardProcessor() {
                            @Override
                            public void start(ShardContext shard) throws InterruptedException {
                                all.countDown();
                                assertTrue(all.await(60, TimeUnit.SECONDS), "each waits for all others");
                            }

                            @Override
                            public void stop(ShardStop reason) {}
                        })
                        .start()) {
            assertTrue(client.awaitRegistered(PATIENCE));
            for (int shard = 0; shard < 8; shard++) {
                server.give(Integer.toString(shard), "e1");
            }
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> client.describe().counters().started() == 8);
        }
    }

    @Test
    @Tag("B6")
    void aStartAndAStopThatTakeLongerThanTheirDeadlineAreReportedAndHoldUpNobodyElse() throws Exception {
        CountDownLatch start = new CountDownLatch(1);
        CountDownLatch stop = new CountDownLatch(1);
        CountDownLatch open = new CountDownLatch(0);
        try (FakeServer server = new FakeServer(0, LEASE)) {
            ExecutorClient client = client(
                            server, key -> key.equals("slow") ? new Gated(start, stop) : new Gated(open, open))
                    .startDeadline(Duration.ofMillis(300))
                    .stopDeadline(Duration.ofMillis(300))
                    .start();
            assertTrue(client.awaitRegistered(PATIENCE));
            server.give("slow", "e1");
            server.give("quick", "e1");
            Awaitility.await().atMost(PATIENCE).until(() -> client.isOwned("quick", 1));
            Awaitility.await().atMost(PATIENCE).until(() -> slow.contains("slow@1 START"));
            assertEquals(1, client.describe().counters().slowStarts());
            assertFalse(client.processor("slow").isPresent());
            start.countDown();
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> client.processor("slow").isPresent());

            Thread closing = Thread.ofVirtual().start(client::close);
            Awaitility.await().atMost(PATIENCE).until(() -> slow.contains("slow@1 STOP"));
            assertEquals(1, client.describe().counters().slowStops());
            assertTrue(closing.isAlive(), "the shard is not given away before its stop ended");
            stop.countDown();
            assertTrue(closing.join(PATIENCE));
            assertEquals(List.of("slow@1 START", "slow@1 STOP"), slow);
        }
    }

    @Test
    void aProcessorThatCannotBeMadeOrStartedIsTriedAgain() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        try (FakeServer server = new FakeServer(0, LEASE);
                ExecutorClient client = client(server, key -> {
                            int attempt = attempts.incrementAndGet();
                            if (attempt == 1) {
                                throw new IllegalStateException("no factory yet");
                            }
                            return new ShardProcessor() {
                                @Override
                                public void start(ShardContext shard) {
                                    if (attempt == 2) {
                                        throw new IllegalStateException("no start yet");
                                    }
                                }

                                @Override
                                public void stop(ShardStop reason) {}
                            };
                        })
                        .start()) {
            assertTrue(client.awaitRegistered(PATIENCE));
            server.give("7", "e1");
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> client.processor("7").isPresent());
            assertEquals(3, attempts.get());
            assertEquals(2, client.describe().counters().failedStarts());
        }
    }

    @Test
    void theLoadOfAProcessorGoesWithTheRenewals() throws Exception {
        try (FakeServer server = new FakeServer(0, LEASE);
                ExecutorClient client = client(server, key -> new ShardProcessor() {
                            @Override
                            public void start(ShardContext shard) {}

                            @Override
                            public void stop(ShardStop reason) {}

                            @Override
                            public OptionalDouble load() {
                                return OptionalDouble.of(42.5);
                            }
                        })
                        .start()) {
            assertTrue(client.awaitRegistered(PATIENCE));
            server.give("7", "e1");
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> server.renewals().stream()
                            .flatMap(renewal -> renewal.getClaimsList().stream())
                            .anyMatch(claim -> claim.hasLoad() && claim.getLoad() == 42.5));
        }
    }

    @Test
    void aShardThatNobodyUsesIsStoppedAndGivenBack() throws Exception {
        List<ShardStop> stops = new CopyOnWriteArrayList<>();
        try (FakeServer server = new FakeServer(0, LEASE);
                ExecutorClient client = client(server, key -> new ShardProcessor() {
                            @Override
                            public void start(ShardContext shard) {}

                            @Override
                            public void stop(ShardStop reason) {
                                stops.add(reason);
                            }
                        })
                        .idleAfter(Duration.ofSeconds(1))
                        .start()) {
            assertTrue(client.awaitRegistered(PATIENCE));
            server.give("7", "e1");
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> server.renewals().stream()
                            .flatMap(renewal -> renewal.getClaimsList().stream())
                            .anyMatch(claim -> claim.getActivity() == ShardActivity.SHARD_ACTIVITY_IDLE));
            assertEquals(List.of(ShardStop.IDLE), stops);
        }
    }
}
