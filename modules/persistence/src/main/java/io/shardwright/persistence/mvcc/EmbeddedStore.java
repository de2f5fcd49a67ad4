package io.shardwright.persistence.mvcc;

import io.shardwright.domain.Clock;
import io.shardwright.domain.Outcome;
import io.shardwright.domain.Outcome.Fault;
import io.shardwright.domain.Scheduler;
import io.shardwright.persistence.RangeRequest;
import io.shardwright.persistence.RangeResponse;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.StoreLeases;
import io.shardwright.persistence.Txn;
import io.shardwright.persistence.TxnResponse;
import io.shardwright.persistence.TxnRules;
import io.shardwright.persistence.WatchRequest;
import io.shardwright.persistence.mvcc.Journal.JournalException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The asynchronous Store port over the engine and a journal.
 *
 * <p>Two loops: calls run on the store's loop, one after the other and in the order they were made; answers and watches
 * come on the caller's loop. They are one and the same for the memory store; the jdbc store has a thread of its own, so
 * that a slow disk never blocks the caller. Transactions that queue up while the journal is busy are written together.
 */
public final class EmbeddedStore implements Store {

    /**
     * How much is written to the journal at once: bounds the memory of one write and the wait of the first in the
     * group.
     */
    private static final int GROUP_TXNS = 128;

    private static final long GROUP_BYTES = 4L * 1024 * 1024;

    private final Scheduler storeLoop;
    private final Scheduler answerLoop;
    private final EmbeddedSettings settings;
    private final StoreSteps steps;
    private final Watchers watchers;
    private final EmbeddedLeases leases = new EmbeddedLeases();

    /** Touched on the store's loop only, as are the three below it. */
    private final ArrayDeque<PendingTxn> pending = new ArrayDeque<>();

    private boolean drainDue;
    private boolean watchesEnded;
    private Optional<Scheduler.Timer> leaseScan = Optional.empty();

    /** Set by close on any thread; read by each call. */
    private volatile boolean closed;

    private EmbeddedStore(Scheduler storeLoop, Scheduler answerLoop, EmbeddedSettings settings, StoreSteps steps) {
        this.storeLoop = storeLoop;
        this.answerLoop = answerLoop;
        this.settings = settings;
        this.steps = steps;
        this.watchers = new Watchers(answerLoop);
    }

    /**
     * Opens a store on what a journal holds. The journal is closed with the store.
     *
     * @param storeLoop runs the calls; the journal may block it
     * @param answerLoop gets the answers
     */
    public static EmbeddedStore open(
            EmbeddedSettings settings, Clock clock, Scheduler storeLoop, Scheduler answerLoop, Journal journal)
            throws JournalException {
        EmbeddedStore store =
                new EmbeddedStore(storeLoop, answerLoop, settings, new StoreSteps(settings, clock, journal));
        storeLoop.execute(store::armLeaseScan);
        return store;
    }

    @Override
    public void range(RangeRequest request, Consumer<Outcome<RangeResponse>> answer) {
        call(answer, () -> steps.range(request));
    }

    @Override
    public void txn(Txn txn, Consumer<Outcome<TxnResponse>> answer) {
        if (refuseWhenClosed(answer)) {
            return;
        }
        storeLoop.execute(() -> {
            pending.add(new PendingTxn(txn, answer));
            if (!drainDue) {
                drainDue = true;
                storeLoop.execute(this::drain);
            }
        });
    }

    @Override
    public Watch watch(WatchRequest request, WatchListener listener) {
        Watchers.Watcher watcher = watchers.handle(request, listener, storeLoop);
        if (closed) {
            watchers.refuse(watcher, closedFault());
            return watcher;
        }
        storeLoop.execute(() -> {
            drain();
            watchers.add(watcher, steps.engine());
            steps.ended().ifPresent(watchers::endAll);
        });
        return watcher;
    }

    @Override
    public StoreLeases leases() {
        return leases;
    }

    @Override
    public void compact(long revision, Consumer<Outcome<Long>> answer) {
        call(answer, () -> steps.compact(revision));
    }

    /** Finds out whether the journal still works, and ends the watches if it does not. */
    public void probe() {
        storeLoop.execute(() -> {
            steps.probe();
            afterStep();
        });
    }

    /**
     * Sets whether leases whose time is over are revoked. etcd does that only while it has a leader, which may be gone:
     * {@code false} is for simulations of that.
     */
    public void expireLeases(boolean on) {
        storeLoop.execute(() -> steps.expireLeases(on));
    }

    /**
     * Gives every lease its full time again and some more, as a new leader of an etcd cluster does. For stores that
     * stand for one.
     */
    public void restartLeases(Duration extension) {
        storeLoop.execute(() -> steps.restartLeases(extension));
    }

    /**
     * Returns when the last call that the journal answered was made, by the store's clock. Any thread may call this.
     */
    public long provenAt() {
        return steps.provenAt();
    }

    /** Ends the store after the calls that were made before; the journal is closed on the store's loop. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        storeLoop.execute(() -> {
            drain();
            leaseScan.ifPresent(Scheduler.Timer::cancel);
            watchers.endAll(closedFault());
            steps.close();
        });
    }

    private <T> void call(Consumer<Outcome<T>> answer, Supplier<Outcome<T>> step) {
        if (refuseWhenClosed(answer)) {
            return;
        }
        storeLoop.execute(() -> {
            drain();
            Outcome<T> outcome = step.get();
            answerLoop.execute(() -> answer.accept(outcome));
            afterStep();
        });
    }

    private <T> boolean refuseWhenClosed(Consumer<Outcome<T>> answer) {
        if (closed) {
            answerLoop.execute(() -> answer.accept(new Outcome.Failure<>(closedFault())));
        }
        return closed;
    }

    private static Fault closedFault() {
        return new Fault(Fault.Kind.UNAVAILABLE, "the store is closed");
    }

    /** Runs the transactions that wait, as many at once as may be. */
    private void drain() {
        drainDue = false;
        while (!pending.isEmpty()) {
            List<PendingTxn> group = new ArrayList<>();
            long bytes = 0;
            while (!pending.isEmpty() && group.size() < GROUP_TXNS && bytes < GROUP_BYTES) {
                PendingTxn next = pending.poll();
                bytes += TxnRules.size(next.txn());
                group.add(next);
            }
            List<Outcome<TxnResponse>> outcomes =
                    steps.txns(group.stream().map(PendingTxn::txn).toList());
            for (int i = 0; i < group.size(); i++) {
                Consumer<Outcome<TxnResponse>> answer = group.get(i).answer();
                Outcome<TxnResponse> outcome = outcomes.get(i);
                answerLoop.execute(() -> answer.accept(outcome));
            }
            afterStep();
        }
    }

    private void afterStep() {
        if (steps.ended().isEmpty()) {
            watchers.pump(steps.engine());
        } else if (!watchesEnded) {
            watchesEnded = true;
            watchers.endAll(steps.ended().get());
        }
        armLeaseScan();
    }

    /** Leases are looked at only while there are some, so an idle store leaves no timer behind. */
    private void armLeaseScan() {
        if (leaseScan.isEmpty() && steps.hasLeases() && steps.ended().isEmpty() && !closed) {
            leaseScan = Optional.of(storeLoop.schedule(settings.leaseScan(), () -> {
                leaseScan = Optional.empty();
                drain();
                steps.revokeOver();
                afterStep();
            }));
        }
    }

    private record PendingTxn(Txn txn, Consumer<Outcome<TxnResponse>> answer) {}

    private final class EmbeddedLeases implements StoreLeases {
        @Override
        public void grant(long ttlSeconds, Consumer<Outcome<Lease>> answer) {
            call(answer, () -> steps.grant(ttlSeconds));
        }

        @Override
        public void keepAlive(long leaseId, Consumer<Outcome<Lease>> answer) {
            call(answer, () -> steps.keepAlive(leaseId));
        }

        @Override
        public void revoke(long leaseId, Consumer<Outcome<Long>> answer) {
            call(answer, () -> steps.revoke(leaseId));
        }

        @Override
        public void timeToLive(long leaseId, Consumer<Outcome<Lease>> answer) {
            call(answer, () -> steps.timeToLive(leaseId));
        }
    }
}
