/**
 * The routing table of a spectator: an immutable table, and the follower that keeps it equal to the shard manager's.
 *
 * <p><b>Problem.</b> Routers ask for every request, so the answer must be local, lock-free and free of garbage; yet the
 * table changes, streams break at any message, and servers are replaced. <b>Argument.</b> Every event carries the
 * revision it leads to, and a delta the one it starts from; a delta that does not start at ours is a gap, and the
 * stream is opened again from what we have. A snapshot becomes visible only when its last part arrived. Within one
 * server process the revision never goes back.
 *
 * <p>Start reading at {@link io.shardwright.client.routing.RoutingFollower}. Everything but reading a
 * {@link io.shardwright.client.routing.RoutingTable} happens on one event loop. Not here: gRPC, and the call on a miss.
 */
@NullMarked
package io.shardwright.client.routing;

import org.jspecify.annotations.NullMarked;
