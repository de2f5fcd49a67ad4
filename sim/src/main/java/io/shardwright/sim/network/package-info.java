/**
 * The network between simulated processes, as gRPC channels and servers see it: connections that break, stall, are
 * refused or half open, and calls whose request or answer is late or lost.
 *
 * <p>The clients' connection layer and the services run on it unchanged. Not here: what is said on the network. Start
 * with {@link io.shardwright.sim.network.Network}.
 */
@NullMarked
package io.shardwright.sim.network;

import org.jspecify.annotations.NullMarked;
