package io.shardwright.client;

import io.shardwright.client.lease.ExecutorAgent;
import io.shardwright.client.lease.Ownership;
import io.shardwright.client.lease.ShardRunner;
import io.shardwright.client.lease.ShardStop;
import io.shardwright.domain.Scheduler;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Runs the application's processors on virtual threads and tells the agent how starts and stops ended.
 *
 * <p>State of a task is touched on the event loop; what other threads see is volatile or atomic.
 */
final class ProcessorRunner implements ShardRunner {

    private static final Logger LOG = System.getLogger(ProcessorRunner.class.getName());
    private static final Duration LOAD_EVERY = Duration.ofSeconds(1);

    /** What the runner needs to know of its client. */
    record Setup(
            ShardProcessorFactory factory,
            Duration startDeadline,
            Duration stopDeadline,
            String namespace,
            String owner) {}

    private static final class Task {
        final Ownership ownership;
        // Written by the starting thread before the event loop hears of it; read by request threads.
        volatile @Nullable ShardProcessor processor;
        // Written by measuring threads, read by the event loop. NaN: not measured.
        volatile double load = Double.NaN;
        volatile boolean measuring;
        volatile boolean warned;
        volatile @Nullable Thread thread;
        boolean startEnded;

        @Nullable
        ShardStop stop;

        Task(Ownership ownership) {
            this.ownership = ownership;
        }
    }

    private final Setup setup;
    private final Scheduler loop;
    private final ExecutorListener events;
    private final Map<Ownership, Task> tasks = new HashMap<>();
    private final ConcurrentHashMap<String, Task> running = new ConcurrentHashMap<>();
    private final AtomicLong started = new AtomicLong();
    private final AtomicLong stopped = new AtomicLong();
    private final AtomicLong failedStarts = new AtomicLong();
    private final AtomicLong slowStarts = new AtomicLong();
    private final AtomicLong slowStops = new AtomicLong();
    private final AtomicLong invalidLoads = new AtomicLong();
    private @Nullable ExecutorAgent agent;

    ProcessorRunner(Setup setup, Scheduler loop, ExecutorListener events) {
        this.setup = setup;
        this.loop = loop;
        this.events = events;
    }

    /** Called once, before the agent starts. */
    void tell(ExecutorAgent listener) {
        agent = listener;
        Scheduler.Timer unused = loop.schedule(LOAD_EVERY, this::measureAll);
    }

    @Override
    public void start(Ownership shard) {
        Task task = new Task(shard);
        tasks.put(shard, task);
        watchTime(task, setup.startDeadline(), ExecutorListener.SlowStep.START);
        inThread("start", task, () -> {
            @Nullable Throwable failure = null;
            try {
                ShardProcessor processor = setup.factory().create(shard.shardKey());
                processor.start(new ShardContext(shard, setup.namespace(), setup.owner()));
                task.processor = processor;
            } catch (Throwable e) {
                failure = e;
            }
            @Nullable Throwable outcome = failure;
            loop.execute(() -> startEnded(task, outcome));
        });
    }

    private void startEnded(Task task, @Nullable Throwable failure) {
        task.startEnded = true;
        Ownership shard = task.ownership;
        if (failure != null) {
            failedStarts.incrementAndGet();
            LOG.log(Level.WARNING, "shard " + shard + " did not start; it will be tried again", failure);
            events.shardFailed(shard.shardKey(), shard.epoch(), failure);
            tasks.remove(shard);
            if (task.stop != null) {
                agent().stopped(shard);
            } else {
                agent().startFailed(shard);
            }
            return;
        }
        started.incrementAndGet();
        if (task.stop != null) {
            runStop(task, task.stop);
            return;
        }
        running.put(shard.shardKey(), task);
        LOG.log(Level.DEBUG, "shard {0} runs", shard);
        events.shardStarted(shard.shardKey(), shard.epoch());
        agent().started(shard);
    }

    @Override
    public void stop(Ownership shard, ShardStop reason) {
        @Nullable Task task = tasks.get(shard);
        if (task == null) {
            loop.execute(() -> agent().stopped(shard));
            return;
        }
        running.remove(shard.shardKey(), task);
        task.stop = reason;
        if (task.startEnded) {
            runStop(task, reason);
        }
    }

    private void runStop(Task task, ShardStop reason) {
        watchTime(task, setup.stopDeadline(), ExecutorListener.SlowStep.STOP);
        inThread("stop", task, () -> {
            try {
                @Nullable ShardProcessor processor = task.processor;
                if (processor != null) {
                    processor.stop(reason);
                }
            } catch (Throwable e) {
                LOG.log(Level.WARNING, "stopping shard " + task.ownership + " failed; it counts as stopped", e);
            }
            loop.execute(() -> stopEnded(task, reason));
        });
    }

    private void stopEnded(Task task, ShardStop reason) {
        Ownership shard = task.ownership;
        tasks.remove(shard);
        stopped.incrementAndGet();
        LOG.log(Level.DEBUG, "shard {0} stopped: {1}", shard, reason);
        events.shardStopped(shard.shardKey(), shard.epoch(), reason);
        agent().stopped(shard);
    }

    private void watchTime(Task task, Duration deadline, ExecutorListener.SlowStep step) {
        Scheduler.Timer unused = loop.schedule(deadline, () -> {
            boolean pending = tasks.get(task.ownership) == task;
            boolean slow =
                    switch (step) {
                        case START -> pending && !task.startEnded;
                        case STOP -> pending;
                    };
            if (slow) {
                (step == ExecutorListener.SlowStep.START ? slowStarts : slowStops).incrementAndGet();
                LOG.log(Level.WARNING, "shard {0}: {1} takes longer than {2}", task.ownership, step, deadline);
                events.shardSlow(task.ownership.shardKey(), task.ownership.epoch(), step);
            }
        });
    }

    private static void inThread(String what, Task task, Runnable work) {
        task.thread = Thread.ofVirtual()
                .name("shardwright-" + what + "-" + task.ownership)
                .start(work);
    }

    @Override
    public OptionalDouble load(Ownership shard) {
        @Nullable Task task = tasks.get(shard);
        return task == null || Double.isNaN(task.load) ? OptionalDouble.empty() : OptionalDouble.of(task.load);
    }

    private void measureAll() {
        Scheduler.Timer unused = loop.schedule(LOAD_EVERY, this::measureAll);
        for (Task task : running.values()) {
            if (!task.measuring) {
                task.measuring = true;
                Thread unusedThread =
                        Thread.ofVirtual().name("shardwright-load").start(() -> measure(task));
            }
        }
    }

    private void measure(Task task) {
        try {
            @Nullable ShardProcessor processor = task.processor;
            OptionalDouble load = processor == null ? OptionalDouble.empty() : processor.load();
            if (load.isPresent() && !(load.getAsDouble() >= 0 && Double.isFinite(load.getAsDouble()))) {
                task.load = Double.NaN;
                dropLoad(task, "is " + load.getAsDouble());
            } else {
                task.load = load.orElse(Double.NaN);
            }
        } catch (RuntimeException e) {
            task.load = Double.NaN;
            dropLoad(task, "failed: " + e);
        } finally {
            task.measuring = false;
        }
    }

    private void dropLoad(Task task, String what) {
        invalidLoads.incrementAndGet();
        if (!task.warned) {
            task.warned = true;
            LOG.log(
                    Level.WARNING,
                    "load of shard {0} {1}; it must be finite and not negative, and is not reported",
                    task.ownership,
                    what);
        }
    }

    /** Returns the processor of a shard that runs. Any thread. */
    Optional<ShardProcessor> processor(String shardKey, long now) {
        @Nullable Task task = running.get(shardKey);
        if (task == null || !task.ownership.isOwned(now)) {
            return Optional.empty();
        }
        task.ownership.touch(now);
        return Optional.ofNullable(task.processor);
    }

    /** Interrupts what has not ended when the client gives up. */
    void interruptAll() {
        for (Task task : tasks.values()) {
            @Nullable Thread thread = task.thread;
            if (thread != null) {
                thread.interrupt();
            }
        }
    }

    ExecutorDescription.Counters counters() {
        return new ExecutorDescription.Counters(
                started.get(),
                stopped.get(),
                failedStarts.get(),
                slowStarts.get(),
                slowStops.get(),
                invalidLoads.get());
    }

    private ExecutorAgent agent() {
        if (agent == null) {
            throw new IllegalStateException("the runner was used before its agent was set");
        }
        return agent;
    }
}
