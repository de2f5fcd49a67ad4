/**
 * What goes wrong in a run, as data: faults with a start, a length and a target, drawn from a seed, written to a file
 * and read back, and cut down to what a failure needs.
 *
 * <p>Not here: how a fault is done; that is in {@code io.shardwright.sim.cluster}. Start with
 * {@link io.shardwright.sim.plan.Plan}.
 */
@NullMarked
package io.shardwright.sim.plan;

import org.jspecify.annotations.NullMarked;
