/**
 * An etcd cluster of three members with faults, and the store that a simulated replica sees of it.
 *
 * <p>What is stored and answered is the business of the memory adapter's engine, which is held against a real etcd.
 * Here is what goes wrong around it: answers that are lost, writes that happen late, members and leaders that go. Start
 * with {@link io.shardwright.sim.etcd.SimEtcd}.
 */
@NullMarked
package io.shardwright.sim.etcd;

import org.jspecify.annotations.NullMarked;
