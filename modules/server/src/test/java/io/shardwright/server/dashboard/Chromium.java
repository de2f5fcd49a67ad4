package io.shardwright.server.dashboard;

import io.helidon.json.JsonArray;
import io.helidon.json.JsonObject;
import io.helidon.json.JsonParser;
import io.shardwright.testkit.ChromiumBinary;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.TerminalFailureException;

/** One page in a headless Chromium, driven by the DevTools protocol. Remembers everything the page complained about. */
final class Chromium implements AutoCloseable {

    private static final Duration START = Duration.ofSeconds(30);
    private static final long ANSWER_SECONDS = 20;

    private final Process process;
    private final WebSocket socket;
    private final AtomicInteger lastId = new AtomicInteger();
    private final ConcurrentHashMap<Integer, CompletableFuture<JsonObject>> waiting = new ConcurrentHashMap<>();
    private final List<String> complaints = new CopyOnWriteArrayList<>();

    private Chromium(Process process, URI page) {
        this.process = process;
        this.socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(page, new Incoming())
                .join();
        call("Runtime.enable", JsonObject.empty());
        call("Log.enable", JsonObject.empty());
        // Nobody looks at a headless window; elements of it get the focus only when it is told that somebody does.
        call(
                "Emulation.setFocusEmulationEnabled",
                JsonObject.builder().set("enabled", true).build());
        call(
                "Performance.enable",
                JsonObject.builder().set("timeDomain", "threadTicks").build());
    }

    /** Starts one with a new profile in {@code directory}, which must be empty. */
    static Chromium start(Path directory) throws IOException, InterruptedException {
        Path port = directory.resolve("DevToolsActivePort");
        Path output = directory.resolve("output.txt");
        Process process = new ProcessBuilder(
                        ChromiumBinary.find().toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-quic",
                        "--disable-dev-shm-usage",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        "--remote-debugging-port=0",
                        "--window-size=1400,1000",
                        "--user-data-dir=" + directory,
                        "about:blank")
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            Awaitility.await("Chromium's debugging port")
                    .atMost(START)
                    .failFast("Chromium has ended", () -> !process.isAlive())
                    .until(() -> Files.exists(port) && Files.readAllLines(port).size() > 1);
            return new Chromium(
                    process, page(Files.readAllLines(port).getFirst()).orElseThrow());
        } catch (TerminalFailureException e) {
            throw new IllegalStateException("Chromium has ended: " + Files.readString(output), e);
        } catch (RuntimeException | IOException | InterruptedException e) {
            end(process);
            throw e;
        }
    }

    private static Optional<URI> page(String port) throws IOException, InterruptedException {
        String list = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/list"))
                                .build(),
                        BodyHandlers.ofString())
                .body();
        return JsonParser.create(list).readJsonArray().values().stream()
                .map(target -> target.asObject())
                .filter(target -> target.stringValue("type", "").equals("page"))
                .map(target -> URI.create(target.stringValue("webSocketDebuggerUrl", "")))
                .findFirst();
    }

    void open(String address) {
        call("Page.navigate", JsonObject.builder().set("url", address).build());
    }

    /** The value of an expression, as text. */
    String evaluate(String expression) {
        JsonObject answer = call(
                "Runtime.evaluate",
                JsonObject.builder()
                        .set("expression", "String(" + expression + ")")
                        .set("returnByValue", true)
                        .build());
        return answer.objectValue("result")
                .flatMap(result -> result.stringValue("value"))
                .orElse("no value: " + answer);
    }

    /** Shows the page as with this setting of the system: {@code light} or {@code dark}. */
    void prefer(String scheme) {
        JsonObject feature = JsonObject.builder()
                .set("name", "prefers-color-scheme")
                .set("value", scheme)
                .build();
        call(
                "Emulation.setEmulatedMedia",
                JsonObject.builder().set("features", JsonArray.create(feature)).build());
    }

    void screenshot(Path file) throws IOException {
        String data = call("Page.captureScreenshot", JsonObject.empty()).stringValue("data", "");
        Files.write(file, Base64.getDecoder().decode(data));
    }

    /** Errors and warnings of the console, exceptions, refused resources. */
    List<String> complaints() {
        return List.copyOf(complaints);
    }

    /**
     * Processor time that the page's main thread used; unlike the time that passed, it tells the same on a busy
     * machine.
     */
    double cpuSeconds() {
        return call("Performance.getMetrics", JsonObject.empty()).arrayValue("metrics").orElseThrow().values().stream()
                .map(metric -> metric.asObject())
                .filter(metric -> metric.stringValue("name", "").equals("TaskDuration"))
                .mapToDouble(metric -> metric.doubleValue("value", 0))
                .sum();
    }

    void forgetComplaints() {
        complaints.clear();
    }

    private JsonObject call(String method, JsonObject parameters) {
        int id = lastId.incrementAndGet();
        CompletableFuture<JsonObject> answer = new CompletableFuture<>();
        waiting.put(id, answer);
        JsonObject message = JsonObject.builder()
                .set("id", id)
                .set("method", method)
                .set("params", parameters)
                .build();
        socket.sendText(message.toString(), true).join();
        return answer.orTimeout(ANSWER_SECONDS, TimeUnit.SECONDS).join();
    }

    private void heard(JsonObject message) {
        switch (message.stringValue("method", "")) {
            case "Runtime.exceptionThrown", "Log.entryAdded" -> complaints.add(message.toString());
            case "Runtime.consoleAPICalled" -> {
                String type = message.objectValue("params", JsonObject.empty()).stringValue("type", "");
                if (type.equals("error") || type.equals("warning")) {
                    complaints.add(message.toString());
                }
            }
            default ->
                Optional.ofNullable(waiting.remove(message.intValue("id", 0)))
                        .ifPresent(answer -> answer.complete(message.objectValue("result", message)));
        }
    }

    private final class Incoming implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
            text.append(part);
            if (last) {
                heard(JsonParser.create(text.toString()).readJsonObject());
                text.setLength(0);
            }
            from.request(1);
            return CompletableFuture.completedStage(null);
        }
    }

    @Override
    public void close() {
        socket.abort();
        end(process);
    }

    private static void end(Process process) {
        List<ProcessHandle> all = Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .toList();
        all.forEach(ProcessHandle::destroy);
        try {
            process.waitFor(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        all.forEach(ProcessHandle::destroyForcibly);
    }
}
