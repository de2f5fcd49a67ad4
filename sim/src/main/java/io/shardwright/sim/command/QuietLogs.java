package io.shardwright.sim.command;

import java.util.logging.Level;
import java.util.logging.Logger;

/** Turns off what the simulated processes log: nobody reads it, and a batch would write millions of lines. */
final class QuietLogs {

    /** Held, because a logger that nobody holds forgets its level. */
    private static final Logger OURS = Logger.getLogger("io.shardwright");

    private QuietLogs() {}

    static void set() {
        OURS.setLevel(Level.OFF);
    }
}
