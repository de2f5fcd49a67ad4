package io.shardwright.sim.command;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Lets a batch that is interrupted (Ctrl-C, SIGTERM) say what it found before the process ends. */
final class Interruption implements AutoCloseable {

    private static final int PATIENCE_SECONDS = 20;

    private final CountDownLatch said = new CountDownLatch(1);
    private final Thread hook;

    private Interruption(Runnable stop) {
        this.hook = new Thread(
                () -> {
                    stop.run();
                    await();
                },
                "sim-interruption");
    }

    /** Calls {@code stop} when the process is asked to end, and keeps it until this is closed. */
    static Interruption of(Runnable stop) {
        Interruption interruption = new Interruption(stop);
        Runtime.getRuntime().addShutdownHook(interruption.hook);
        return interruption;
    }

    private void await() {
        try {
            if (!said.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("sim: the seeds that ran did not end in time; what they found is lost");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        said.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            return; // it is this hook that waits
        }
    }
}
