package io.shardwright.sim.command;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Lets a command that is interrupted (Ctrl-C, SIGTERM) say what it found before the process ends. */
final class Interruption implements AutoCloseable {

    private static final int PATIENCE_SECONDS = 20;

    private final CountDownLatch said = new CountDownLatch(1);
    private final Thread hook = new Thread(this::askAndWait, "sim-interruption");
    private volatile boolean asked;

    private Interruption() {}

    /** Keeps the process, when it is asked to end, until this is closed. */
    static Interruption begin() {
        Interruption interruption = new Interruption();
        Runtime.getRuntime().addShutdownHook(interruption.hook);
        return interruption;
    }

    /** Says whether the process was asked to end: whoever works ends soon. */
    boolean asked() {
        return asked;
    }

    private void askAndWait() {
        asked = true;
        try {
            if (!said.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("sim: it did not end in time; what it found is lost");
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
