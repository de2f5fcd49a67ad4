package io.shardwright.sim.check;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** What invariants may ask of a run. Everything in it is the simulator's own knowledge. */
public interface World {

    /** Returns nanoseconds since the beginning of the run. */
    long now();

    /** Returns what was stored. */
    Ledger ledger();

    /** Returns the executor processes that are alive and not paused. */
    Collection<? extends Executor> executors();

    /**
     * Returns the executor processes that run a shard: alive ones and perhaps dead ones, also while they are paused.
     */
    Collection<? extends Executor> runners(String shard);

    /** Returns the shards that more than one executor process runs, usually none. */
    Collection<String> contested();

    /** Says whether watches of etcd missed events so far, as a fault of the plan. */
    boolean etcdMissesEvents();

    /** Says whether a watch of etcd missed an event so far, or a read showed the past. */
    boolean etcdIsDefective();

    /** Says whether etcd may have something to tell a machine that it has not heard yet, or just had. */
    boolean etcdTells(String machine);

    /** Returns the executor process that runs under a machine's name, if one is alive. */
    Optional<? extends Executor> executor(String machine);

    /** Returns the namespace that the executors on a machine serve, also while none is alive. */
    String namespaceOf(String machine);

    /** Returns the ids that the executors on a machine register or registered with, the newest first. */
    List<String> executorIdsOf(String machine);

    /** Says that something is wrong. Only the first one counts. */
    void violated(Invariant invariant, String message);

    /** One executor process as the application in it acts. */
    interface Executor {

        /** Returns the name of its machine. */
        String machine();

        /** Returns the namespace that it serves. */
        String namespace();

        /** Returns its executor id. */
        String executorId();

        /** Returns executor id and process id. */
        String owner();

        /** Returns a reading of its own monotonic clock. */
        long clock();

        /** Returns the shards whose processors run here, by key. */
        Collection<String> running();

        /** Says whether it is alive and not paused. */
        boolean awake();

        /** Says whether a request for the shard would be served at this moment. */
        boolean admits(String shard);
    }
}
