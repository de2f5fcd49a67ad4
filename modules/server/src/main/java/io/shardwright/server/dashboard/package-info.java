/**
 * What the dashboard shows: the state as JSON, and what changes in it, for browsers that watch.
 *
 * <p>Not here: the page ({@code web/} on the class path), and how events reach a browser
 * ({@link io.shardwright.server.http}). Start reading at {@link io.shardwright.server.dashboard.DashboardFeed}; the
 * messages are described there.
 */
@NullMarked
package io.shardwright.server.dashboard;

import org.jspecify.annotations.NullMarked;
