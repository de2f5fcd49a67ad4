package io.shardwright.canary;

import io.shardwright.canary.process.Children;
import io.shardwright.canary.process.JavaProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The executor processes of a run. Thread-safe. */
final class Fleet {

    private static final int HEAP_MEGABYTES = 96;

    private final Children children;
    private final String prefix;
    private final List<String> options;
    private final Listener listener;
    private final TreeMap<String, JavaProcess> live = new TreeMap<>();
    private int started;

    /** Hears of executors. Called on background threads. */
    interface Listener {
        /** An executor printed a line. */
        void line(String id, String line);

        /** An executor ended that nobody ended. */
        void died(String id, int code, List<String> lastErrors);
    }

    /**
     * @param prefix of the executor ids
     * @param options arguments of {@code canary executor} that all have in common
     */
    Fleet(Children children, String prefix, List<String> options, Listener listener) {
        this.children = children;
        this.prefix = prefix;
        this.options = List.copyOf(options);
        this.listener = listener;
    }

    /** Starts one more executor; returns its id. */
    synchronized String start() {
        started++;
        String id = prefix + started;
        List<String> command = new ArrayList<>(List.of(ExecutorCommand.class.getName(), "--id", id));
        command.addAll(options);
        Consumer<String> lines = line -> listener.line(id, line);
        JavaProcess process = children.start("executor " + id, HEAP_MEGABYTES, command, lines);
        live.put(id, process);
        process.onExit(code -> ended(id, code, process));
        return id;
    }

    private void ended(String id, int code, JavaProcess process) {
        boolean unexpected;
        synchronized (this) {
            unexpected = live.remove(id, process);
        }
        if (unexpected && !children.isClosed()) {
            listener.died(id, code, process.lastErrors());
        }
    }

    /** Returns the ids of the executors that nobody ended. */
    synchronized List<String> ids() {
        return List.copyOf(live.keySet());
    }

    /** Returns the process id of an executor that nobody ended; 0 for another. */
    synchronized long pid(String id) {
        JavaProcess process = live.get(id);
        return process == null ? 0 : process.pid();
    }

    /** Ends an executor without a word (SIGKILL). */
    void kill(String id) {
        take(id).kill();
    }

    /** Asks an executor to leave (SIGTERM). */
    void terminate(String id) {
        take(id).terminate();
    }

    private synchronized JavaProcess take(String id) {
        JavaProcess process = live.remove(id);
        if (process == null) {
            throw new NoSuchElementException("no executor " + id + " runs");
        }
        return process;
    }
}
