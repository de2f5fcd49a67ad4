package io.shardwright.canary.process;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The processes that this one started. All end when this is closed, and when the virtual machine shuts down.
 * Thread-safe.
 */
public final class Children implements AutoCloseable {

    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(12);

    private final List<JavaProcess> all = new ArrayList<>();
    private final Thread hook = new Thread(this::endAll, "children-end");
    private boolean closed;

    public Children() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Starts a process; see {@link JavaProcess#start}. */
    public synchronized JavaProcess start(
            String name, int heapMegabytes, List<String> command, Consumer<String> lines) {
        if (closed) {
            throw new IllegalStateException("everything is being stopped; " + name + " is not started");
        }
        all.subList(Math.min(1, all.size()), all.size()).removeIf(child -> !child.isAlive());
        JavaProcess child = JavaProcess.start(name, heapMegabytes, command, lines);
        all.add(child);
        return child;
    }

    /** Says whether the end of children is expected by now. */
    public synchronized boolean isClosed() {
        return closed;
    }

    private synchronized List<JavaProcess> closeForNew() {
        closed = true;
        return List.copyOf(all);
    }

    /** Ends all but the first one without a word (SIGKILL): quick, where nobody is left who would miss them. */
    public void killAllButFirst() {
        closeForNew().stream().skip(1).forEach(JavaProcess::kill);
    }

    /** The youngest first: the server, which the others need for a graceful end, was the first. */
    private void endAll() {
        List<JavaProcess> children = closeForNew().reversed();
        long end = System.nanoTime() + GRACE_NANOS;
        boolean interrupted = false;
        for (int i = 0; i < children.size(); i++) {
            children.get(i).terminate();
            boolean lastButFirst = i == children.size() - 2;
            if (lastButFirst) {
                interrupted |= !awaitAll(children.subList(0, i + 1), end);
            }
        }
        interrupted |= !awaitAll(children, end);
        children.forEach(JavaProcess::kill);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean awaitAll(List<JavaProcess> children, long end) {
        try {
            for (JavaProcess child : children) {
                child.awaitExit(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
            }
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }

    @Override
    public void close() {
        endAll();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException shuttingDown) {
            // The hook runs by itself, and finds nobody left.
            return;
        }
    }
}
