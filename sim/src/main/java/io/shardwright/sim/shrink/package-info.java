/**
 * Makes a plan that fails smaller while it still violates the same invariant.
 *
 * <p>Not here: running plans and counting time, which are passed in. Start with
 * {@link io.shardwright.sim.shrink.Shrinker}.
 */
@NullMarked
package io.shardwright.sim.shrink;

import org.jspecify.annotations.NullMarked;
