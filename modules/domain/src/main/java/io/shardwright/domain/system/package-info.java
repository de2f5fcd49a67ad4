/**
 * The real clock, the real event loop and the real random numbers: what a process passes in where a test passes in
 * simulated ones.
 *
 * <p>This is the only package of the determinism-checked modules that may read a clock, start a thread or draw random
 * numbers. Not here: anything that decides.
 */
@NullMarked
package io.shardwright.domain.system;

import org.jspecify.annotations.NullMarked;
