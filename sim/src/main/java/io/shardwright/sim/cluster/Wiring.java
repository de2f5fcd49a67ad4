package io.shardwright.sim.cluster;

import io.etcd.jetcd.KV;
import io.shardwright.client.lease.LeaseSettings;
import io.shardwright.client.lease.Transport;
import io.shardwright.control.ControlListener;
import io.shardwright.domain.Clock;
import io.shardwright.domain.Scheduler;
import io.shardwright.election.Election;
import io.shardwright.persistence.Store;
import io.shardwright.sim.kernel.SimProcess;

/**
 * What the processes of a simulation are made of. This one is production; a mutant overrides one method and breaks one
 * thing, so production code needs no switches.
 */
public class Wiring {

    /** Returns the store that a replica's control plane works on. */
    public Store store(SimProcess replica, Store real) {
        return real;
    }

    /** Returns the store that a replica's election works on. */
    public Store electionStore(SimProcess replica, Store real) {
        return real;
    }

    /** Returns the clock that a replica counts its leadership on. */
    public Clock electionClock(SimProcess replica) {
        return replica;
    }

    /** Returns the election of a replica. */
    public Election election(SimProcess replica, Election real) {
        return real;
    }

    /** Returns the event loop of a replica's control plane and election. */
    public Scheduler replicaLoop(SimProcess replica) {
        return replica;
    }

    /** Returns the difference in clock rates that an executor allows for. */
    public double clockTolerance() {
        return LeaseSettings.DEFAULT_CLOCK_TOLERANCE;
    }

    /** Returns the clock of a replica's control plane. */
    public Clock replicaClock(SimProcess replica) {
        return replica;
    }

    /** Returns the clock that an executor counts its lease on. */
    public Clock executorClock(SimProcess executor) {
        return executor;
    }

    /** Returns what the application in an executor reads when it checks whether it still owns a shard. */
    public Clock applicationClock(SimProcess executor) {
        return executor;
    }

    /** Returns the calls of an executor to the shard manager. */
    public Transport transport(SimProcess executor, Transport real) {
        return real;
    }

    /** Returns who hears of what a replica stored. */
    public ControlListener listener(SimProcess replica, ControlListener real) {
        return real;
    }

    /**
     * Returns what an application writes to its storage through.
     *
     * @param storage what the real fence works on
     * @param prefix of the fence's keys, the namespace included
     */
    public Fence fence(SimProcess executor, Fence real, KV storage, String prefix) {
        return real;
    }
}
