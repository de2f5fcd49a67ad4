package io.shardwright.sim.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.domain.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Time, order, and the life of processes. */
final class KernelTest {

    private static final long SECOND = 1_000_000_000L;

    private final List<String> log = new ArrayList<>();
    private final Kernel kernel = kernel(1);
    private final SimProcess process = kernel.process("p", ProcessClock.TRUE);

    private static Kernel kernel(long seed) {
        return new Kernel(seed, new Kernel.Observer() {
            @Override
            public void ran(SimProcess ran) {}

            @Override
            public void threw(SimProcess who, Throwable thrown) {}
        });
    }

    private void at(long time, Runnable task) {
        kernel.at(time, task);
    }

    private void run(long until) {
        kernel.runUntil(until, () -> false);
    }

    private void noteTime(String what) {
        log.add(what + " at " + kernel.now() / SECOND);
    }

    private static List<Integer> orderAtOneTime(long seed) {
        Kernel kernel = kernel(seed);
        List<Integer> order = new ArrayList<>();
        IntStream.range(0, 20).forEach(i -> kernel.at(SECOND, () -> order.add(i)));
        kernel.runUntil(SECOND, () -> false);
        return order;
    }

    @Test
    void theSeedDrawsTheOrderOfEventsOfOneTime() {
        List<Integer> order = orderAtOneTime(1);

        assertEquals(order, orderAtOneTime(1));
        assertNotEquals(order, orderAtOneTime(2));
        assertNotEquals(IntStream.range(0, 20).boxed().toList(), order);
        assertEquals(
                IntStream.range(0, 20).boxed().toList(), order.stream().sorted().toList());
    }

    @Test
    void eventsRunInTheOrderOfTheirTimeAndNoneInThePast() {
        at(3 * SECOND, () -> noteTime("c"));
        at(SECOND, () -> noteTime("a"));
        at(2 * SECOND, () -> noteTime("b"));

        run(10 * SECOND);

        assertEquals(List.of("a at 1", "b at 2", "c at 3"), log);
        assertThrows(IllegalArgumentException.class, () -> at(9 * SECOND, () -> {}));
    }

    @Test
    void tasksOfOneProcessRunInTheOrderInWhichTheyWereHandedOver() {
        IntStream.range(0, 5).forEach(i -> process.execute(() -> log.add("" + i)));

        run(0);

        assertEquals(List.of("0", "1", "2", "3", "4"), log);
    }

    @Test
    void aKilledProcessRunsNothingMore() {
        process.execute(() -> {
            log.add("last");
            process.kill();
        });
        process.execute(() -> log.add("task that waited"));
        process.schedule(Duration.ofSeconds(1), () -> log.add("timer that waited"));

        run(2 * SECOND);
        process.execute(() -> log.add("task afterwards"));
        process.schedule(Duration.ZERO, () -> log.add("timer afterwards"));
        run(10 * SECOND);

        assertEquals(List.of("last"), log);
        assertEquals(1, kernel.steps());
        assertEquals(0, process.queued() + process.timers());
    }

    @Test
    void aPausedProcessRunsWhatCameMeanwhileInOrderWhenItGoesOn() {
        process.schedule(Duration.ofSeconds(2), () -> noteTime("timer of 2"));
        process.schedule(Duration.ofSeconds(6), () -> noteTime("timer of 6"));
        at(SECOND, () -> process.pauseUntil(5 * SECOND));
        at(3 * SECOND, () -> process.execute(() -> noteTime("task of 3")));

        run(4 * SECOND);
        assertEquals(List.of(), log);
        assertEquals(4 * SECOND, process.nanoTime());

        run(10 * SECOND);
        assertEquals(
                List.of("task of 3 at 5", "timer of 2 at 5", "timer of 6 at 6"),
                log.stream().sorted().toList());
        assertEquals("timer of 6 at 6", log.getLast());
    }

    @Test
    void aSlowProcessTakesItsTimeForEachTask() {
        process.slowDown(SECOND);
        IntStream.range(0, 3).forEach(i -> process.execute(() -> noteTime("" + i)));

        run(10 * SECOND);

        assertEquals(List.of("0 at 0", "1 at 1", "2 at 2"), log);
    }

    @Test
    void aClockWhoseRateChangesNeverGoesBackAndCountsAtItsRate() {
        List<Long> readings = new ArrayList<>();
        double[] rates = {1, 1.05, 0.95, 1.004, 0.2, 5};
        for (int i = 0; i < rates.length; i++) {
            double rate = rates[i];
            at(i * SECOND, () -> process.clockRate(rate));
        }
        for (long time = 0; time <= 6 * SECOND; time += SECOND / 97) {
            at(time, () -> readings.add(process.nanoTime()));
        }

        run(6 * SECOND);

        assertEquals(readings.stream().sorted().toList(), readings);
        assertEquals((1 + 1.05 + 0.95 + 1.004 + 0.2 + 5) * SECOND, (double) process.nanoTime(), 10);
    }

    @Test
    void aTimerIsCountedOnTheClockOfItsProcess() {
        process.schedule(Duration.ofSeconds(10), () -> noteTime("timer"));
        at(2 * SECOND, () -> process.clockRate(2)); // 8 s are left, which now pass in 4

        run(20 * SECOND);

        assertEquals(List.of("timer at 6"), log);
    }

    @Test
    void aCancelledTimerDoesNotRun() {
        Scheduler.Timer first = process.schedule(Duration.ofSeconds(1), () -> log.add("first"));
        Scheduler.Timer[] second = new Scheduler.Timer[1];
        // Both are due at once, and one cancels the other.
        process.schedule(Duration.ofSeconds(2), () -> second[0].cancel());
        second[0] = process.schedule(Duration.ofSeconds(2), () -> log.add("second"));
        process.schedule(Duration.ofSeconds(3), () -> log.add("third"));
        first.cancel();

        run(10 * SECOND);

        assertEquals(List.of("third"), log);
    }

    @Test
    void whatATaskThrowsDoesNotEndItsProcess() {
        process.execute(() -> {
            throw new IllegalStateException("no");
        });
        process.execute(() -> log.add("next"));

        run(0);

        assertEquals(List.of("next"), log);
    }

    @Test
    void aRunHasACheckpointFromTimeToTimeAndOneAtItsEnd() {
        for (int i = 0; i < 2 * Checkpoint.EVERY + 5; i++) {
            long time = i * SECOND;
            at(time, () -> process.execute(() -> {}));
        }

        run(3 * Checkpoint.EVERY * SECOND);

        List<Checkpoint> all = kernel.checkpoints();
        assertEquals(
                List.of(Checkpoint.EVERY, 2 * Checkpoint.EVERY, 2 * Checkpoint.EVERY + 5),
                all.stream().map(Checkpoint::steps).toList());
        assertEquals((Checkpoint.EVERY - 1) * SECOND, all.getFirst().time());
        assertEquals(kernel.digest().value(), all.getLast().digest());
        assertTrue(all.stream().map(Checkpoint::digest).distinct().count() == 3);
    }
}
