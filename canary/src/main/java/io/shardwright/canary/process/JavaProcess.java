package io.shardwright.canary.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * A Java process on this process's classpath. Thread-safe.
 *
 * <p>It ends when this process ends, killed included: see {@link Tether}.
 */
public final class JavaProcess {

    /** Names an archive of loaded classes that belongs to this very classpath; set by the launcher. */
    private static final String ARCHIVE = "shardwright.archive";

    private static final int LAST_LINES = 20;

    private final String name;
    private final Process process;
    private final Deque<String> lastErrors = new ArrayDeque<>();

    private JavaProcess(String name, Process process) {
        this.name = name;
        this.process = process;
    }

    /**
     * Starts a main class.
     *
     * @param name for messages
     * @param heapMegabytes bound of its heap
     * @param command main class and arguments
     * @param lines hears each line of its standard output, on one background thread
     */
    public static JavaProcess start(String name, int heapMegabytes, List<String> command, Consumer<String> lines) {
        List<String> all = new ArrayList<>();
        all.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // Short-lived and many: quick to start, small, and no more threads than needed.
        all.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx" + heapMegabytes + "m"));
        all.add("--enable-native-access=ALL-UNNAMED");
        if (Runtime.version().feature() >= 23) {
            all.add("--sun-misc-unsafe-memory-access=allow");
        }
        String archive = System.getProperty(ARCHIVE);
        if (archive != null) {
            all.addAll(List.of("-XX:SharedArchiveFile=" + archive, "-Xshare:auto", "-Xlog:cds*=off"));
            if (Runtime.version().feature() >= 24) {
                all.add("-Xlog:aot*=off");
            }
        }
        all.addAll(List.of("-cp", System.getProperty("java.class.path"), Tether.class.getName()));
        all.addAll(command);
        try {
            JavaProcess started = new JavaProcess(name, new ProcessBuilder(all).start());
            started.read(started.process.inputReader(StandardCharsets.UTF_8), lines);
            started.read(started.process.errorReader(StandardCharsets.UTF_8), started::keep);
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + name + ": " + e.getMessage(), e);
        }
    }

    private void read(BufferedReader from, Consumer<String> lines) {
        Thread.ofVirtual().name("output of " + name).start(() -> {
            try (from) {
                for (String line = from.readLine(); line != null; line = from.readLine()) {
                    lines.accept(line);
                }
            } catch (IOException e) {
                System.getLogger(JavaProcess.class.getName())
                        .log(System.Logger.Level.DEBUG, "output of " + name + " broke", e);
            }
        });
    }

    private void keep(String line) {
        synchronized (lastErrors) {
            if (lastErrors.size() == LAST_LINES) {
                lastErrors.removeFirst();
            }
            lastErrors.add(line);
        }
    }

    /** Returns the last lines of its standard error. */
    public List<String> lastErrors() {
        synchronized (lastErrors) {
            return List.copyOf(lastErrors);
        }
    }

    /** Returns its name. */
    public String name() {
        return name;
    }

    /** Returns its process id. */
    public long pid() {
        return process.pid();
    }

    /** Says whether it runs. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Tells its exit code on a background thread when it has ended. */
    public void onExit(IntConsumer listener) {
        Thread.ofVirtual().name("end of " + name).start(() -> {
            try {
                listener.accept(process.waitFor());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /** Asks it to end (SIGTERM). */
    public void terminate() {
        process.destroy();
    }

    /** Ends it without a word (SIGKILL). */
    public void kill() {
        process.destroyForcibly();
    }

    /** Waits for its end; returns whether it came in time. */
    public boolean awaitExit(long millis) throws InterruptedException {
        return process.waitFor(millis, TimeUnit.MILLISECONDS);
    }
}
