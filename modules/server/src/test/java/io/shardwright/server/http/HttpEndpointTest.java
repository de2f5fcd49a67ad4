package io.shardwright.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helidon.json.JsonParser;
import io.shardwright.server.config.ConfigInputs;
import io.shardwright.server.config.ConfigLoader;
import io.shardwright.server.config.HttpConfig;
import io.shardwright.server.config.Listen;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HttpEndpointTest {
    @Test
    @Tag("R126")
    void theHealthCheckAnswersWhileTheProcessLives() throws Exception {
        try (RunningEndpoint endpoint = new RunningEndpoint()) {
            endpoint.readiness = new Readiness.State(false, "no store");
            assertEquals(200, endpoint.get("/healthcheck").statusCode());
        }
    }

    @Test
    void onlyHttpOneIsSpoken() throws Exception {
        try (RunningEndpoint endpoint = new RunningEndpoint()) {
            assertEquals(
                    HttpClient.Version.HTTP_1_1, endpoint.get("/healthcheck").version());
        }
    }

    @Test
    @Tag("R126")
    void readinessSaysWhy() throws Exception {
        try (RunningEndpoint endpoint = new RunningEndpoint()) {
            assertEquals(200, endpoint.get("/readyz").statusCode());
            endpoint.readiness = new Readiness.State(false, "the store \"etcd\" does not answer");
            HttpResponse<String> response = endpoint.get("/readyz");
            assertEquals(503, response.statusCode());
            assertEquals(
                    "application/json; charset=utf-8",
                    response.headers().firstValue("content-type").orElse(""));
            assertEquals(
                    "the store \"etcd\" does not answer",
                    JsonParser.create(response.body()).readJsonObject().stringValue("reason", ""));
        }
    }

    @Test
    @Tag("R126")
    void metricsArePrometheusTextWithOurFiguresAndTheProcess() throws Exception {
        try (RunningEndpoint endpoint = new RunningEndpoint()) {
            endpoint.metrics.gauge("shard_manager_executors", "Executors with a lease.", () -> 3);
            endpoint.metrics.gauges(
                    "shard_manager_shards",
                    "Shards by namespace.",
                    List.of("namespace"),
                    samples -> samples.add(64, "demo"));
            endpoint.metrics
                    .counter("shard_manager_moves", "Shards moved.", "namespace")
                    .labelValues("demo")
                    .inc(5);
            endpoint.metrics
                    .seconds("shard_manager_renewal_seconds", "Time of a renewal.", List.of(0.001, 0.01))
                    .observe(0.005);
            HttpResponse<String> response = endpoint.get("/metrics");
            assertTrue(
                    response.headers().firstValue("content-type").orElse("").startsWith("text/plain; version=0.0.4"),
                    response.headers()::toString);
            List<String> lines = response.body().lines().toList();
            assertTrue(lines.contains("shard_manager_executors 3.0"), response::body);
            assertTrue(lines.contains("shard_manager_shards{namespace=\"demo\"} 64.0"), response::body);
            assertTrue(lines.contains("shard_manager_moves_total{namespace=\"demo\"} 5.0"), response::body);
            assertTrue(lines.contains("shard_manager_renewal_seconds_bucket{le=\"0.01\"} 1"), response::body);
            for (String name : List.of(
                    "jvm_memory_used_bytes",
                    "jvm_gc_collection_seconds_count",
                    "jvm_threads_current",
                    "process_cpu_seconds_total")) {
                assertTrue(lines.stream().anyMatch(line -> line.startsWith(name)), name);
            }
        }
    }

    @Test
    void aScraperThatAsksForOpenMetricsGetsIt() throws Exception {
        try (RunningEndpoint endpoint = new RunningEndpoint()) {
            HttpResponse<String> response =
                    endpoint.get("/metrics", "Accept", "application/openmetrics-text; version=1.0.0");
            assertTrue(
                    response.headers().firstValue("content-type").orElse("").startsWith("application/openmetrics-text"),
                    response.headers()::toString);
            assertTrue(response.body().endsWith("# EOF\n"));
        }
    }

    @Test
    void theConfigurationInEffectIsServedWithoutSecrets() throws Exception {
        try (RunningEndpoint endpoint = new RunningEndpoint()) {
            String body = endpoint.get("/config").body();
            assertTrue(body.contains("\"key\":\"persistence.postgres.password\",\"value\":\"(hidden)\""), body);
            assertFalse(body.contains("hunter2"), body);
        }
    }

    @Test
    void theStateOfTheDashboardIsServed() throws Exception {
        try (RunningEndpoint endpoint = new RunningEndpoint()) {
            assertEquals("{\"namespaces\":[]}", endpoint.get("/api/state").body());
        }
    }

    @Test
    void staticFilesComeFromTheClassPath() throws Exception {
        try (RunningEndpoint endpoint = new RunningEndpoint()) {
            HttpResponse<String> response = endpoint.get("/static-file-of-a-test.txt");
            assertEquals(200, response.statusCode());
            assertEquals("served from the class path\n", response.body());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/nothing",
                "/../secret",
                "/%2e%2e/%2e%2e/etc/passwd",
                "/api/nothing",
                "/observe/health",
                "/observe/config",
                "/io/shardwright/server/Main.class"
            })
    void whatIsNotServedIsNotFound(String path) throws Exception {
        try (RunningEndpoint endpoint = new RunningEndpoint()) {
            int status = endpoint.get(path).statusCode();
            assertTrue(status == 404 || status == 403 || status == 400, path + " gave " + status);
        }
    }

    @Test
    void aPortInUseIsRefusedWithKeyValueAndRemedy() throws Exception {
        try (RunningEndpoint first = new RunningEndpoint()) {
            BindFailedException refusal =
                    assertThrows(BindFailedException.class, () -> start("127.0.0.1", first.port()));
            assertEquals(
                    "http.port = " + first.port()
                            + ": cannot listen on 127.0.0.1: Address already in use. Stop the process that has it, or set http.port to a free port (0: any).",
                    refusal.getMessage());
        }
    }

    @Test
    void anAddressOfAnotherMachineIsRefusedWithKeyValueAndRemedy() {
        BindFailedException refusal = assertThrows(BindFailedException.class, () -> start("192.0.2.1", 0));
        assertTrue(refusal.toString().contains("cannot listen on 192.0.2.1"), refusal.getMessage());
        assertTrue(
                refusal.toString().contains("Set http.bind-address to an address of this machine"),
                refusal.getMessage());
        BindFailedException unknown = assertThrows(BindFailedException.class, () -> start("no-such-host.invalid", 0));
        assertTrue(
                unknown.toString().contains(": http.bind-address = no-such-host.invalid: the name cannot be resolved."),
                unknown.getMessage());
    }

    @Test
    void thePortIsClosedAfterTheStop() throws Exception {
        RunningEndpoint endpoint = new RunningEndpoint();
        int port = endpoint.port();
        endpoint.get("/healthcheck");
        endpoint.close();
        assertThrows(ConnectException.class, () -> new Socket(InetAddress.getLoopbackAddress(), port).close());
    }

    private static HttpEndpoint start(String address, int port) throws Exception {
        return HttpEndpoint.start(
                new HttpConfig(true, new Listen(address, port)),
                new HttpEndpoint.Content(
                        () -> new Readiness.State(true, ""),
                        Metrics.empty(),
                        ConfigLoader.load(new ConfigInputs(
                                        List.of(new ConfigInputs.Flag("--set", "persistence.type", "memory")),
                                        Map.of(),
                                        Optional.empty(),
                                        Path.of("/nowhere")))
                                .effective(),
                        LiveFeed.silent()));
    }
}
