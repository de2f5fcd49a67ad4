package io.shardwright.sim.kernel;

import io.shardwright.domain.Clock;
import io.shardwright.domain.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;

/**
 * One process: an event loop and the clocks of its machine.
 *
 * <p>Tasks run in the order they were handed over, timers in the order of their local time, as on the event loop of
 * production. A paused process runs nothing; what comes meanwhile waits, and runs in order afterwards. A killed process
 * never runs anything again.
 */
public final class SimProcess implements Clock, Scheduler {

    private static final Instant WALL_START = Instant.parse("2026-01-01T00:00:00Z");

    /** More tasks than this at one instant are a loop that never ends. */
    private static final int TASKS_PER_INSTANT = 200_000;

    private final Kernel kernel;
    private final int index;
    private final String name;
    private final ArrayDeque<Runnable> ready = new ArrayDeque<>();
    private final TimeQueue<LocalTimer> timers = new TimeQueue<>();

    private double rate;
    private long localBase;
    private long kernelBase;
    private long wallOffset;
    private boolean alive = true;
    private boolean running;
    private long freeAt;
    private long taskCost;
    private final Wake forTasks = new Wake();
    private final Wake forTimers = new Wake();
    private long timerSequence;
    private long instant = -1;
    private int tasksThisInstant;

    /** Local times count from the beginning of the process, so that no origin makes them overflow. */
    private static final class LocalTimer extends TimeQueue.Entry implements Runnable {
        private final Runnable task;
        private final boolean aside;
        private boolean cancelled;

        LocalTimer(long due, long sequence, Runnable task, boolean aside) {
            super(due, sequence);
            this.task = task;
            this.aside = aside;
        }

        @Override
        public void run() {
            if (!cancelled) {
                task.run();
            }
        }
    }

    /**
     * The next time that the loop runs; what was asked for before stays, and is not asked for again after each task.
     */
    private final class Wake {
        private static final long NEVER = Long.MAX_VALUE;

        private long at = NEVER;

        void by(long time) {
            if (time < at) {
                at = time;
                kernel.at(time, () -> due(time));
            }
        }

        private void due(long time) {
            if (time == at) { // else an earlier one did its work
                at = NEVER;
                run();
            }
        }

        void forget() {
            at = NEVER;
        }
    }

    private final long origin;

    SimProcess(Kernel kernel, int index, String name, ProcessClock clock) {
        this.kernel = kernel;
        this.index = index;
        this.name = name;
        this.origin = clock.origin();
        this.rate = clock.rate();
        this.wallOffset = clock.wallOffset();
        this.kernelBase = kernel.now();
    }

    /** Returns its name, for example {@code executor-3}. */
    public String name() {
        return name;
    }

    /** Returns its number among the processes of the run, from 0 in the order they began. */
    public int index() {
        return index;
    }

    /** Says whether it was not killed. */
    public boolean alive() {
        return alive;
    }

    /** Says whether it would run a task now. */
    public boolean awake() {
        return alive && kernel.now() >= freeAt;
    }

    /** Returns how many tasks wait. */
    public int queued() {
        return ready.size();
    }

    /** Returns how many timers wait. */
    public int timers() {
        return timers.size();
    }

    /** Returns how many timers of the product wait. */
    public int productTimers() {
        return timers.count(timer -> !timer.aside);
    }

    // ------------------------------------------------------------------ ports

    @Override
    public long nanoTime() {
        return origin + local();
    }

    @Override
    public Instant wallTime() {
        return WALL_START.plusNanos(kernel.now() + wallOffset);
    }

    @Override
    public void execute(Runnable task) {
        if (alive) {
            ready.add(task);
            if (!running) {
                wakeForTasks();
            }
        }
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        return schedule(delay, task, false);
    }

    /**
     * Runs a task later for what surrounds the product: an application, a test. The same loop, and not among the timers
     * that the product has to give back.
     */
    public Timer scheduleAside(Duration delay, Runnable task) {
        return schedule(delay, task, true);
    }

    private Timer schedule(Duration delay, Runnable task, boolean aside) {
        if (delay.isNegative()) {
            throw new IllegalArgumentException("delay=" + delay + " must not be negative");
        }
        LocalTimer timer = new LocalTimer(local() + delay.toNanos(), timerSequence++, task, aside);
        if (alive) {
            timers.add(timer);
            if (!running) {
                wakeForTimers();
            }
        }
        return () -> {
            timer.cancelled = true;
            timers.remove(timer);
        };
    }

    // ------------------------------------------------------------------ faults

    /** Ends the process at once: whatever waits is lost. */
    public void kill() {
        alive = false;
        ready.clear();
        timers.clear();
    }

    /** Stops the event loop for a while, as a garbage collection or a SIGSTOP does. Clocks go on. */
    public void pauseUntil(long time) {
        freeAt = Math.max(freeAt, time);
    }

    /** Makes each task take so many nanoseconds; 0: no time. */
    public void slowDown(long nanosPerTask) {
        taskCost = nanosPerTask;
    }

    /** Changes the rate of the monotonic clock from now on. */
    public void clockRate(double newRate) {
        localBase = local();
        kernelBase = kernel.now();
        rate = newRate;
        forTimers.forget();
        wakeForTimers();
    }

    /** Returns the rate of its monotonic clock. */
    public double clockRate() {
        return rate;
    }

    /** Makes the wall clock jump. */
    public void stepWallClock(long nanos) {
        wallOffset += nanos;
    }

    // ------------------------------------------------------------------ running

    private long local() {
        return localBase + (long) ((kernel.now() - kernelBase) * rate);
    }

    private long kernelTimeOf(long localTime) {
        long time = kernelBase + Math.max(0, (long) Math.ceil((localTime - localBase) / rate));
        // Rounding must not wake the process a nanosecond early: it would wake at this instant for ever.
        return localBase + (long) ((time - kernelBase) * rate) < localTime ? time + 1 : time;
    }

    private void wakeForTasks() {
        forTasks.by(Math.max(kernel.now(), freeAt));
    }

    private void wakeForTimers() {
        LocalTimer first = timers.first();
        if (first != null) {
            forTimers.by(Math.max(Math.max(kernel.now(), freeAt), kernelTimeOf(first.due)));
        }
    }

    private void run() {
        if (!alive) {
            return;
        }
        long now = kernel.now();
        if (now < freeAt) {
            wakeForTasks();
            return;
        }
        if (instant != now) {
            instant = now;
            tasksThisInstant = 0;
        }
        running = true;
        try {
            while (alive && now >= freeAt) {
                takeDueTimers();
                Runnable task = ready.poll();
                if (task == null) {
                    break;
                }
                runOne(task);
                if (taskCost > 0) {
                    freeAt = now + taskCost;
                }
            }
        } finally {
            running = false;
        }
        if (alive) {
            if (!ready.isEmpty()) {
                wakeForTasks();
            }
            wakeForTimers();
        }
    }

    private void takeDueTimers() {
        long local = local();
        for (LocalTimer first = timers.first(); first != null && first.due <= local; first = timers.first()) {
            timers.remove(first);
            ready.add(first);
        }
    }

    private void runOne(Runnable task) {
        if (++tasksThisInstant > TASKS_PER_INSTANT) {
            kernel.threw(this, new IllegalStateException(name + " ran " + TASKS_PER_INSTANT + " tasks at one instant"));
            kill();
            return;
        }
        try {
            task.run();
        } catch (RuntimeException | AssertionError thrown) {
            kernel.threw(this, thrown);
        }
        kernel.ran(this);
    }
}
