package io.shardwright.server;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code shardwright server} as a process of its own. */
final class ServerProcess implements AutoCloseable {

    private static final Pattern READY = Pattern.compile("ready grpc=([0-9]+)(?: http=([0-9]+))?");
    private static final int PATIENCE_SECONDS = 60; // for machines that are busy with other builds

    private final Process process;
    private final Path log;
    private int httpPort;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final List<ManagedChannel> channels = new ArrayList<>();

    private ServerProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    static ServerProcess start(Path directory, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(Main.class.getName(), "server"));
        command.addAll(List.of(arguments));
        return launch(directory, java(command));
    }

    /** Starts one on ports that the system chooses. */
    static ServerProcess startOnFreePorts(Path directory, String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of("--grpc-port", "0", "--http-port", "0"));
        all.addAll(List.of(arguments));
        return start(directory, all.toArray(String[]::new));
    }

    /** Starts another main class, which says when it is ready as the server does. */
    static ServerProcess startMain(Path directory, Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(main.getName()));
        command.addAll(List.of(arguments));
        return launch(directory, java(command));
    }

    /** Returns the command that runs a main class of this class path. */
    static List<String> java(List<String> mainAndArguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path")));
        command.addAll(mainAndArguments);
        return command;
    }

    /** Starts a command that becomes a server. */
    static ServerProcess launch(Path directory, List<String> command) throws IOException {
        Path log = Files.createTempFile(directory, "server", ".log");
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectError(log.toFile())
                .start();
        ServerProcess server = new ServerProcess(process, log);
        Thread reader = new Thread(server::read, "server output");
        reader.setDaemon(true);
        reader.start();
        return server;
    }

    private void read() {
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                lines.add(line);
            }
        } catch (IOException e) {
            lines.add("cannot read: " + e);
        }
    }

    /** Waits until calls are served; returns a connection. */
    ManagedChannel connect() throws InterruptedException {
        String line = lines.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        Matcher ready = READY.matcher(String.valueOf(line));
        if (!ready.matches()) {
            throw new AssertionError("not ready but \"" + line + "\"; log:\n" + log());
        }
        ManagedChannel channel = Grpc.newChannelBuilderForAddress(
                        "127.0.0.1", Integer.parseInt(ready.group(1)), InsecureChannelCredentials.create())
                .build();
        channels.add(channel);
        httpPort = ready.group(2) == null ? 0 : Integer.parseInt(ready.group(2));
        return channel;
    }

    /** Returns the port of HTTP, after {@link #connect}. */
    int httpPort() {
        return httpPort;
    }

    String nextLine() throws InterruptedException {
        return String.valueOf(lines.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
    }

    long pid() {
        return process.pid();
    }

    /** SIGKILL: nothing is flushed, nobody is told. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    /** SIGTERM. Returns the exit code. */
    int terminate() throws InterruptedException {
        askToStop();
        return exitCode();
    }

    /** SIGTERM, without waiting for what follows. */
    void askToStop() {
        process.toHandle().destroy(); // Process.destroy would close the output that is to be read
    }

    int exitCode() throws InterruptedException {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("still running; log:\n" + log());
        }
        return process.exitValue();
    }

    String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        channels.forEach(ManagedChannel::shutdownNow);
        process.destroyForcibly();
    }
}
