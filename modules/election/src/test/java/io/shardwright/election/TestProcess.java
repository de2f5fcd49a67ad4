package io.shardwright.election;

import io.shardwright.domain.Clock;
import io.shardwright.domain.Scheduler;
import io.shardwright.testkit.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;

/** A process on virtual time: its clock has a rate of its own, and it can stand still or die. */
final class TestProcess implements Clock, Scheduler {

    private final VirtualTime time;
    private final double rate;
    private final ArrayDeque<Runnable> held = new ArrayDeque<>();
    private boolean paused;
    private boolean dead;

    TestProcess(VirtualTime time, double rate) {
        this.time = time;
        this.rate = rate;
    }

    @Override
    public long nanoTime() {
        return (long) (time.nanoTime() * rate);
    }

    @Override
    public Instant wallTime() {
        return time.wallTime();
    }

    @Override
    public void execute(Runnable task) {
        time.execute(() -> run(task));
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        boolean[] cancelled = {false};
        Timer timer = time.schedule(
                Duration.ofNanos((long) Math.ceil(delay.toNanos() / rate) + 1),
                () -> run(() -> {
                    if (!cancelled[0]) {
                        task.run();
                    }
                }));
        return () -> {
            cancelled[0] = true;
            timer.cancel();
        };
    }

    private void run(Runnable task) {
        if (dead) {
            return;
        }
        if (paused) {
            held.add(task);
        } else {
            task.run();
        }
    }

    /** Stops it where it stands, as SIGSTOP does: its clock goes on. */
    void pause() {
        paused = true;
    }

    /** Lets it go on: everything that it missed runs now, in the order in which it came in. */
    void resume() {
        paused = false;
        time.execute(() -> {
            while (!held.isEmpty() && !paused && !dead) {
                held.poll().run();
            }
        });
    }

    /** Kills it. */
    void kill() {
        dead = true;
        held.clear();
    }
}
