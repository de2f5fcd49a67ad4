/**
 * Whole clusters in one thread: replicas, executors and spectators made of the classes that run in production, a fake
 * etcd, and the faults of a plan done to them.
 *
 * <p>Start with {@link io.shardwright.sim.cluster.Simulation}. {@link io.shardwright.sim.cluster.Wiring} is where a
 * test replaces a part by a broken one.
 */
@NullMarked
package io.shardwright.sim.cluster;

import org.jspecify.annotations.NullMarked;
