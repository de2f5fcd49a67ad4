package io.shardwright.sim.kernel;

import java.util.ArrayList;
import java.util.List;

/**
 * One queue of events in virtual time that runs all processes of a simulation on the calling thread.
 *
 * <p>Events run in the order of their time. Events of one time run in an order that is drawn from the seed, so that
 * code which relies on luck finds none. Times are nanoseconds since the beginning of the run.
 */
public final class Kernel {

    private final SimRandom ties;
    private final Digest digest = new Digest();
    private final TimeQueue<Event> queue = new TimeQueue<>();
    private final List<Checkpoint> checkpoints = new ArrayList<>();
    private final List<SimProcess> processes = new ArrayList<>();
    private final Observer observer;
    private long now;
    private long steps;

    /** Watches a run. */
    public interface Observer {

        /** A process ran a task. */
        void ran(SimProcess process);

        /** A task of a process threw; the process goes on, as its event loop does in production. */
        void threw(SimProcess process, Throwable thrown);
    }

    /** Ordered among those of its time by a draw. */
    private static final class Event extends TimeQueue.Entry {
        private final Runnable task;

        Event(long due, long tie, Runnable task) {
            super(due, tie);
            this.task = task;
        }
    }

    /** Prepares a run. */
    public Kernel(long seed, Observer observer) {
        this.ties = SimRandom.of(seed, "kernel");
        this.observer = observer;
    }

    /** Returns the present time in nanoseconds since the beginning. */
    public long now() {
        return now;
    }

    /** Returns the digest of the run so far. */
    public Digest digest() {
        return digest;
    }

    /** Returns what the run had come to from time to time, and last what it has come to now. */
    public List<Checkpoint> checkpoints() {
        List<Checkpoint> all = new ArrayList<>(checkpoints);
        all.add(checkpoint());
        return all;
    }

    /** Returns how many tasks processes ran so far. */
    public long steps() {
        return steps;
    }

    /** Adds a process. */
    public SimProcess process(String name, ProcessClock clock) {
        SimProcess process = new SimProcess(this, processes.size(), name, clock);
        processes.add(process);
        return process;
    }

    /** Runs something at a time that is not past. */
    public void at(long due, Runnable task) {
        if (due < now) {
            throw new IllegalArgumentException("due=" + due + " lies before now=" + now);
        }
        queue.add(new Event(due, ties.nextLong(), task));
    }

    /** Runs something after a time. */
    public void after(long delay, Runnable task) {
        at(now + delay, task);
    }

    /**
     * Runs everything that is due up to a time, and ends there.
     *
     * @param stop asked after each event; true ends the run at once
     */
    public void runUntil(long end, java.util.function.BooleanSupplier stop) {
        while (!stop.getAsBoolean()) {
            Event next = queue.first();
            if (next == null || next.due > end) {
                now = Math.max(now, end);
                return;
            }
            queue.remove(next);
            now = next.due;
            next.task.run();
        }
    }

    void ran(SimProcess process) {
        steps++;
        digest.add(now ^ ((long) process.index() << 56));
        if (steps % Checkpoint.EVERY == 0) {
            checkpoints.add(checkpoint());
        }
        observer.ran(process);
    }

    private Checkpoint checkpoint() {
        return new Checkpoint(steps, now, digest.value());
    }

    void threw(SimProcess process, Throwable thrown) {
        digest.add(thrown.getClass().getName());
        observer.threw(process, thrown);
    }
}
