package io.shardwright.domain;

import java.time.Duration;

/**
 * Runs work on one event loop, now or later.
 *
 * <p>All tasks of one scheduler run one after the other, so state that only they touch needs no lock. Both methods may
 * be called from any thread; a task that was handed over before another one by the same thread runs before it. After
 * the loop was closed tasks are dropped.
 */
public interface Scheduler {

    /** Runs a task on the event loop as soon as it is free. Never runs it inside this call. */
    void execute(Runnable task);

    /**
     * Runs a task on the event loop after a delay.
     *
     * @param delay at least zero; the task may run later, never earlier
     * @return a handle that withdraws the task
     */
    Timer schedule(Duration delay, Runnable task);

    /** A task that waits for its time. */
    interface Timer {

        /**
         * Withdraws the task. Called on the event loop, it is certain that the task does not run afterwards. May be
         * repeated.
         */
        void cancel();
    }
}
