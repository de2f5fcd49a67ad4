package io.shardwright.canary;

import java.util.logging.Level;
import java.util.logging.Logger;

/** How much of what the clients log is shown. */
final class ClientLogs {

    // Held, because a logger that nobody holds forgets its level.
    private static final Logger LOGGER = Logger.getLogger("io.shardwright");

    private ClientLogs() {}

    static void show(Level least) {
        LOGGER.setLevel(least);
    }
}
