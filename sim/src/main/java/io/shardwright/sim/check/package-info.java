/**
 * What must be true: a ghost ledger of everything that was stored, and one small class for each invariant, fed by what
 * happened and never by the product's own opinion.
 *
 * <p>The numbers S1, L2 and so on are those of the requirements. Not here: how a run is made. Start with
 * {@link io.shardwright.sim.check.Invariant}.
 */
@NullMarked
package io.shardwright.sim.check;

import org.jspecify.annotations.NullMarked;
