/**
 * The coordinator: one event loop that turns commands into store transactions and deliveries, in the simulator and in
 * production unchanged.
 *
 * <p>Not here: sockets, threads and wire messages.
 */
@NullMarked
package io.shardwright.control;

import org.jspecify.annotations.NullMarked;
