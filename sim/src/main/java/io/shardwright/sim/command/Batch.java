package io.shardwright.sim.command;

import io.shardwright.sim.cluster.Simulation;
import io.shardwright.sim.cluster.Trace;
import io.shardwright.sim.cluster.Wiring;
import io.shardwright.sim.plan.Plan;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/** Runs seeds, one simulation per thread, nothing shared between them. */
final class Batch {

    /**
     * What to run.
     *
     * @param plans the plan of a seed
     * @param from the first seed
     * @param seeds how many seeds
     * @param threads how many at a time
     * @param replayPercent of the clean seeds, so many are run again in another JVM; the first one is, and the first
     *     failed one, unless it is 0
     * @param replay that JVM
     * @param failures after so many failures no further seed is begun
     */
    record Settings(
            LongFunction<Plan> plans,
            long from,
            long seeds,
            int threads,
            double replayPercent,
            SecondJvm replay,
            int failures) {}

    private static final Duration POLL = Duration.ofMillis(50);

    private final Settings settings;
    private final Supplier<Wiring> wiring;
    private final Tally tally = new Tally();
    private final ConcurrentLinkedQueue<Simulation.Result> sample = new ConcurrentLinkedQueue<>();
    private final AtomicLong next = new AtomicLong();
    private final AtomicBoolean failureReplayed = new AtomicBoolean();
    private final BooleanSupplier interrupted;
    private final ThreadMXBean cpu = ManagementFactory.getThreadMXBean();

    /** @param interrupted asked all the time; true ends the batch at once, without the seeds that run just then */
    Batch(Settings settings, Supplier<Wiring> wiring, BooleanSupplier interrupted) {
        this.settings = settings;
        this.wiring = wiring;
        this.interrupted = interrupted;
    }

    /** Returns the results so far. */
    Tally tally() {
        return tally;
    }

    /** Runs all seeds, or until there are enough failures. */
    void run() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < settings.threads(); i++) {
            threads.add(Thread.ofPlatform().name("sim-" + i).daemon().start(this::work));
        }
        for (Thread thread : threads) {
            while (!interrupted.getAsBoolean() && !thread.join(POLL)) {}
        }
        if (interrupted.getAsBoolean()) {
            return;
        }
        List<Simulation.Result> again = List.copyOf(sample);
        try {
            runAgain(again);
        } catch (IOException e) { // what the seeds found must be told all the same
            tally.brokeOff("the other JVM did not run " + again.size() + " plans again: " + e);
        }
    }

    private void runAgain(List<Simulation.Result> again) throws IOException, InterruptedException {
        if (!again.isEmpty()) {
            List<SecondJvm.Ran> ran = settings.replay()
                    .run(again.stream().map(Simulation.Result::plan).toList());
            for (int i = 0; i < again.size(); i++) {
                tally.compare(again.get(i), ran.get(i));
            }
        }
    }

    boolean interrupted() {
        return interrupted.getAsBoolean();
    }

    private void work() {
        while (!interrupted.getAsBoolean() && tally.goesOn(settings.failures())) {
            long index = next.getAndIncrement();
            if (index >= settings.seeds()) {
                return;
            }
            try {
                run(index);
            } catch (Throwable thrown) { // a thread that ended unnoticed would leave a green batch behind
                tally.brokeOff("seed " + (settings.from() + index) + " ended with " + thrown);
            }
        }
    }

    private void run(long index) {
        Plan plan = settings.plans().apply(settings.from() + index);
        long before = cpu.getCurrentThreadCpuTime();
        Simulation.Result result = Simulation.outcome(plan, wiring.get(), Trace.NONE);
        tally.add(result, cpu.getCurrentThreadCpuTime() - before);
        boolean again = result.violation().isEmpty()
                ? replays(index)
                : settings.replayPercent() > 0 && failureReplayed.compareAndSet(false, true);
        if (again) {
            sample.add(result);
        }
    }

    private boolean replays(long index) {
        double share = settings.replayPercent() / 100;
        // True as often as the share says, beginning with index 0.
        return share > 0 && Math.ceil((index + 1) * share) > Math.ceil(index * share);
    }
}
