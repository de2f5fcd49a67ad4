package io.shardwright.server.http;

import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Server-sent events for browsers ({@code GET /api/events}).
 *
 * <p>Each browser has a bounded queue. A producer never waits: when the queue of a browser is full, that browser is
 * dropped, its connection is cut even when a write to it hangs, and its EventSource comes back by itself and takes a
 * new snapshot. So a slow or dead browser costs a bounded amount of memory and delays nobody. A comment keeps a quiet
 * stream alive through proxies, and finds dead browsers.
 *
 * <p>The first event is named {@code snapshot}; the others have no name.
 */
final class EventStream {
    private static final Duration RECONNECT = Duration.ofSeconds(1);

    private final LiveFeed feed;
    private final Limits limits;
    private final Set<Browser> browsers = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /**
     * What one browser may cost.
     *
     * @param queue events that wait for it
     * @param browsers at one time
     * @param keepAlive the longest silence on the stream
     */
    record Limits(int queue, int browsers, Duration keepAlive) {
        static Limits standard() {
            return new Limits(1024, 256, Duration.ofSeconds(10));
        }
    }

    EventStream(LiveFeed feed, Limits limits) {
        this.feed = feed;
        this.limits = limits;
    }

    /** Holds the (virtual) thread of the request until the browser goes, is dropped, or the endpoint closes. */
    void handle(ServerRequest request, ServerResponse response) {
        if (closed || browsers.size() >= limits.browsers()) {
            response.status(503)
                    .header("Retry-After", "5")
                    .send("too many open event streams, or the server is stopping\n");
            return;
        }
        response.header("Content-Type", "text/event-stream; charset=utf-8")
                .header("Cache-Control", "no-store")
                .header("X-Accel-Buffering", "no");
        Browser browser = new Browser(Thread.currentThread());
        browsers.add(browser);
        LiveFeed.Subscription subscription = feed.subscribe(browser::offer);
        try (OutputStream out = response.outputStream()) {
            send(out, "retry: " + RECONNECT.toMillis() + "\nevent: snapshot\ndata: " + feed.snapshotJson() + "\n\n");
            pump(browser, out);
        } catch (IOException | UncheckedIOException e) {
            // The browser has gone, or was dropped while a write to it hung: both are ends, not errors.
        } catch (InterruptedException e) {
            if (browser.open) {
                Thread.currentThread().interrupt();
            }
        } finally {
            browser.finish();
            subscription.cancel();
            browsers.remove(browser);
        }
    }

    private void pump(Browser browser, OutputStream out) throws IOException, InterruptedException {
        while (!closed && browser.open) {
            String event = browser.queue.poll(limits.keepAlive().toMillis(), TimeUnit.MILLISECONDS);
            send(out, event == null ? ": keep-alive\n\n" : "data: " + event + "\n\n");
        }
    }

    private static void send(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    int openStreams() {
        return browsers.size();
    }

    /** Ends every stream; new ones are refused. */
    void close() {
        closed = true;
        browsers.forEach(Browser::drop);
    }

    private final class Browser {
        private final BlockingQueue<String> queue = new ArrayBlockingQueue<>(limits.queue());
        private final Thread writer;
        private volatile boolean open = true;

        private Browser(Thread writer) {
            this.writer = writer;
        }

        private void offer(String json) {
            if (open && !queue.offer(json.replace('\n', ' '))) {
                drop();
            }
        }

        /**
         * The interrupt also ends a write that hangs: a blocked socket of a virtual thread closes when it is
         * interrupted.
         */
        private synchronized void drop() {
            if (open) {
                open = false;
                writer.interrupt();
            }
        }

        /**
         * From here on the thread belongs to the server again: it is not interrupted any more, and our interrupt is
         * taken back.
         */
        private synchronized void finish() {
            if (!open) {
                Thread.interrupted();
            }
            open = false;
        }
    }
}
