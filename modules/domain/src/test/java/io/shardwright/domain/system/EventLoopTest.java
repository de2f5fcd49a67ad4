package io.shardwright.domain.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.domain.Scheduler.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class EventLoopTest {

    private final EventLoop loop = EventLoop.start("test-loop");

    @AfterEach
    void close() {
        loop.close();
    }

    @Test
    void tasksOfOneThreadRunInOrderAndOnTheLoop() {
        List<Integer> ran = new ArrayList<>();
        AtomicBoolean elsewhere = new AtomicBoolean();
        for (int i = 0; i < 1000; i++) {
            int number = i;
            loop.execute(() -> {
                elsewhere.compareAndSet(false, !loop.isCurrent());
                ran.add(number);
            });
        }
        loop.close();
        assertEquals(1000, ran.size());
        assertEquals(ran.stream().sorted().toList(), ran);
        assertFalse(elsewhere.get());
    }

    @Test
    void timersRunInOrderOfTheirTimeAndNotEarly() throws InterruptedException {
        List<String> ran = new ArrayList<>();
        CountDownLatch done = new CountDownLatch(1);
        long start = System.nanoTime();
        loop.schedule(Duration.ofMillis(30), () -> {
            ran.add("second");
            done.countDown();
        });
        loop.schedule(Duration.ofMillis(10), () -> ran.add("first"));
        assertTrue(done.await(10, TimeUnit.SECONDS));
        assertTrue(System.nanoTime() - start >= Duration.ofMillis(30).toNanos());
        assertEquals(List.of("first", "second"), ran);
    }

    @Test
    void cancelledTimerDoesNotRunEvenWhenItIsDueInTheSameBatch() {
        List<String> ran = new ArrayList<>();
        Timer[] second = new Timer[1];
        CountDownLatch armed = new CountDownLatch(1);
        loop.execute(() -> {
            loop.schedule(Duration.ZERO, () -> {
                ran.add("first");
                second[0].cancel();
            });
            second[0] = loop.schedule(Duration.ZERO, () -> ran.add("second"));
            loop.schedule(Duration.ZERO, armed::countDown);
        });
        assertTrue(await(armed));
        assertEquals(List.of("first"), ran);
    }

    @Test
    void throwingTaskIsCountedAndDoesNotEndTheLoop() {
        CountDownLatch alive = new CountDownLatch(1);
        loop.execute(() -> {
            throw new IllegalStateException("thrown on purpose by a test");
        });
        loop.execute(alive::countDown);
        assertTrue(await(alive));
        assertEquals(1, loop.failures());
    }

    @Test
    void closeRunsWhatWasHandedOverAndDropsWhatIsLater() {
        List<String> ran = new ArrayList<>();
        loop.schedule(Duration.ofHours(1), () -> ran.add("later"));
        loop.execute(() -> ran.add("now"));
        loop.close();
        loop.execute(() -> ran.add("after"));
        loop.close();
        assertEquals(List.of("now"), ran);
    }

    private static boolean await(CountDownLatch latch) {
        try {
            return latch.await(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
