package io.shardwright.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A command of {@code shardwright} as a process of its own, with all that it starts. */
final class CommandProcess implements AutoCloseable {

    private static final int PATIENCE_SECONDS = 240; // for machines that are busy with other builds

    private final Process process;
    private final Path out;
    private final Path err;
    private final Set<ProcessHandle> descendants = new TreeSet<>();

    private CommandProcess(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /** Starts it with this directory for temporary files. */
    static CommandProcess start(Path directory, Path temporary, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(arguments));
        Path out = Files.createTempFile(directory, "command", ".out");
        Path err = Files.createTempFile(directory, "command", ".err");
        Process process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        return new CommandProcess(process, out, err);
    }

    /** Waits until its output has this, and notes what it starts meanwhile. */
    void awaitOutput(Pattern expected) throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!expected.matcher(out()).find()) {
            process.descendants().forEach(descendants::add);
            if (System.nanoTime() > end || process.waitFor(200, TimeUnit.MILLISECONDS)) {
                throw new AssertionError("no " + expected + " in the " + log());
            }
        }
    }

    /** Kills (SIGKILL) the process that it started with this word among its arguments. */
    void kill(String word) {
        process.descendants()
                .filter(each -> arguments(each).contains(word))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + word + " was started; " + log()))
                .destroyForcibly();
    }

    /** The JDK does not tell arguments that are as long as a classpath. */
    private static List<String> arguments(ProcessHandle process) {
        try {
            return List.of(Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"))
                    .split("\0", -1));
        } catch (IOException e) {
            return List.of(); // it has ended
        }
    }

    /** Asks it to end (SIGTERM). */
    void terminate() {
        process.destroy();
    }

    /** Waits for its end, and notes what it starts meanwhile. */
    int exitCode() throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!process.waitFor(200, TimeUnit.MILLISECONDS)) {
            process.descendants().forEach(descendants::add);
            if (System.nanoTime() > end) {
                throw new AssertionError("still running; " + log());
            }
        }
        return process.exitValue();
    }

    /** Returns how many processes it was seen to start. */
    int started() {
        return descendants.size();
    }

    /** Returns which of the processes it started are still there. */
    Set<Long> left() {
        return descendants.stream()
                .filter(ProcessHandle::isAlive)
                .map(ProcessHandle::pid)
                .collect(Collectors.toSet());
    }

    String out() throws IOException {
        return Files.readString(out);
    }

    String log() {
        try {
            return "output:\n" + out() + "\nerrors:\n" + Files.readString(err);
        } catch (IOException e) {
            return "no output: " + e;
        }
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        descendants.forEach(ProcessHandle::destroyForcibly);
    }
}
