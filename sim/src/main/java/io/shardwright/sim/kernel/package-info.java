/**
 * Virtual time, processes with clocks and event loops of their own, random numbers by name, and the digest of a run.
 *
 * <p>Not here: what the processes run and what goes wrong. Start with {@link io.shardwright.sim.kernel.Kernel}.
 */
@NullMarked
package io.shardwright.sim.kernel;

import org.jspecify.annotations.NullMarked;
