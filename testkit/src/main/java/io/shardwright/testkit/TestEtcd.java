package io.shardwright.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A real etcd of one member on this machine: a process of its own on free ports, with its data in a temporary
 * directory. Closing it kills it and deletes the data; so does the end of the JVM.
 *
 * <p>Without fsync where etcd knows the flag (3.5 and later), since the data never outlives the test.
 */
public final class TestEtcd implements AutoCloseable {

    private static final Duration START = Duration.ofSeconds(30);
    private static final int ATTEMPTS = 3;

    private final Path directory;
    private final List<String> command;
    private final String endpoint;
    private final String health;
    private final Thread cleanUp = new Thread(this::killAndDelete, "test-etcd-clean-up");
    private Process process;

    private TestEtcd(Path directory, List<String> command, String endpoint, String health, Process process) {
        this.directory = directory;
        this.command = command;
        this.endpoint = endpoint;
        this.health = health;
        this.process = process;
        Runtime.getRuntime().addShutdownHook(cleanUp);
    }

    /**
     * Starts an etcd and waits until it answers.
     *
     * @param flags further flags, such as {@code --max-txn-ops=64}
     */
    public static TestEtcd start(String... flags) {
        return start("http", flags);
    }

    /**
     * Starts an etcd that is reached over TLS, and waits until it answers.
     *
     * @param server certificate and key of the etcd
     * @param flags further flags, such as {@code --client-cert-auth}
     */
    public static TestEtcd startTls(Certificates.Pair server, String... flags) {
        List<String> all =
                new ArrayList<>(List.of("--cert-file=" + server.certificate(), "--key-file=" + server.key()));
        all.addAll(List.of(flags));
        return start("https", all.toArray(new String[0]));
    }

    private static TestEtcd start(String scheme, String... flags) {
        Path binary = EtcdBinary.find();
        IllegalStateException last = new IllegalStateException("etcd was not started");
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            // A free port can be taken by another process before etcd binds it; then the next attempt takes others.
            try {
                return startOnce(binary, scheme, flags);
            } catch (IllegalStateException e) {
                last = e;
            }
        }
        throw last;
    }

    private static TestEtcd startOnce(Path binary, String scheme, String... flags) {
        try {
            Path directory = Files.createTempDirectory("test-etcd");
            String client = scheme + "://127.0.0.1:" + freePort();
            String peer = "http://127.0.0.1:" + freePort();
            // Answers whether it is healthy without a certificate.
            String health = "http://127.0.0.1:" + freePort();
            List<String> command = new ArrayList<>(List.of(
                    binary.toString(),
                    "--name=test",
                    "--data-dir=" + directory.resolve("data"),
                    "--listen-client-urls=" + client,
                    "--advertise-client-urls=" + client,
                    "--listen-peer-urls=" + peer,
                    "--initial-advertise-peer-urls=" + peer,
                    "--initial-cluster=test=" + peer,
                    "--listen-metrics-urls=" + health,
                    "--log-level=warn"));
            command.addAll(List.of(flags));
            TestEtcd etcd = new TestEtcd(directory, command, client, health, launch(directory, command));
            etcd.awaitReady();
            return etcd;
        } catch (IOException e) {
            throw new UncheckedIOException(binary + " could not be started", e);
        }
    }

    private static Process launch(Path directory, List<String> command) throws IOException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("log").toFile()))
                .start();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void awaitReady() throws IOException {
        long end = System.nanoTime() + START.toNanos();
        while (!isHealthy()) {
            if (!process.isAlive() || System.nanoTime() - end > 0) {
                String log = Files.readString(directory.resolve("log"));
                close();
                throw new IllegalStateException(
                        "etcd did not get ready within " + START + ": " + String.join(" ", command) + "\n" + log);
            }
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    private boolean isHealthy() {
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) URI.create(health + "/health").toURL().openConnection();
            connection.setConnectTimeout(1_000);
            connection.setReadTimeout(1_000);
            return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns the address for clients, such as {@code http://127.0.0.1:2379}. */
    public String endpoint() {
        return endpoint;
    }

    /** Kills the process with SIGKILL and keeps its data. */
    public void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    /** Starts the process again on the same ports and data, and waits until it answers. */
    public void restart() {
        try {
            process = launch(directory, command);
            awaitReady();
        } catch (IOException e) {
            throw new UncheckedIOException("etcd could not be started again", e);
        }
    }

    /** Stops the process where it stands (SIGSTOP): its sockets stay open and it answers nothing. */
    public void pause() {
        try {
            Signals.stop(process);
        } catch (IOException e) {
            throw new UncheckedIOException("etcd could not be stopped", e);
        }
    }

    /** Lets a stopped process go on (SIGCONT). */
    public void resume() {
        try {
            Signals.go(process);
        } catch (IOException e) {
            throw new UncheckedIOException("etcd could not be told to go on", e);
        }
    }

    private void awaitEnd() {
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                throw new IllegalStateException("etcd process " + process.pid() + " survived SIGKILL for 10 s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(cleanUp);
        killAndDelete();
    }

    private void killAndDelete() {
        process.destroyForcibly();
        awaitEnd();
        try {
            Commands.deleteTree(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "directory " + directory + " of a test etcd cannot be deleted; delete it", e);
        }
    }
}
