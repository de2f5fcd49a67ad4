/**
 * Follows the routing table of a namespace and shows how it changes.
 *
 * <p>Start reading at {@link io.shardwright.cli.watch.RoutingFollower}: it keeps a stream open,
 * {@link io.shardwright.cli.watch.RoutingTable} turns events into changes, and a
 * {@link io.shardwright.cli.watch.WatchView} shows them.
 */
@NullMarked
package io.shardwright.cli.watch;

import org.jspecify.annotations.NullMarked;
