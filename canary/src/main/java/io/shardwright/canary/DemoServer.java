package io.shardwright.canary;

import io.shardwright.canary.process.Children;
import io.shardwright.canary.process.JavaProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The server of a demo: the real one, as a process. */
final class DemoServer {

    /** By name: the server module knows this one, not the other way round. */
    private static final String MAIN = "io.shardwright.server.Main";

    private static final Pattern READY = Pattern.compile("ready grpc=([0-9]+) http=([0-9]+)");
    private static final int HEAP_MEGABYTES = 256;
    private static final int PATIENCE_SECONDS = 120;

    private final int grpcPort;
    private final JavaProcess process;
    private final Consumer<String> onDeath;
    private final CompletableFuture<Integer> httpPort = new CompletableFuture<>();

    DemoServer(Children children, DemoCommand command, Path directory, Consumer<String> onDeath)
            throws RunFailedException {
        this.onDeath = onDeath;
        this.grpcPort = freePort();
        this.process = children.start(
                "server",
                HEAP_MEGABYTES,
                List.of(
                        MAIN,
                        "server",
                        "--store",
                        "sqlite:" + directory.resolve("state.db"),
                        "--grpc-port",
                        Integer.toString(grpcPort),
                        "--http-port",
                        Integer.toString(command.httpPort),
                        "--namespace",
                        Demo.NAMESPACE + ":fixed:" + command.shards,
                        "--set",
                        "leases.default-duration=" + Durations.argument(command.lease),
                        "--set",
                        "grpc.bind-address=127.0.0.1",
                        "--set",
                        "http.bind-address=127.0.0.1"),
                this::line);
        process.onExit(this::ended);
    }

    /** The executors start while the server does, so they have to know its port before it does. */
    private static int freePort() throws RunFailedException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new RunFailedException("no free port on 127.0.0.1: " + e.getMessage(), e);
        }
    }

    private void line(String line) {
        Matcher ready = READY.matcher(line);
        if (ready.matches()) {
            httpPort.complete(Integer.parseInt(ready.group(2)));
        }
    }

    private void ended(int code) {
        List<String> errors = process.lastErrors();
        String message = "the server ended with code " + code
                + (errors.isEmpty() ? "" : "; its last words:\n  " + String.join("\n  ", errors));
        if (!httpPort.completeExceptionally(new RunFailedException(message))) {
            onDeath.accept(message);
        }
    }

    String target() {
        return "127.0.0.1:" + grpcPort;
    }

    /** Waits until the server serves; returns the address of the dashboard. */
    String awaitDashboard() throws RunFailedException, InterruptedException {
        try {
            return "http://127.0.0.1:" + httpPort.get(PATIENCE_SECONDS, TimeUnit.SECONDS) + "/";
        } catch (ExecutionException e) {
            throw new RunFailedException(
                    String.valueOf(Objects.requireNonNullElse(e.getCause(), e).getMessage()), e);
        } catch (TimeoutException e) {
            throw new RunFailedException(
                    "the server was not ready within "
                            + Duration.ofSeconds(PATIENCE_SECONDS).toSeconds() + " s; its last words:\n  "
                            + String.join("\n  ", process.lastErrors()),
                    e);
        }
    }
}
