/**
 * {@code shardwright sim}: runs seeds on all cores, explains what fails, and says what was covered.
 *
 * <p>Not here: the simulation itself, which never sees the real time, threads and files that are used here. Start with
 * {@link io.shardwright.sim.command.SimCommand}.
 */
@NullMarked
package io.shardwright.sim.command;

import org.jspecify.annotations.NullMarked;
