package io.shardwright.sim.etcd;

import io.shardwright.domain.Outcome;
import io.shardwright.persistence.RangeRequest;
import io.shardwright.persistence.RangeResponse;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.Txn;
import io.shardwright.persistence.TxnResponse;
import io.shardwright.persistence.WatchBatch;
import io.shardwright.persistence.WatchBatch.Event;
import io.shardwright.persistence.mvcc.Commit;
import io.shardwright.persistence.mvcc.EmbeddedSettings;
import io.shardwright.persistence.mvcc.EmbeddedStore;
import io.shardwright.persistence.mvcc.Journal;
import io.shardwright.sim.kernel.Kernel;
import io.shardwright.sim.kernel.ProcessClock;
import io.shardwright.sim.kernel.SimProcess;
import io.shardwright.sim.kernel.SimRandom;
import io.shardwright.sim.network.Network;
import io.shardwright.sim.plan.Shape;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Three etcd members with one history.
 *
 * <p>Every read is linearizable, as the replicas ask for. While there is no leader nothing is answered; a new leader
 * starts all leases anew with an election time-out on top, and tells watchers that ask for a leader to come again.
 */
public final class SimEtcd {

    private static final Duration ELECTION_TIMEOUT = Duration.ofSeconds(1);
    private static final long OLDEST = 200;
    private static final Duration CATCHING_UP = Duration.ofSeconds(2);
    private static final int MIN_LEASE_SECONDS = 2;

    private final Kernel kernel;
    private final Network network;
    private final SimRandom random;
    private final Commits commits;
    private final SimProcess machine;
    private final EmbeddedStore store;
    private final TreeMap<String, Telling> tellings = new TreeMap<>();
    /** Of each machine, that of the process that runs now. */
    private final TreeMap<String, SimStore> clients = new TreeMap<>();

    private final boolean[] down = new boolean[Shape.ETCD_MEMBERS.size()];
    private int outages;
    private long term = 1;
    private int full;
    private long revision;
    private boolean claimed;
    private double lostAnswers;
    private double missedEvents;
    private boolean missedSome;
    private boolean readThePast;
    private double staleReads;
    private int toLose;
    private boolean lostWrite;

    /** Starts the cluster. */
    public SimEtcd(Kernel kernel, Network network, SimRandom random, Commits commits) {
        this.kernel = kernel;
        this.network = network;
        this.random = random;
        this.commits = commits;
        this.machine = kernel.process("etcd", ProcessClock.TRUE);
        try {
            this.store = EmbeddedStore.open(
                    EmbeddedSettings.DEFAULTS.withMinLeaseTtlSeconds(MIN_LEASE_SECONDS),
                    machine,
                    machine,
                    machine,
                    new Told());
        } catch (Journal.JournalException e) {
            throw new IllegalStateException("a journal that keeps nothing cannot fail", e);
        }
    }

    /**
     * Opens the store of a replica.
     *
     * @param writer what tells this process from every other one, those of the same machine included
     */
    public Store client(SimProcess process, String writer) {
        SimStore client = new SimStore(this, process, writer, random.nextInt(Shape.ETCD_MEMBERS.size()));
        clients.put(process.name(), client);
        return client;
    }

    // ------------------------------------------------------------------ faults

    /** Loses the leader; a new one is there after some time. */
    public void changeLeader(long nanosWithoutOne) {
        outages++;
        leaderIsGone();
        kernel.after(nanosWithoutOne, () -> {
            outages--;
            leaderIsBack();
        });
    }

    /** Only a leader revokes leases whose time is over. */
    private void leaderIsGone() {
        store.expireLeases(false);
    }

    private void leaderIsBack() {
        if (hasLeader()) {
            term++;
            store.restartLeases(ELECTION_TIMEOUT);
            store.expireLeases(true);
        }
    }

    /** Resets the connection between a machine and a member, if that is what the two are, in either order. */
    public void reset(String one, String other) {
        if (Shape.ETCD_MEMBERS.contains(one)) {
            reset(other, Shape.ETCD_MEMBERS.indexOf(one));
        } else if (Shape.ETCD_MEMBERS.contains(other)) {
            reset(one, Shape.ETCD_MEMBERS.indexOf(other));
        }
    }

    private void reset(String machine, int member) {
        Optional.ofNullable(clients.get(machine)).ifPresent(client -> client.reset(member));
    }

    /** Returns the term of the leader of etcd. */
    long term() {
        return term;
    }

    /** Stops a member; its clients have to find another one. */
    public void stopMember(int member) {
        boolean led = hasLeader();
        down[member] = true;
        if (led && !hasLeader()) {
            leaderIsGone();
        }
    }

    /** Starts a member again. */
    public void startMember(int member) {
        boolean led = hasLeader();
        down[member] = false;
        if (!led) {
            leaderIsBack();
        }
    }

    /** Refuses writes for want of room, until {@link #roomy}. */
    public void full() {
        full++;
    }

    /** Ends one {@link #full}. */
    public void roomy() {
        full--;
    }

    /** Makes answers to writes get lost with a probability: the write happened, did not happen, or happens later. */
    public void losesAnswers(double probability) {
        lostAnswers = probability;
    }

    /** Makes watches miss events with a probability, and say nothing of it: a defect that releases of etcd had. */
    public void missesEvents(double probability) {
        missedEvents = probability;
        missedSome |= probability > 0;
    }

    /** Says whether a watch missed an event so far. */
    public boolean missedEvents() {
        return missedSome;
    }

    /** Says whether a watch missed an event, or a read showed the past, so far. */
    public boolean defective() {
        return missedSome || readThePast;
    }

    /** Makes the next change of the state be acknowledged and lost. */
    public void losesNextWrite() {
        toLose++;
    }

    /** Says whether an acknowledged write was lost so far. */
    public boolean lostWrite() {
        return lostWrite;
    }

    /** Makes reads show an older state with a probability, as if it were the newest. */
    public void readsStale(double probability) {
        staleReads = probability;
        readThePast |= probability > 0;
    }

    /**
     * Says whether something is on its way to the watches of a machine, or their connection changed so lately that they
     * may be catching up.
     */
    public boolean tells(String machine) {
        return Optional.ofNullable(tellings.get(machine))
                .filter(telling -> telling.lost
                        || telling.underWay > 0
                        || kernel.now() - telling.changedAt < CATCHING_UP.toNanos())
                .isPresent();
    }

    /** What etcd has to tell the process that runs on a machine. */
    static final class Telling {
        int underWay;
        boolean lost; // the connection of a watch, and none was opened since
        long changedAt;
    }

    Telling tellingAnew(String machine) {
        Telling telling = new Telling();
        tellings.put(machine, telling);
        return telling;
    }

    /** Forgets all history but the newest revision. */
    public void compact() {
        store.compact(revision, outcome -> {});
    }

    // ------------------------------------------------------------------ inside

    Kernel kernel() {
        return kernel;
    }

    Network network() {
        return network;
    }

    SimRandom random() {
        return random;
    }

    void read(RangeRequest request, Consumer<Outcome<RangeResponse>> answer) {
        if (request.revision() != 0 || staleReads == 0 || !random.chance(staleReads)) {
            store.range(request, answer);
            return;
        }
        long past = Math.max(1, revision - random.between(1, OLDEST));
        store.range(request.at(past), outcome -> {
            if (outcome instanceof Outcome.Success<RangeResponse>(RangeResponse then)) {
                counted("read was answered from the past");
                answer.accept(Outcome.success(new RangeResponse(past, then.kvs(), then.more(), then.count())));
            } else {
                store.range(request, answer); // that past is compacted
            }
        });
    }

    /** What a watch tells of a batch. */
    WatchBatch told(WatchBatch batch) {
        if (missedEvents == 0) {
            return batch;
        }
        List<Event> told = batch.events().stream()
                .filter(event -> !random.chance(missedEvents))
                .toList();
        for (int i = told.size(); i < batch.events().size(); i++) {
            counted("watch missed an event");
        }
        return new WatchBatch(batch.revision(), told);
    }

    /** Runs a transaction, or only says so. */
    void write(String writer, Txn txn, Consumer<Outcome<TxnResponse>> answer) {
        if (toLose > 0 && writesState(txn)) {
            store.txn(new Txn(txn.compares(), List.of(), txn.failure()), outcome -> {
                if (outcome instanceof Outcome.Success<TxnResponse>(TxnResponse would) && would.succeeded()) {
                    toLose--;
                    lostWrite = true;
                    counted("acknowledged write was lost");
                    answer.accept(Outcome.success(new TxnResponse(true, revision + 1, asIfDone(txn))));
                } else {
                    answer.accept(outcome);
                }
            });
            return;
        }
        store.txn(txn, outcome -> {
            if (outcome instanceof Outcome.Success<TxnResponse>(TxnResponse response)) {
                wroteBy(writer, txn, response.revision());
            }
            answer.accept(outcome);
        });
    }

    /** The state hangs on no lease; election entries do. */
    static boolean writesState(Txn txn) {
        return txn.success().stream().anyMatch(op -> op instanceof Txn.Op.Put put && put.leaseId() == 0);
    }

    private static List<TxnResponse.OpResult> asIfDone(Txn txn) {
        return txn.success().stream()
                .<TxnResponse.OpResult>map(op -> switch (op) {
                    case Txn.Op.Put put -> new TxnResponse.OpResult.Put();
                    case Txn.Op.Delete delete -> new TxnResponse.OpResult.Deleted(1);
                    case Txn.Op.Range range ->
                        throw new IllegalStateException("a write that reads cannot be lost: " + txn);
                })
                .toList();
    }

    /** A transaction was answered at a revision. Unless it is the first since that revision, it wrote nothing. */
    private void wroteBy(String writer, Txn txn, long answered) {
        if (answered == revision && !claimed) {
            claimed = true;
            commits.wroteBy(writer, txn, answered);
        }
    }

    void counted(String fact) {
        commits.counted(fact);
    }

    SimProcess machine() {
        return machine;
    }

    EmbeddedStore store() {
        return store;
    }

    boolean isDown(int member) {
        return down[member] || quorumLost();
    }

    private boolean quorumLost() {
        int alive = 0;
        for (boolean gone : down) {
            alive += gone ? 0 : 1;
        }
        return alive * 2 <= down.length;
    }

    boolean hasLeader() {
        return outages == 0 && !quorumLost();
    }

    boolean isFull() {
        return full > 0;
    }

    double lostAnswers() {
        return lostAnswers;
    }

    /** The journal of a store is the place where everything passes when it is stored. */
    private final class Told implements Journal {
        @Override
        public void commit(List<Commit> stored) {
            stored.forEach(this::told);
        }

        private void told(Commit commit) {
            revision = commit.revision();
            claimed = false;
            kernel.digest().add(commit.revision());
            commits.committed(commit);
        }

        @Override
        public void grant(long leaseId, long ttlSeconds) {}

        @Override
        public void revoke(long leaseId, List<Commit> deletions) {
            deletions.forEach(this::told);
            claimed = true; // nobody asked for it
        }

        @Override
        public void compact(long target, List<Event> forgotten) {}

        @Override
        public Loaded load() {
            return Loaded.EMPTY;
        }

        @Override
        public void probe() {}

        @Override
        public void close() {}
    }
}
