package io.shardwright.server.http;

import io.shardwright.server.config.ConfigInputs;
import io.shardwright.server.config.ConfigLoader;
import io.shardwright.server.config.HttpConfig;
import io.shardwright.server.config.Listen;
import io.shardwright.server.config.LoadedConfig;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An endpoint on a free port of the loopback address, with the parts that a test changes. */
final class RunningEndpoint implements AutoCloseable {
    final FakeFeed feed = new FakeFeed();
    final Metrics metrics = Metrics.withProcess();
    volatile Readiness.State readiness = new Readiness.State(true, "serving");

    private final HttpEndpoint endpoint;
    private final HttpClient client = HttpClient.newHttpClient();

    RunningEndpoint() throws Exception {
        this(new EventStream.Limits(16, 4, Duration.ofMillis(50)));
    }

    RunningEndpoint(EventStream.Limits limits) throws Exception {
        List<ConfigInputs.Flag> flags = List.of(
                new ConfigInputs.Flag("--set", "persistence.type", "postgres"),
                new ConfigInputs.Flag("--set", "persistence.postgres.url", "jdbc:postgresql://db/x"),
                new ConfigInputs.Flag("--set", "persistence.postgres.user", "u"),
                new ConfigInputs.Flag("--set", "persistence.postgres.password", "hunter2"));
        LoadedConfig loaded =
                ConfigLoader.load(new ConfigInputs(flags, Map.of(), Optional.empty(), Path.of("/nowhere")));
        endpoint = HttpEndpoint.start(
                new HttpConfig(true, new Listen("127.0.0.1", 0)),
                new HttpEndpoint.Content(() -> readiness, metrics, loaded.effective(), feed),
                limits);
    }

    int port() {
        return endpoint.port();
    }

    HttpResponse<String> get(String path, String... headers) throws Exception {
        return client.send(request(path, headers), HttpResponse.BodyHandlers.ofString());
    }

    HttpRequest request(String path, String... headers) {
        HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
                .timeout(Duration.ofSeconds(20));
        return headers.length == 0 ? builder.build() : builder.headers(headers).build();
    }

    HttpClient client() {
        return client;
    }

    @Override
    public void close() {
        endpoint.close();
    }
}
