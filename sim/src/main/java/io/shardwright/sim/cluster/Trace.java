package io.shardwright.sim.cluster;

import io.shardwright.persistence.Txn;
import io.shardwright.sim.check.Stored;
import io.shardwright.sim.check.Violation;
import io.shardwright.sim.check.World;
import io.shardwright.sim.kernel.SimProcess;
import io.shardwright.sim.network.Wire;
import io.shardwright.sim.plan.Fault;

/**
 * Hears of everything that happens in a run, so that the run can be explained afterwards.
 *
 * <p>It looks on and touches nothing: a run with a trace has the digest of the run without. All times are nanoseconds
 * since the beginning of the run.
 */
public interface Trace {

    /** Keeps nothing. */
    Trace NONE = new Trace() {};

    /** An executor process, with what its lease says on its own clock. */
    interface Runner extends World.Executor {

        /** Returns the process, for its clock. */
        SimProcess process();

        /** Returns the epoch at which a shard runs here, 0 if it does not. */
        long epoch(String shard);

        /**
         * Returns for how many nanoseconds of the application's clock the shard may still run; not positive: no more.
         */
        long nanosLeft(String shard);
    }

    /** A process began on a machine. */
    default void began(long at, SimProcess process) {}

    /** A process ended: it was killed, its machine was lost, or it stopped. */
    default void ended(long at, String machine, String how) {}

    /** A fault was done. */
    default void faultBegan(long at, Fault fault) {}

    /** A fault was undone. */
    default void faultEnded(long at, Fault fault) {}

    /** Something was stored. */
    default void stored(long at, Stored change) {}

    /** The replica that asked for a revision is known; told after what the revision stored. */
    default void wrote(long at, String replica, Txn txn, long revision) {}

    /** A message was sent. */
    default void sent(long at, Wire.Packet packet) {}

    /** A message was received; the same object that was sent. */
    default void delivered(long at, Wire.Packet packet) {}

    /** A message was lost; the same object that was sent. */
    default void lost(long at, Wire.Packet packet) {}

    /** An executor begins to start a shard. */
    default void starting(long at, Runner executor, String shard, long epoch) {}

    /** An executor ran a task. */
    default void ran(long at, Runner executor) {}

    /** Fenced storage took a write, or refused it. */
    default void wroteToStorage(long at, String machine, String shard, long epoch, boolean taken) {}

    /** A process said something of itself that is worth a line. */
    default void noted(long at, String machine, String what) {}

    /** An invariant did not hold; the run ends here. */
    default void violated(Violation violation) {}
}
