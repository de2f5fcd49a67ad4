package io.shardwright.server.dashboard;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;

/** Calls back at a steady pace while somebody watches; a test beats by hand. */
@FunctionalInterface
interface Pulse {

    /** Starts to beat, one beat after the other. Returns what stops it, which may be called inside a beat. */
    Runnable start(Duration period, Runnable beat);

    /** One virtual thread for each start. A beat that fails is logged, and the next one comes all the same. */
    static Pulse onThread() {
        Logger log = System.getLogger("shardwright");
        return (period, beat) -> Thread.ofVirtual().name("dashboard").start(() -> {
            try {
                while (!Thread.currentThread().isInterrupted()) {
                    Thread.sleep(period);
                    try {
                        beat.run();
                    } catch (RuntimeException e) {
                        log.log(Level.WARNING, "the dashboard missed an update", e);
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // stopped
            }
        })::interrupt;
    }
}
