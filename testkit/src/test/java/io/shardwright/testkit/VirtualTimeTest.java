package io.shardwright.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.domain.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class VirtualTimeTest {

    private final VirtualTime time = new VirtualTime();
    private final List<String> ran = new ArrayList<>();

    @Test
    void tasksRunInOrderOfTimeThenOfHandingOver() {
        time.schedule(Duration.ofMillis(2), () -> ran.add("late"));
        time.schedule(Duration.ofMillis(1), () -> ran.add("first"));
        time.schedule(Duration.ofMillis(1), () -> ran.add("second"));
        time.execute(() -> ran.add("now"));
        time.advance(Duration.ofMillis(2));
        assertEquals(List.of("now", "first", "second", "late"), ran);
    }

    @Test
    void eachTaskSeesItsOwnTime() {
        List<Long> seen = new ArrayList<>();
        time.schedule(Duration.ofNanos(5), () -> time.schedule(Duration.ofNanos(2), () -> seen.add(time.nanoTime())));
        time.advance(Duration.ofNanos(10));
        assertEquals(List.of(7L), seen);
        assertEquals(10, time.nanoTime());
    }

    @Test
    void nothingRunsInsideTheCallOrBeforeItsTime() {
        time.execute(() -> ran.add("now"));
        time.schedule(Duration.ofNanos(1), () -> ran.add("later"));
        assertEquals(List.of(), ran);
        time.runUntilIdle();
        assertEquals(List.of("now"), ran);
    }

    @Test
    void cancelledTaskDoesNotRun() {
        Scheduler.Timer timer = time.schedule(Duration.ofNanos(1), () -> ran.add("cancelled"));
        timer.cancel();
        time.advance(Duration.ofSeconds(1));
        assertEquals(List.of(), ran);
        assertEquals(0, time.waiting());
    }

    @Test
    void runNextGoesToTheNextTask() {
        time.schedule(Duration.ofDays(1), () -> ran.add("tomorrow"));
        assertTrue(time.runNext());
        assertEquals(Duration.ofDays(1).toNanos(), time.nanoTime());
        assertFalse(time.runNext());
    }
}
