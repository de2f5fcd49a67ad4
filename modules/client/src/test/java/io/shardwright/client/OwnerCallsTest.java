package io.shardwright.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.client.grpc.Connection;
import io.shardwright.client.grpc.ConnectionOptions;
import io.shardwright.domain.system.EventLoop;
import io.shardwright.domain.system.SystemRandom;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How long a question goes on, with times that are shorter than in production. */
@Timeout(60)
final class OwnerCallsTest {

    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final Duration LONG = Duration.ofSeconds(4);
    private static final Duration BETWEEN = Duration.ofMillis(2_500);

    private final EventLoop loop = EventLoop.start("test");

    @AfterEach
    void stop() {
        loop.close();
    }

    /** Asks until it is given up, and returns how long that took. */
    private Duration givenUpAfter(String target, Duration failover, Duration patience) {
        Connection connection = new ConnectionOptions(List.of(target), null).connect(loop);
        try {
            OwnerCalls calls = new OwnerCalls("orders", connection, loop, new SystemRandom(), failover, patience);
            long begin = System.nanoTime();
            CompletionException failed =
                    assertThrows(CompletionException.class, () -> calls.ask("7").join());
            assertInstanceOf(ShardwrightException.class, failed.getCause());
            return Duration.ofNanos(System.nanoTime() - begin);
        } finally {
            loop.execute(connection::close);
        }
    }

    private static String nobodyListensThere() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return "127.0.0.1:" + socket.getLocalPort();
        }
    }

    private static void assertLonger(Duration took) {
        assertTrue(took.compareTo(BETWEEN) > 0, "given up after " + took);
    }

    private static void assertShorter(Duration took) {
        assertTrue(took.compareTo(BETWEEN) < 0, "went on for " + took);
    }

    @Test
    @Tag("R112")
    void whereAServerAnswersThatNobodyLeadsTheLongerOfFailoverAndPatienceCounts() throws Exception {
        try (FakeServer server = new FakeServer(0, Duration.ofSeconds(15))) {
            server.leads(false);

            assertLonger(givenUpAfter(server.target(), SHORT, LONG));
            assertLonger(givenUpAfter(server.target(), LONG, SHORT));
            assertShorter(givenUpAfter(server.target(), SHORT, SHORT));
        }
    }

    @Test
    @Tag("R114")
    void whereNobodyCanBeReachedThereIsNoFailoverAndOnlyPatienceDecides() throws Exception {
        assertShorter(givenUpAfter(nobodyListensThere(), LONG, SHORT));
        assertLonger(givenUpAfter(nobodyListensThere(), SHORT, LONG));
    }

    @Test
    @Tag("R111")
    void aLeaderThatIsNamedAndCannotBeReachedIsAFailover() throws Exception {
        String gone = nobodyListensThere();
        int port = Integer.parseInt(gone.substring(gone.indexOf(':') + 1));
        try (FakeServer standby = new FakeServer(port, Duration.ofSeconds(15))) {
            assertLonger(givenUpAfter(standby.target(), LONG, SHORT));
        }
    }

    @Test
    void aPatienceBelowZeroIsRefused() {
        IllegalArgumentException refused = assertThrows(
                IllegalArgumentException.class, () -> SpectatorClient.builder().patience(Duration.ofSeconds(-1)));
        assertEquals("patience: PT-1S is negative; use zero to ask once", refused.getMessage());
    }
}
