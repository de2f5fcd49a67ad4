package io.shardwright.server.http;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class EventStreamTest {
    private static final EventStream.Limits QUIET = new EventStream.Limits(16, 4, Duration.ofMinutes(1));

    @Test
    void aBrowserGetsTheSnapshotAndThenEachEvent() throws Exception {
        try (RunningEndpoint endpoint = new RunningEndpoint(QUIET);
                Browser browser = new Browser(endpoint)) {
            assertEquals(200, browser.response.statusCode());
            assertEquals(
                    "text/event-stream; charset=utf-8",
                    browser.response.headers().firstValue("content-type").orElse(""));
            assertEquals(List.of("retry: 1000", "event: snapshot", "data: {\"namespaces\":[]}"), browser.event());
            endpoint.feed.happens("{\"moved\":1}");
            endpoint.feed.happens("{\"moved\":\"ü\"}");
            assertEquals(List.of("data: {\"moved\":1}"), browser.event());
            assertEquals(List.of("data: {\"moved\":\"ü\"}"), browser.event());
        }
    }

    @Test
    void aQuietStreamIsKeptAliveByComments() throws Exception {
        try (RunningEndpoint endpoint = new RunningEndpoint();
                Browser browser = new Browser(endpoint)) {
            browser.event();
            assertEquals(List.of(": keep-alive"), browser.event());
            assertEquals(List.of(": keep-alive"), browser.event());
        }
    }

    @Test
    void anEventWithALineBreakStaysOneEvent() throws Exception {
        try (RunningEndpoint endpoint = new RunningEndpoint(QUIET);
                Browser browser = new Browser(endpoint)) {
            browser.event();
            endpoint.feed.happens("{\n\"a\": 1}");
            assertEquals(List.of("data: { \"a\": 1}"), browser.event());
        }
    }

    @Test
    void aBrowserThatDoesNotReadIsDroppedAndDelaysNobody() throws Exception {
        try (RunningEndpoint endpoint = new RunningEndpoint(QUIET);
                Socket slow = connect(endpoint)) {
            assertTrue(slow.isConnected());
            await().until(() -> endpoint.feed.subscriptions() == 1);
            String event = "{\"x\":\"" + "y".repeat(100_000) + "\"}";
            await().atMost(Duration.ofSeconds(20))
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> {
                        endpoint.feed.happens(event);
                        return endpoint.feed.subscriptions() == 0;
                    });
            try (Browser other = new Browser(endpoint)) {
                other.event();
                endpoint.feed.happens("{}");
                assertEquals(List.of("data: {}"), other.event());
            }
        }
    }

    @Test
    void aBrowserThatHasGoneIsForgotten() throws Exception {
        try (RunningEndpoint endpoint = new RunningEndpoint()) {
            try (Socket browser = connect(endpoint)) {
                await().until(() -> endpoint.feed.subscriptions() == 1);
                assertTrue(browser.isConnected());
            }
            await().atMost(Duration.ofSeconds(20)).until(() -> endpoint.feed.subscriptions() == 0);
        }
    }

    @Test
    void moreBrowsersThanAllowedAreTurnedAway() throws Exception {
        List<Browser> browsers = new ArrayList<>();
        try (RunningEndpoint endpoint = new RunningEndpoint(QUIET)) {
            for (int i = 0; i < 4; i++) {
                Browser browser = new Browser(endpoint);
                browsers.add(browser);
                browser.event();
            }
            assertEquals(503, endpoint.get("/api/events").statusCode());
            assertEquals(200, endpoint.get("/healthcheck").statusCode());
        } finally {
            for (Browser browser : browsers) {
                browser.close();
            }
        }
    }

    @Test
    void aStopEndsOpenStreamsAtOnce() throws Exception {
        RunningEndpoint endpoint = new RunningEndpoint(QUIET);
        try (Browser browser = new Browser(endpoint)) {
            browser.event();
            long start = System.nanoTime();
            endpoint.close();
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            assertTrue(took.compareTo(Duration.ofSeconds(5)) < 0, took::toString);
            assertEquals(0, endpoint.feed.subscriptions());
        }
    }

    /** A connection with a small buffer that has asked for events, and does not read them. */
    private static Socket connect(RunningEndpoint endpoint) throws Exception {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), endpoint.port()));
        socket.getOutputStream()
                .write("GET /api/events HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    /** Reads events as an EventSource does: lines up to an empty one. */
    private static final class Browser implements AutoCloseable {
        private final HttpResponse<InputStream> response;
        private final BufferedReader lines;

        private Browser(RunningEndpoint endpoint) throws Exception {
            response =
                    endpoint.client().send(endpoint.request("/api/events"), HttpResponse.BodyHandlers.ofInputStream());
            lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
        }

        private List<String> event() throws Exception {
            List<String> event = new ArrayList<>();
            for (String line = lines.readLine(); line != null && !line.isEmpty(); line = lines.readLine()) {
                event.add(line);
            }
            return event;
        }

        @Override
        public void close() throws Exception {
            response.body().close();
        }
    }
}
