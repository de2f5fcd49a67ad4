package io.shardwright.client;

import io.shardwright.client.routing.RoutingTable;

/** Hears of changes of the routing table. Called on one background thread, in order; what it throws is logged. */
@FunctionalInterface
public interface SpectatorListener {

    /** The table changed. */
    void changed(RoutingTable before, RoutingTable now);
}
