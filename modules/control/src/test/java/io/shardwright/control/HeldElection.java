package io.shardwright.control;

import io.shardwright.domain.Outcome;
import io.shardwright.domain.Scheduler;
import io.shardwright.election.Election;
import io.shardwright.election.HandOver;
import io.shardwright.election.LeaderAddress;
import io.shardwright.election.QueuedReplica;
import io.shardwright.election.Term;
import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.KeyRange;
import io.shardwright.persistence.RangeRequest;
import io.shardwright.persistence.RangeResponse;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.Txn;
import io.shardwright.persistence.TxnResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** An election whose result, and whose doubts, a test decides. */
final class HeldElection implements Election {

    private static final String ENTRIES = "/shardwright/leader/held/";

    private final Store store;
    private final Scheduler loop;
    private Optional<Listener> listener = Optional.empty();
    private int entries;

    /** Revision that created the newest entry. */
    long entered;

    Optional<Term> term = Optional.empty();
    Optional<LeaderAddress> leader = Optional.empty();
    final List<Term> ready = new ArrayList<>();

    boolean contested;
    boolean inTouch = true;

    /** What the leader believes. */
    boolean sure = true;

    /** How often it is still sure when it is asked; negative: for ever. */
    int sureFor = -1;

    HeldElection(Store store, Scheduler loop) {
        this.store = store;
        this.loop = loop;
    }

    @Override
    public void campaign(String incarnation, Listener hearer) {
        listener = Optional.of(hearer);
        if (contested) {
            hearer.entered(1);
        }
    }

    /** Lets this replica win; whoever was in the queue is there no longer. */
    void elect() {
        Txn anew = new Txn(List.of(), List.of(new Txn.Op.Delete(KeyRange.prefix(Bytes.utf8(ENTRIES)))), List.of());
        store.txn(anew, gone -> enter(this::win));
    }

    /** Puts this replica into the queue, where it waits. */
    void enter() {
        enter(() -> listener.orElseThrow().entered(entered));
    }

    private void enter(Runnable then) {
        Bytes key = Bytes.utf8(ENTRIES + ++entries);
        store.txn(new Txn(List.of(), List.of(new Txn.Op.Put(key, Bytes.EMPTY, 0)), List.of()), outcome -> {
            if (outcome instanceof Outcome.Success<TxnResponse>(TxnResponse response)) {
                entered = response.revision();
                then.run();
            }
        });
    }

    /** Lets this replica win with what it entered. */
    void win() {
        sure = true;
        Bytes key = Bytes.utf8(ENTRIES + entries);
        store.range(RangeRequest.of(KeyRange.single(key)), outcome -> {
            if (outcome instanceof Outcome.Success<RangeResponse>(RangeResponse response)) {
                Term won = new Term(key, entered, response.revision(), now -> believes());
                term = Optional.of(won);
                listener.orElseThrow().elected(won);
            }
        });
    }

    private boolean believes() {
        if (sureFor == 0) {
            sure = false;
        } else if (sureFor > 0) {
            sureFor--;
        }
        return sure;
    }

    /** Takes leadership away. */
    void end() {
        term.ifPresent(this::lost);
    }

    @Override
    public void ready(Term now) {
        ready.add(now);
    }

    @Override
    public void lost(Term over) {
        if (term.equals(Optional.of(over))) {
            term = Optional.empty();
            listener.orElseThrow().ended(over);
        }
    }

    @Override
    public void resign(Runnable resigned) {
        end();
        loop.execute(resigned);
    }

    @Override
    public Optional<LeaderAddress> leader() {
        return leader;
    }

    @Override
    public void handOver(Optional<LeaderAddress> to, Consumer<HandOver> done) {
        end();
        done.accept(new HandOver.To(queue().getFirst()));
    }

    @Override
    public List<QueuedReplica> queue() {
        return List.of(new QueuedReplica("held", leader, "1.0.0", true));
    }

    @Override
    public Optional<Duration> heard(long now) {
        return Optional.of(Duration.ZERO);
    }

    @Override
    public boolean contested() {
        return contested;
    }

    @Override
    public long failures() {
        return 0;
    }

    @Override
    public boolean inTouch(long now) {
        return inTouch;
    }
}
