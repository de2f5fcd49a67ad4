package io.shardwright.rpc.service;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads that write answers and streams: a virtual one for each piece of writing, and one that counts time for
 * beats. Thread-safe.
 */
public final class StreamThreads implements AutoCloseable {

    private final ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor();
    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("stream-beats").factory());

    /** Starts them. */
    public StreamThreads() {
        timer.setRemoveOnCancelPolicy(true); // streams come and go all day
    }

    /** Runs what may have to wait for a reader. */
    Executor writers() {
        return writers;
    }

    /** Runs a task again and again, first after one period. The task must not block. Returns what ends it. */
    Runnable every(Duration period, Runnable task) {
        ScheduledFuture<?> ticks =
                timer.scheduleAtFixedRate(task, period.toNanos(), period.toNanos(), TimeUnit.NANOSECONDS);
        return () -> ticks.cancel(false);
    }

    /** Ends the threads; to be called when nobody is served any more. */
    @Override
    public void close() {
        timer.shutdownNow();
        writers.shutdown();
    }
}
