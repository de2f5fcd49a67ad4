package io.shardwright.rpc.service;

import io.shardwright.domain.Scheduler;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Who writes answers and streams, and who counts time for their beats. Thread-safe. */
public final class StreamThreads implements AutoCloseable {

    private final Executor writers;
    private final Ticks ticks;
    private final Runnable end;

    /** Runs a task again and again, first after one period; returns what ends it. */
    private interface Ticks {
        Runnable every(Duration period, Runnable task);
    }

    private StreamThreads(Executor writers, Ticks ticks, Runnable end) {
        this.writers = writers;
        this.ticks = ticks;
        this.end = end;
    }

    /** Starts a virtual thread for each piece of writing, and one thread that counts time. */
    public static StreamThreads start() {
        ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor();
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("stream-beats").factory());
        timer.setRemoveOnCancelPolicy(true); // streams come and go all day
        Ticks ticks = (period, task) -> {
            ScheduledFuture<?> future =
                    timer.scheduleAtFixedRate(task, period.toNanos(), period.toNanos(), TimeUnit.NANOSECONDS);
            return () -> future.cancel(false);
        };
        return new StreamThreads(writers, ticks, () -> {
            timer.shutdownNow();
            writers.shutdown();
        });
    }

    /** Does everything on one loop, for callers whose writing never waits: a simulated network. */
    public static StreamThreads on(Scheduler loop) {
        return new StreamThreads(loop::execute, (period, task) -> new Repeated(loop, period, task).begin(), () -> {});
    }

    /** Runs what may have to wait for a reader. */
    Executor writers() {
        return writers;
    }

    /** Runs a task again and again, first after one period. The task must not block. Returns what ends it. */
    Runnable every(Duration period, Runnable task) {
        return ticks.every(period, task);
    }

    /** Ends the threads; to be called when nobody is served any more. */
    @Override
    public void close() {
        end.run();
    }

    /** A timer that arms itself anew. Used on its loop. */
    private static final class Repeated {
        private final Scheduler loop;
        private final Duration period;
        private final Runnable task;
        private Scheduler.Timer timer = () -> {};

        Repeated(Scheduler loop, Duration period, Runnable task) {
            this.loop = loop;
            this.period = period;
            this.task = task;
        }

        Runnable begin() {
            timer = loop.schedule(period, this::run);
            return () -> timer.cancel();
        }

        private void run() {
            begin();
            task.run();
        }
    }
}
