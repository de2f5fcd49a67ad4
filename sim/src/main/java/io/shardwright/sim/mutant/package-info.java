/**
 * The simulator's own test: parts that are broken on purpose, one at a time, each of which an invariant must catch.
 *
 * <p>A mutant is a {@link io.shardwright.sim.cluster.Wiring} with one method overridden; it wraps a port or replaces a
 * rule, so production code knows nothing of it. Start with {@link io.shardwright.sim.mutant.Mutants}.
 */
@NullMarked
package io.shardwright.sim.mutant;

import org.jspecify.annotations.NullMarked;
