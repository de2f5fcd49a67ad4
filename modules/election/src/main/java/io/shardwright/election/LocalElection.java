package io.shardwright.election;

import io.shardwright.domain.Outcome;
import io.shardwright.domain.Scheduler;
import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.KeyRange;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.Txn;
import io.shardwright.persistence.TxnResponse;
import io.shardwright.persistence.WatchBatch;
import io.shardwright.persistence.WatchRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Leadership where only one process can have the store open (R2, local mode): whoever starts, leads.
 *
 * <p>It still writes the election key anew at each start, so that state transactions carry the same guard as in
 * distributed mode, and a process that lost its hold of the store without noticing cannot write any more.
 */
public final class LocalElection implements Election {

    private static final System.Logger LOG = System.getLogger(LocalElection.class.getName());

    /** Between two attempts; the store is on this machine, so it is either there soon or an operator must act. */
    private static final Duration RETRY = Duration.ofMillis(500);

    private final Store store;
    private final Scheduler loop;
    private final Bytes key;
    private final Bytes identity;
    private final Supplier<Belief> beliefs;
    private final AtomicLong failures = new AtomicLong();
    private Optional<Listener> listener = Optional.empty();
    private Optional<Term> term = Optional.empty();
    private Optional<Term> led = Optional.empty();
    /** Written on the event loop, read by every thread. */
    private volatile List<QueuedReplica> shown = List.of();

    /**
     * Prepares the election on a store that nobody else can open while this process lives.
     *
     * @param key election key, for example {@code /shardwright/leader} (R145)
     * @param identity who this process is, for people
     */
    public LocalElection(Store store, Scheduler loop, Bytes key, String identity) {
        this(store, loop, key, identity, () -> Belief.UNLIMITED);
    }

    /**
     * Prepares the election on a store that this process can lose without noticing.
     *
     * @param beliefs makes the belief of a term: how long this process may take the store for its own
     */
    public LocalElection(Store store, Scheduler loop, Bytes key, String identity, Supplier<Belief> beliefs) {
        this.store = store;
        this.loop = loop;
        this.key = key;
        this.identity = Bytes.utf8(identity);
        this.beliefs = beliefs;
    }

    @Override
    public void campaign(String incarnation, Listener listener) {
        this.listener = Optional.of(listener);
        removeOldKey();
    }

    /**
     * The key must be created, not overwritten: its creation revision is what names the term. A process that has led
     * removes its own key only: where another one wrote the key, that one has the store now, and taking it back would
     * make the two throw each other out for ever.
     */
    private void removeOldKey() {
        List<Txn.Compare> mine = led.map(Term::guard).map(List::of).orElse(List.of());
        Txn delete = new Txn(mine, List.of(new Txn.Op.Delete(KeyRange.single(key))), List.of());
        store.txn(delete, outcome -> {
            switch (outcome) {
                case Outcome.Success<TxnResponse>(TxnResponse response) -> {
                    if (response.succeeded()) {
                        led = Optional.empty();
                        createKey();
                    } else {
                        LOG.log(
                                System.Logger.Level.ERROR,
                                "another process wrote the election key {0}: it has the store now, this one leads no more; stop one of the two",
                                key);
                    }
                }
                case Outcome.Failure<TxnResponse>(Outcome.Fault fault) -> again(fault);
                case Outcome.Unknown<TxnResponse>(Outcome.Fault fault) -> again(fault);
            }
        });
    }

    private void createKey() {
        Txn create = new Txn(
                List.of(Txn.Compare.createRevision(key, 0)), List.of(new Txn.Op.Put(key, identity, 0)), List.of());
        store.txn(create, outcome -> {
            switch (outcome) {
                case Outcome.Success<TxnResponse>(TxnResponse response) -> {
                    if (response.succeeded()) {
                        won(new Term(key, response.revision(), response.revision(), beliefs.get()));
                    } else {
                        again(new Outcome.Fault(Outcome.Fault.Kind.EXISTS, "another process wrote " + key));
                    }
                }
                case Outcome.Failure<TxnResponse>(Outcome.Fault fault) -> again(fault);
                case Outcome.Unknown<TxnResponse>(Outcome.Fault fault) -> again(fault);
            }
        });
    }

    private void show(boolean ready) {
        shown = List.of(new QueuedReplica(identity.toUtf8(), Optional.empty(), "", ready));
    }

    private void won(Term won) {
        listener.ifPresent(hearer -> {
            show(false);
            term = Optional.of(won);
            led = term;
            watchFor(won);
            hearer.elected(won);
        });
    }

    /**
     * A store that ended (a lost session, a file that is gone) may be open in another process by now, and renewals need
     * no write that would fail: its end must end the term.
     */
    private void watchFor(Term won) {
        store.watch(new WatchRequest(KeyRange.single(key), won.createRevision() + 1), new Store.WatchListener() {
            @Override
            public void changed(WatchBatch batch) {
                if (!batch.events().isEmpty() && term.equals(Optional.of(won))) {
                    LOG.log(
                            System.Logger.Level.ERROR,
                            "another process wrote the election key {0}; the term ends",
                            key);
                    lost(won);
                }
            }

            @Override
            public void ended(Outcome.Fault fault) {
                // A server that stops closes its store after it resigned; that is no news.
                if (term.equals(Optional.of(won))) {
                    LOG.log(System.Logger.Level.ERROR, "the store ended: {0}; the term ends", fault.message());
                    lost(won);
                }
            }
        });
    }

    private void again(Outcome.Fault fault) {
        failures.incrementAndGet();
        LOG.log(
                System.Logger.Level.WARNING,
                "cannot write the election key {0}: {1}; trying again",
                key,
                fault.message());
        retryLater();
    }

    private void retryLater() {
        loop.schedule(RETRY, () -> {
            if (listener.isPresent() && term.isEmpty()) {
                removeOldKey();
            }
        });
    }

    @Override
    public void lost(Term lost) {
        if (term.equals(Optional.of(lost))) {
            term = Optional.empty();
            shown = List.of();
            listener.ifPresent(hearer -> hearer.ended(lost));
            retryLater();
        }
    }

    /** There is nobody who could be sent here; only its own view changes. */
    @Override
    public void ready(Term ready) {
        show(true);
    }

    @Override
    public void resign(Runnable resigned) {
        Optional<Term> ended = term;
        Optional<Listener> hearer = listener;
        term = Optional.empty();
        shown = List.of();
        listener = Optional.empty();
        ended.ifPresent(over -> hearer.ifPresent(h -> h.ended(over)));
        loop.execute(resigned);
    }

    @Override
    public Optional<LeaderAddress> leader() {
        return Optional.empty();
    }

    /** There is nobody else. */
    @Override
    public void handOver(Optional<LeaderAddress> to, Consumer<HandOver> done) {
        done.accept(new HandOver.NobodyThere(List.of()));
    }

    @Override
    public List<QueuedReplica> queue() {
        return shown;
    }

    @Override
    public Optional<Duration> heard(long now) {
        return Optional.of(Duration.ZERO);
    }

    @Override
    public boolean contested() {
        return false;
    }

    @Override
    public long failures() {
        return failures.get();
    }

    /** A process that does not lead here is of no use to anybody. */
    @Override
    public boolean inTouch(long now) {
        return false;
    }
}
