/**
 * The deterministic simulator: whole clusters from a seed in one thread, on the classes that run in production, with
 * faults drawn from the seed and invariants checked after every event.
 *
 * <p>Where to start reading: {@code plan} says what goes wrong, {@code cluster} runs it, {@code check} says what must
 * be true; {@code kernel}, {@code network} and {@code etcd} are the world.
 */
@NullMarked
package io.shardwright.sim;

import org.jspecify.annotations.NullMarked;
