package io.shardwright.canary;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What a running canary serves to Prometheus. */
final class CanaryMetricsTest {

    private static final Pattern ADDRESS = Pattern.compile("metrics at (http://[^ \\n]+)");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void theNumbersOfTheRunAreServedWhileItRuns() throws Exception {
        try (LyingCluster cluster = new LyingCluster(false);
                HttpClient client = HttpClient.newHttpClient()) {
            CompletableFuture<Integer> code = CompletableFuture.supplyAsync(() -> new CommandLine(new CanaryCommand())
                    .setOut(new PrintWriter(out, true))
                    .setErr(new PrintWriter(err, true))
                    .execute(
                            "--target",
                            cluster.target(),
                            "--shards",
                            "1",
                            "--executors",
                            "0",
                            "--metrics-port",
                            "0",
                            "--for",
                            "15s"));
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> err.toString().contains("pinging") && cluster.isWatched());
            Matcher address = ADDRESS.matcher(err.toString());
            assertTrue(address.find(), err.toString());
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create(address.group(1))).build();
            Awaitility.await()
                    .atMost(Duration.ofSeconds(10))
                    .until(() -> value(client, request, "pings_total{outcome=\"ok\"}") > 10);
            assertEquals(0, value(client, request, "double_owners_total"));
            assertEquals(0, value(client, request, "moves_total"));
            cluster.move();
            Awaitility.await()
                    .atMost(Duration.ofSeconds(10))
                    .until(() -> value(client, request, "double_owners_total") > 0);
            assertEquals(1, value(client, request, "moves_total"));
            assertEquals(ExitCodes.VIOLATION, code.get(60, TimeUnit.SECONDS));
        }
    }

    private static double value(HttpClient client, HttpRequest request, String name)
            throws IOException, InterruptedException {
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        assertEquals(200, response.statusCode());
        Matcher line = Pattern.compile("(?m)^" + Pattern.quote("shardwright_canary_" + name) + " ([0-9.]+)$")
                .matcher(response.body());
        assertTrue(line.find(), name + " is missing in\n" + response.body());
        return Double.parseDouble(line.group(1));
    }
}
