package io.shardwright.bench;

import io.shardwright.client.ExecutorClient;
import io.shardwright.client.ShardContext;
import io.shardwright.client.ShardProcessor;
import io.shardwright.client.lease.ShardStop;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Heap of a server process with 100,000 shards and 1,000 executors that run here, each with its own connection, on a
 * SQLite file: what is left after a full collection, and what the process may use at most.
 */
public final class HeapSize {

    private static final int EXECUTORS = 1000;
    private static final int SHARDS = 100_000;
    private static final String LIMIT = "-Xmx256m";
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final Pattern HEAP = Pattern.compile("(?m)^jvm_memory_used_bytes\\{area=\"heap\"} (\\S+)$");

    private HeapSize() {}

    private static final class Nothing implements ShardProcessor {
        private final AtomicInteger running;

        Nothing(AtomicInteger running) {
            this.running = running;
        }

        @Override
        public void start(ShardContext shard) {
            running.incrementAndGet();
        }

        @Override
        public void stop(ShardStop reason) {
            running.decrementAndGet();
        }
    }

    /** Runs. */
    public static void main(String[] args) throws Exception {
        Path directory = Files.createTempDirectory("shardwright-heap");
        Process server = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        LIMIT,
                        "-cp",
                        System.getProperty("java.class.path"),
                        "io.shardwright.server.Main",
                        "server",
                        "--set=grpc.port=0",
                        "--set=http.port=0",
                        "--set=persistence.sqlite.file=" + directory.resolve("state.db"),
                        "--namespace=bench:fixed:" + SHARDS)
                .directory(directory.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            measure(server);
        } finally {
            server.destroyForcibly().waitFor();
            delete(directory);
        }
        System.exit(0); // a thousand goodbyes would say nothing about the heap
    }

    private static void measure(Process server) throws IOException, InterruptedException {
        String ready = readyLine(server);
        String grpc = "127.0.0.1:" + match("grpc=(\\S+)", ready);
        URI metrics = URI.create("http://127.0.0.1:" + match("http=(\\d+)", ready) + "/metrics");
        AtomicInteger running = new AtomicInteger();
        List<ExecutorClient> executors = new ArrayList<>();
        for (int i = 0; i < EXECUTORS; i++) {
            executors.add(ExecutorClient.builder()
                    .target(grpc)
                    .namespace("bench")
                    .executorId("executor-" + i)
                    .processors(key -> new Nothing(running))
                    .start());
        }
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (running.get() < SHARDS
                || executors.stream().anyMatch(each -> each.describe().shards().size() > 110)) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException(running.get() + " of " + SHARDS + " shards run after " + PATIENCE);
            }
            TimeUnit.SECONDS.sleep(1);
        }
        System.out.printf(
                Locale.ROOT,
                "heap of a server (%s, SQLite) with %d executors connected and %d shards running: %.1f MiB after a full collection%n",
                LIMIT,
                EXECUTORS,
                running.get(),
                heapAfterCollection(server, metrics) / 1048576.0);
    }

    private static String readyLine(Process server) throws IOException {
        BufferedReader out = server.inputReader();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.startsWith("ready")) {
                return line;
            }
        }
        throw new IllegalStateException("the server ended before it was ready");
    }

    private static double heapAfterCollection(Process server, URI metrics) throws IOException, InterruptedException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        for (int i = 0; i < 3; i++) {
            new ProcessBuilder(jcmd.toString(), Long.toString(server.pid()), "GC.run")
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        }
        String page = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(metrics).build(), HttpResponse.BodyHandlers.ofString())
                .body();
        Matcher heap = HEAP.matcher(page);
        if (!heap.find()) {
            throw new IllegalStateException("no jvm_memory_used_bytes of the heap under " + metrics);
        }
        return Double.parseDouble(heap.group(1));
    }

    private static String match(String pattern, String text) {
        Matcher found = Pattern.compile(pattern).matcher(text);
        if (!found.find()) {
            throw new IllegalStateException("nothing matches " + pattern + " in: " + text);
        }
        return found.group(1);
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
