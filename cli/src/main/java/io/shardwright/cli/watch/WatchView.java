package io.shardwright.cli.watch;

import java.util.List;

/** Shows a routing table as it changes. Called by one thread. */
public interface WatchView {
    /** An event arrived; {@code table} is how it is now, {@code changes} is empty after a mere sign of life. */
    void changed(RoutingTable table, List<RoutingChange> changes);

    /** The stream broke and is opened again; {@code why} is a sentence. */
    void interrupted(String why);

    /** Called about once a second, whether or not something happened. */
    void tick(RoutingTable table);
}
