package io.shardwright.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.shardwright.client.lease.ShardStop;
import io.shardwright.client.routing.Route;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ClientsOverSocketsTest {

    /** Long enough for a build machine on which every process has to wait for its turn. */
    private static final Duration LEASE = Duration.ofSeconds(15);

    private static final Duration SHORT_LEASE = Duration.ofSeconds(3);

    @BeforeAll
    static void waitLonger() {
        Awaitility.setDefaultTimeout(Duration.ofSeconds(60));
    }

    private final List<String> events = new CopyOnWriteArrayList<>();

    private final class Recorder implements ShardProcessor {
        private volatile String name = "";

        @Override
        public void start(ShardContext shard) {
            name = shard.shardKey() + "@" + shard.epoch();
            events.add("start " + name + " owned=" + shard.isOwned());
        }

        @Override
        public void stop(ShardStop reason) {
            events.add("stop " + name + " " + reason);
        }

        @Override
        public OptionalDouble load() {
            return OptionalDouble.of(Double.NaN);
        }
    }

    /** Nobody is left to say goodbye to in most of these tests. */
    private ExecutorClient executor(String... targets) {
        return executor(Duration.ofSeconds(1), targets);
    }

    private ExecutorClient executor(Duration closeTimeout, String... targets) {
        return ExecutorClient.builder()
                .target(targets)
                .namespace("orders")
                .executorId("e1")
                .closeTimeout(closeTimeout)
                .processors(key -> new Recorder())
                .start();
    }

    @Test
    void anExecutorRunsWhatItIsGivenAndHandsItOverOnClose() throws Exception {
        try (FakeServer server = new FakeServer(0, LEASE)) {
            ExecutorClient client = executor(Duration.ofSeconds(20), server.target());
            assertTrue(client.awaitRegistered(Duration.ofSeconds(60)));
            server.give("7", "e1");
            Awaitility.await().until(() -> client.processor("7").isPresent());
            assertTrue(client.isOwned("7", 1));
            assertFalse(client.isOwned("7", 2));
            Awaitility.await().until(() -> client.describe().counters().invalidLoads() > 0);
            assertEquals("RUNNING@1", client.describe().shards().get("7"));
            client.close();
            assertFalse(client.isOwned("7", 1));
            assertEquals(List.of("start 7@1 owned=true", "stop 7@1 CLOSING"), events);
            assertEquals(1, server.manager.released.stream().distinct().count());
        }
    }

    @Test
    @Tag("R96")
    void aStandbyIsFollowedToTheLeaderAndTheDirectConnectionKept() throws Exception {
        try (FakeServer leader = new FakeServer(0, LEASE);
                FakeServer standby = new FakeServer(leader.port(), LEASE);
                ExecutorClient client = executor(standby.target())) {
            assertTrue(client.awaitRegistered(Duration.ofSeconds(60)));
            int asked = standby.calls.get();
            leader.give("7", "e1");
            Awaitility.await().until(() -> client.isOwned("7", 1));
            Awaitility.await().until(() -> !leader.manager.renewals.isEmpty());
            assertEquals(asked, standby.calls.get(), "the standby is not asked again");
            assertTrue(client.describe().server().contains("leader"));
        }
    }

    @Test
    void aShardIsNotOwnedAnyMoreWhenTheServerIsGoneForALease() throws Exception {
        try (FakeServer server = new FakeServer(0, SHORT_LEASE);
                ExecutorClient client = executor(server.target())) {
            assertTrue(client.awaitRegistered(Duration.ofSeconds(60)));
            server.give("7", "e1");
            Awaitility.await().until(() -> client.isOwned("7", 1));
            server.close();
            Awaitility.await().until(() -> !client.isOwned("7", 1));
            Awaitility.await().until(() -> events.contains("stop 7@1 LEASE_ENDED"));
        }
    }

    @Test
    void aSpectatorRoutesLocallyAndAsksOnAMiss() throws Exception {
        try (FakeServer leader = new FakeServer(0, LEASE);
                FakeServer standby = new FakeServer(leader.port(), LEASE);
                SpectatorClient spectator = SpectatorClient.builder()
                        .target(standby.target())
                        .namespace("orders")
                        .start()) {
            assertTrue(spectator.awaitReady(Duration.ofSeconds(60)));
            assertEquals("h:1", spectator.ownerOf("7").orElseThrow().executor().address());
            assertEquals(3, spectator.ownerOf("7").orElseThrow().epoch());
            assertEquals(5, spectator.revision());
            assertTrue(spectator.age().isPresent());
            assertTrue(spectator.ownerOf("8").isEmpty());
            assertAllocatesNothing(() -> {
                for (int i = 0; i < 10_000; i++) {
                    assertTrue(spectator.ownerOf("7").isPresent());
                    assertFalse(spectator.ownerOf("8").isPresent());
                }
            });
            assertEquals(
                    "created",
                    spectator.findOwner("8").join().orElseThrow().executor().id());
            CompletionException failure = assertThrows(
                    CompletionException.class,
                    () -> spectator.findOwner("missing").join());
            ShardwrightException cause = assertInstanceOf(ShardwrightException.class, failure.getCause());
            assertEquals("SHARD_NOT_FOUND", cause.reason());
        }
    }

    @Test
    @Tag("R107")
    @Tag("R110")
    @Tag("R111")
    @Tag("R113")
    void callsGoOnWhileNobodyLeadsAndReachTheNextLeader() throws Exception {
        try (FakeServer server = new FakeServer(0, LEASE);
                SpectatorClient spectator = SpectatorClient.builder()
                        .target(server.target())
                        .namespace("orders")
                        .start()) {
            assertTrue(spectator.awaitReady(Duration.ofSeconds(60)));
            server.leads(false);
            int before = server.calls.get();
            CompletableFuture<Optional<Route>> owner = spectator.findOwner("8");
            try (ExecutorClient executor = executor(server.target())) {
                assertFalse(executor.awaitRegistered(Duration.ofSeconds(3)));
                assertFalse(owner.isDone(), "asked again and again");
                assertTrue(server.calls.get() > before + 3, "calls: " + server.calls.get());
                server.leads(true);
                assertTrue(executor.awaitRegistered(Duration.ofSeconds(60)));
                assertEquals("created", owner.join().orElseThrow().executor().id());
            }
        }
    }

    @Test
    @Tag("R117")
    @Tag("R118")
    void aPeerThatFallsSilentIsFoundByAProbeAndAQuietConnectionIsKept() throws Exception {
        try (FakeServer server = new FakeServer(0, Duration.ofSeconds(60));
                FreezingProxy proxy = new FreezingProxy(server.port());
                ExecutorClient client = executor("127.0.0.1:" + proxy.port())) {
            assertTrue(client.awaitRegistered(Duration.ofSeconds(60)));
            Thread.sleep(4000);
            assertEquals(1, proxy.connections(), "no other connection while all is well");
            proxy.freeze();
            long frozen = System.nanoTime();
            Awaitility.await().until(() -> proxy.connections() > 1);
            Duration found = Duration.ofNanos(System.nanoTime() - frozen);
            assertTrue(found.compareTo(Duration.ofSeconds(15)) < 0, "renewals alone would have needed 20 s: " + found);
        }
    }

    @Test
    void aMissingSettingIsNamed() {
        IllegalArgumentException error = assertThrows(
                IllegalArgumentException.class,
                () -> ExecutorClient.builder()
                        .target("localhost:1")
                        .processors(key -> new Recorder())
                        .start());
        assertTrue(String.valueOf(error.getMessage()).startsWith("namespace"), error::toString);
    }

    /** Lookups are made for each request of an application; how long they take is in docs/performance.md. */
    private static void assertAllocatesNothing(Runnable lookups) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        lookups.run(); // loads what is loaded once
        long before = threads.getCurrentThreadAllocatedBytes();
        lookups.run();
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertTrue(allocated < 10_000, allocated + " bytes for 20,000 lookups");
    }
}
