package io.shardwright.persistence;

import io.shardwright.domain.Clock;
import io.shardwright.domain.Scheduler;
import io.shardwright.domain.system.EventLoop;
import io.shardwright.domain.system.SystemClock;
import io.shardwright.testkit.VirtualTime;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A loop to call a store on, and a way to wait for it. */
public interface Backend extends AutoCloseable {

    Clock clock();

    Scheduler loop();

    /** Waits until something is so, or the time is over. Returns whether it is so. */
    boolean waitUntil(BooleanSupplier condition, Duration atMost);

    @Override
    void close();

    /** Time that passes only while somebody waits. */
    static Backend virtual() {
        VirtualTime time = new VirtualTime();
        return new Backend() {
            @Override
            public Clock clock() {
                return time;
            }

            @Override
            public Scheduler loop() {
                return time;
            }

            @Override
            public boolean waitUntil(BooleanSupplier condition, Duration atMost) {
                long end = time.nanoTime() + atMost.toNanos();
                time.runUntilIdle();
                while (!condition.getAsBoolean() && time.nanoTime() < end) {
                    time.advance(Duration.ofMillis(1));
                }
                return condition.getAsBoolean();
            }

            @Override
            public void close() {}
        };
    }

    /** The real clock and a real loop. */
    static Backend real() {
        EventLoop loop = EventLoop.start("store-test");
        Clock clock = new SystemClock();
        return new Backend() {
            @Override
            public Clock clock() {
                return clock;
            }

            @Override
            public Scheduler loop() {
                return loop;
            }

            @Override
            public boolean waitUntil(BooleanSupplier condition, Duration atMost) {
                long end = System.nanoTime() + atMost.toNanos();
                while (!condition.getAsBoolean() && System.nanoTime() - end < 0) {
                    LockSupport.parkNanos(200_000);
                }
                return condition.getAsBoolean();
            }

            @Override
            public void close() {
                loop.close();
            }
        };
    }
}
