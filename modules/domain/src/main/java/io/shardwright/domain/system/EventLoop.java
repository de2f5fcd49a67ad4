package io.shardwright.domain.system;

import io.shardwright.domain.Scheduler;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One thread that runs tasks one after the other, now or later.
 *
 * <p>A task that throws is logged and counted and never ends the loop. Timers that were withdrawn leave the queue at
 * once, so a loop that arms and withdraws many long timers stays small. All methods may be called from any thread.
 */
public final class EventLoop implements Scheduler, AutoCloseable {

    private static final Logger LOG = System.getLogger(EventLoop.class.getName());

    private final String name;
    private final Thread thread;
    private final AtomicLong failures = new AtomicLong();

    /** Guards everything below. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Condition work = lock.newCondition();
    private final TreeSet<Delayed> timers =
            new TreeSet<>(Comparator.<Delayed>comparingLong(timer -> timer.due - timer.loop.origin)
                    .thenComparingLong(timer -> timer.sequence));
    private final long origin = System.nanoTime();
    private ArrayDeque<Runnable> ready = new ArrayDeque<>();
    private long sequence;
    private boolean closed;

    private EventLoop(String name) {
        this.name = name;
        this.thread = new Thread(this::run, name);
        this.thread.setDaemon(true);
    }

    /**
     * Starts a loop.
     *
     * @param name of its thread, for people
     */
    public static EventLoop start(String name) {
        EventLoop loop = new EventLoop(name);
        loop.thread.start();
        return loop;
    }

    @Override
    public void execute(Runnable task) {
        lock.lock();
        try {
            if (!closed) {
                ready.add(task);
                work.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        if (delay.isNegative()) {
            throw new IllegalArgumentException("delay=" + delay + " must not be negative");
        }
        lock.lock();
        try {
            Delayed timer = new Delayed(this, System.nanoTime() + delay.toNanos(), sequence++, task);
            if (!closed) {
                timers.add(timer);
                work.signal();
            }
            return timer;
        } finally {
            lock.unlock();
        }
    }

    /** Tells whether the caller runs on this loop. */
    public boolean isCurrent() {
        return Thread.currentThread().equals(thread);
    }

    /** Returns how many tasks threw. */
    public long failures() {
        return failures.get();
    }

    /** Returns how many tasks are due and wait for their turn. */
    public int queued() {
        lock.lock();
        try {
            return ready.size();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends the loop: what was handed over for now still runs, what waits for a later time is dropped, and so is what
     * comes afterwards. Waits for the thread to end, unless called on the loop itself. May be repeated.
     */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            timers.clear();
            work.signal();
        } finally {
            lock.unlock();
        }
        if (isCurrent()) {
            return;
        }
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        ArrayDeque<Runnable> batch = new ArrayDeque<>();
        while (true) {
            batch = nextBatch(batch);
            if (batch.isEmpty()) {
                return;
            }
            for (Runnable task = batch.poll(); task != null; task = batch.poll()) {
                try {
                    task.run();
                } catch (Throwable e) {
                    failures.incrementAndGet();
                    LOG.log(Level.ERROR, "event loop " + name + ": a task failed; the loop goes on", e);
                }
            }
        }
    }

    /** Waits for work and takes all that is due; an empty answer ends the loop. */
    private ArrayDeque<Runnable> nextBatch(ArrayDeque<Runnable> spent) {
        lock.lock();
        try {
            while (true) {
                long now = System.nanoTime();
                while (!timers.isEmpty() && timers.first().due - now <= 0) {
                    ready.add(timers.pollFirst());
                }
                if (!ready.isEmpty() || closed) {
                    ArrayDeque<Runnable> batch = ready;
                    ready = spent;
                    return batch;
                }
                try {
                    if (timers.isEmpty()) {
                        work.await();
                    } else {
                        work.awaitNanos(timers.first().due - now);
                    }
                } catch (InterruptedException e) {
                    LOG.log(Level.WARNING, "event loop {0}: interrupted while it waited; ignored", name);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private void withdraw(Delayed timer) {
        lock.lock();
        try {
            timers.remove(timer);
        } finally {
            lock.unlock();
        }
    }

    private static final class Delayed implements Timer, Runnable {
        private final EventLoop loop;
        private final long due;
        private final long sequence;
        private final Runnable task;

        /** Set on any thread; read on the loop just before the task runs. */
        private volatile boolean cancelled;

        private Delayed(EventLoop loop, long due, long sequence, Runnable task) {
            this.loop = loop;
            this.due = due;
            this.sequence = sequence;
            this.task = task;
        }

        @Override
        public void cancel() {
            cancelled = true;
            loop.withdraw(this);
        }

        @Override
        public void run() {
            if (!cancelled) {
                task.run();
            }
        }
    }
}
