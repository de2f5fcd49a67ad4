package io.shardwright.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** There is no engine here: what the Dockerfile lays out is laid out, and run as the image runs it. */
@Timeout(180)
final class ImageTest {

    private static final Pattern READY = Pattern.compile("ready grpc=(\\d+) http=(\\d+)");

    @TempDir
    static Path directory;

    private static Path home = Path.of("");

    @BeforeAll
    static void assemble() throws Exception {
        home = directory.resolve("opt/shardwright");
        Ran ran = run(
                Map.of("JAVA_HOME", System.getProperty("java.home")),
                Documents.ROOT.resolve("deploy/image/assemble.sh").toString(),
                home.toString());
        assertEquals(0, ran.exitCode(), ran.printed());
    }

    private record Ran(int exitCode, String printed) {}

    private static Process start(Map<String, String> environment, String... command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.directory(Files.createTempDirectory(directory, "work").toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("SHARDWRIGHT") || name.startsWith("JAVA"));
        builder.environment().putAll(environment);
        return builder.start();
    }

    private static Ran run(Map<String, String> environment, String... command) throws Exception {
        Process process = start(environment, command);
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), printed);
        return new Ran(process.exitValue(), printed);
    }

    private static String command(String name) {
        return home.resolve("bin").resolve(name).toString();
    }

    /** A server as the image starts it, until it is closed. */
    private static final class Server implements AutoCloseable {
        private final Process process;
        private final List<String> lines = new ArrayList<>();
        private final int grpc;
        private final int http;

        Server(Map<String, String> environment, String... arguments) throws IOException {
            List<String> all = new ArrayList<>(List.of(command("shardwright"), "server"));
            all.addAll(List.of(arguments));
            process = start(environment, all.toArray(new String[0]));
            BufferedReader printed =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
            Matcher ready = READY.matcher("");
            for (String line = printed.readLine(); line != null; line = printed.readLine()) {
                lines.add(line);
                ready = READY.matcher(line);
                if (ready.find()) {
                    break;
                }
            }
            assertTrue(ready.reset().find(), lines.toString());
            grpc = Integer.parseInt(ready.group(1));
            http = Integer.parseInt(ready.group(2));
        }

        String get(String path) throws Exception {
            return HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + http + path))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        }

        @Override
        public void close() throws InterruptedException {
            process.destroy();
            assertTrue(process.waitFor(30, TimeUnit.SECONDS), "SIGTERM did not stop it");
        }
    }

    @Test
    void theServerStartsWithTheCacheThatWasMadeForIt() throws Exception {
        // AOTMode=on: a cache that does not fit is an error, and not only a slower start.
        Ran version = run(Map.of("SHARDWRIGHT_JAVA_OPTS", "-XX:AOTMode=on"), command("shardwright"), "--version");
        assertEquals(0, version.exitCode(), version.printed());
        Ran shardctl = run(Map.of("SHARDWRIGHT_JAVA_OPTS", "-XX:AOTMode=on"), command("shardctl"), "--version");
        assertEquals(0, shardctl.exitCode(), shardctl.printed());
    }

    @Test
    void theHealthCheckOfTheImageSaysWhetherTheServerIsReady() throws Exception {
        try (Server server = new Server(Map.of(), "--store", "memory", "--grpc-port", "0", "--http-port", "0")) {
            Ran ready = run(Map.of("SHARDWRIGHT__HTTP__PORT", "" + server.http), command("ready"));
            assertEquals(new Ran(0, ""), ready);
        }
        // No etcd there: it answers, and is not ready.
        Map<String, String> environment = Map.of(
                "SHARDWRIGHT__PERSISTENCE__TYPE", "etcd",
                "SHARDWRIGHT__PERSISTENCE__ETCD__ENDPOINTS", "http://127.0.0.1:1",
                "SHARDWRIGHT__GRPC__ADVERTISED_HOST", "127.0.0.1");
        try (Server server = new Server(environment, "--grpc-port", "0", "--http-port", "0")) {
            Ran unready = run(Map.of("SHARDWRIGHT__HTTP__PORT", "" + server.http), command("ready"));
            assertEquals(1, unready.exitCode());
            assertTrue(unready.printed().contains("\"ready\":false"), unready.printed());
        }
        Ran nobody = run(Map.of("SHARDWRIGHT__HTTP__PORT", "1"), command("ready"));
        assertEquals(1, nobody.exitCode());
    }

    @Test
    void everyTransportStoreAndCommandRunsOnTheJavaOfTheImage() throws Exception {
        for (String transport : List.of("netty", "helidon")) {
            Map<String, String> environment = Map.of("SHARDWRIGHT__GRPC__TRANSPORT", transport);
            try (Server server =
                    new Server(environment, "--store", "sqlite:s.db", "--grpc-port", "0", "--http-port", "0")) {
                String target = "127.0.0.1:" + server.grpc;
                Ran canary = run(
                        Map.of(),
                        command("shardwright"),
                        "canary",
                        "--target",
                        target,
                        "--for",
                        "3s",
                        "--executors",
                        "1");
                assertEquals(0, canary.exitCode(), transport + ": " + canary.printed());
                Ran list = run(Map.of(), command("shardctl"), "--address", target, "namespace", "list");
                assertEquals(0, list.exitCode(), list.printed());
                assertTrue(list.printed().contains("canary-fixed"), list.printed());
            }
        }
    }

    @Test
    void everyMetricOfTheAlertRulesIsServed() throws Exception {
        try (Server server = new Server(
                Map.of(), "--store", "memory", "--grpc-port", "0", "--http-port", "0", "--namespace", "n:fixed:4")) {
            String metrics = server.get("/metrics");
            TreeSet<String> missing = new TreeSet<>();
            for (String metric : AlertRulesTest.metricsOfTheRules()) {
                // With a value: increase() overlooks the first event of a counter that was not there before.
                if (!metrics.contains("\n" + metric + "{") && !metrics.contains("\n" + metric + " ")) {
                    missing.add(metric);
                }
            }
            assertEquals(new TreeSet<>(), missing, metrics);
        }
    }
}
