package io.shardwright.server.http;

import io.helidon.http.HeaderNames;
import io.helidon.json.JsonObject;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.staticcontent.ClasspathHandlerConfig;
import io.helidon.webserver.staticcontent.StaticContentFeature;
import io.shardwright.server.config.EffectiveConfig;
import io.shardwright.server.config.HttpConfig;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;

/**
 * The HTTP port.
 *
 * <ul>
 *   <li>{@code /healthcheck}: 200 while the process lives
 *   <li>{@code /readyz}: 200 or 503, with the reason as JSON
 *   <li>{@code /metrics}: Prometheus text, or OpenMetrics when asked for
 *   <li>{@code /config}: the configuration in effect as JSON, secrets hidden
 *   <li>{@code /api/state}, {@code /api/events}: what the dashboard shows, whole and live
 *   <li>{@code /api/shard?namespace=N&key=K}: one shard, and why it is where it is
 *   <li>{@code /}: the files in {@code web/} on the class path
 * </ul>
 *
 * Every request is answered from memory. Thread-safe.
 */
public final class HttpEndpoint implements AutoCloseable {
    private static final String JSON = "application/json; charset=utf-8";
    /** A stop waits so long for requests in flight; all of ours are short once the event streams have ended. */
    private static final Duration STOP_GRACE = Duration.ofSeconds(1);

    private final WebServer server;
    private final EventStream events;

    private HttpEndpoint(WebServer server, EventStream events) {
        this.server = server;
        this.events = events;
    }

    /** What is served. */
    public record Content(Readiness readiness, Metrics metrics, EffectiveConfig config, LiveFeed feed) {}

    /**
     * Opens the port and serves.
     *
     * @throws BindFailedException when the address cannot be used
     */
    public static HttpEndpoint start(HttpConfig config, Content content) throws BindFailedException {
        return start(config, content, EventStream.Limits.standard());
    }

    static HttpEndpoint start(HttpConfig config, Content content, EventStream.Limits limits)
            throws BindFailedException {
        InetAddress address = resolve(config);
        probe(config, address);
        EventStream events = new EventStream(content.feed(), limits);
        WebServer server = WebServer.builder()
                .address(address)
                .port(config.listen().port())
                // Without it a small answer waits 40 ms for the acknowledgement of the one before.
                .connectionOptions(socket -> socket.tcpNoDelay(true))
                // Only what stands here is served: features found on the class path would add /observe, and HTTP/2
                // without TLS
                // is of no use to a browser.
                .featuresDiscoverServices(false)
                .protocolsDiscoverServices(false)
                .addProtocol(Http1Config.create())
                .shutdownGracePeriod(STOP_GRACE)
                .shutdownHook(false)
                .routing(routing -> route(routing, content, events))
                .build()
                .start();
        if (!server.isRunning()) {
            throw new BindFailedException(
                    where(config)
                            + "the log says why. Set http.bind-address and http.port to what this process may open.",
                    null);
        }
        return new HttpEndpoint(server, events);
    }

    /** The port that is open; the configured one unless that was 0. */
    public int port() {
        return server.port();
    }

    /** Ends event streams, lets requests in flight end for at most a second, and closes the port. */
    @Override
    public void close() {
        events.close();
        server.stop();
    }

    private static void route(HttpRouting.Builder routing, Content content, EventStream events) {
        ClasspathHandlerConfig web = ClasspathHandlerConfig.builder()
                .location("web")
                .welcome("index.html")
                .build();
        routing.get(
                        "/healthcheck",
                        (request, response) ->
                                response.header("Content-Type", JSON).send("{\"status\":\"up\"}"))
                .get(
                        "/readyz",
                        (request, response) -> readyz(content.readiness().state(), response))
                .get("/metrics", (request, response) -> metrics(content.metrics(), request, response))
                .get(
                        "/config",
                        (request, response) -> json(response, content.config().json()))
                .get(
                        "/api/state",
                        (request, response) -> json(response, content.feed().snapshotJson()))
                .get("/api/shard", (request, response) -> shard(content.feed(), request, response))
                .get("/api/events", events::handle)
                .register("/", StaticContentFeature.createService(web));
    }

    private static void readyz(Readiness.State state, ServerResponse response) {
        JsonObject body = JsonObject.builder()
                .set("ready", state.ready())
                .set("reason", state.reason())
                .build();
        json(response.status(state.ready() ? 200 : 503), body.toString());
    }

    private static void metrics(Metrics metrics, ServerRequest request, ServerResponse response) throws IOException {
        String accept = request.headers().first(HeaderNames.ACCEPT).orElse(null);
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        String contentType = metrics.write(accept, body);
        response.header("Content-Type", contentType).send(body.toByteArray());
    }

    private static void shard(LiveFeed feed, ServerRequest request, ServerResponse response) {
        String namespace = request.query().first("namespace").orElse("");
        String key = request.query().first("key").orElse("");
        feed.shardJson(namespace, key)
                .ifPresentOrElse(
                        body -> json(response, body),
                        () -> json(
                                response.status(404),
                                "{\"error\":\"no such shard; give namespace=<name>&key=<shard key>\"}"));
    }

    private static void json(ServerResponse response, String body) {
        response.header("Content-Type", JSON)
                .header("Cache-Control", "no-store")
                .send(body);
    }

    private static InetAddress resolve(HttpConfig config) throws BindFailedException {
        try {
            return InetAddress.getByName(config.listen().bindAddress());
        } catch (UnknownHostException e) {
            throw new BindFailedException(
                    "http.bind-address = " + config.listen().bindAddress()
                            + ": the name cannot be resolved. Use an address of this machine, or 0.0.0.0 for all.",
                    e);
        }
    }

    /**
     * Helidon only logs a failed start, with a stack trace. So the address is tried first, to say why in one sentence.
     */
    private static void probe(HttpConfig config, InetAddress address) throws BindFailedException {
        try (ServerSocketChannel channel = ServerSocketChannel.open()) {
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            channel.bind(new InetSocketAddress(address, config.listen().port()));
        } catch (IOException e) {
            throw new BindFailedException(
                    where(config) + e.getMessage() + ". " + remedy(String.valueOf(e.getMessage())), e);
        }
    }

    private static String where(HttpConfig config) {
        return "http.port = " + config.listen().port() + ": cannot listen on "
                + config.listen().bindAddress() + ": ";
    }

    private static String remedy(String why) {
        if (why.contains("in use")) {
            return "Stop the process that has it, or set http.port to a free port (0: any).";
        }
        return why.contains("assign")
                ? "Set http.bind-address to an address of this machine, or 0.0.0.0 for all."
                : "Set http.bind-address and http.port to what this process may open.";
    }
}
