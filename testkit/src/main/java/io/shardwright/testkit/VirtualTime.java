package io.shardwright.testkit;

import io.shardwright.domain.Clock;
import io.shardwright.domain.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.TreeSet;

/**
 * An event loop whose time moves only when a test says so.
 *
 * <p>Tasks run in the order of their time, and in the order they were handed over where the time is the same; so every
 * run is the same run. A task that throws stops the run and the exception reaches the test. Used by one thread.
 */
public final class VirtualTime implements Clock, Scheduler {

    private static final Instant WALL_START = Instant.parse("2026-01-01T00:00:00Z");

    private final TreeSet<Entry> queue =
            new TreeSet<>(Comparator.comparingLong(Entry::due).thenComparingLong(Entry::sequence));
    private long now;
    private long sequence;

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public Instant wallTime() {
        return WALL_START.plusNanos(now);
    }

    @Override
    public void execute(Runnable task) {
        schedule(Duration.ZERO, task);
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        if (delay.isNegative()) {
            throw new IllegalArgumentException("delay=" + delay + " must not be negative");
        }
        Entry entry = new Entry(now + delay.toNanos(), sequence++, task);
        queue.add(entry);
        return () -> queue.remove(entry);
    }

    /** Moves time forward and runs everything that falls due on the way, each task at its own time. */
    public void advance(Duration by) {
        long end = now + by.toNanos();
        while (!queue.isEmpty() && queue.first().due() <= end) {
            runFirst();
        }
        now = end;
    }

    /** Runs everything that is due now, and what those tasks make due now; time stands still. */
    public void runUntilIdle() {
        advance(Duration.ZERO);
    }

    /** Moves time to the next waiting task and runs it. Returns whether there was one. */
    public boolean runNext() {
        if (queue.isEmpty()) {
            return false;
        }
        runFirst();
        return true;
    }

    /** Returns how many tasks wait, due or not. */
    public int waiting() {
        return queue.size();
    }

    private void runFirst() {
        Entry entry = queue.pollFirst();
        now = Math.max(now, entry.due());
        entry.task().run();
    }

    private record Entry(long due, long sequence, Runnable task) {}
}
