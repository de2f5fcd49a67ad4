package io.shardwright.election;

import io.shardwright.domain.Outcome;
import io.shardwright.domain.Outcome.Fault;
import io.shardwright.domain.Scheduler;
import io.shardwright.persistence.RangeRequest;
import io.shardwright.persistence.RangeResponse;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.StoreLeases;
import io.shardwright.persistence.Txn;
import io.shardwright.persistence.TxnResponse;
import io.shardwright.persistence.WatchBatch;
import io.shardwright.persistence.WatchRequest;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The store as one process sees it: its calls end as a test says, and its answers come on the process's own loop. */
final class FaultyStore implements Store {

    private static final Duration TIME_OUT = Duration.ofMillis(500);
    private static final Duration SLOW = Duration.ofSeconds(2);
    private static final Duration LATE = Duration.ofMillis(700);

    /** Which call. */
    enum Call {
        GRANT,
        KEEP_ALIVE,
        REVOKE,
        TXN,
        RANGE
    }

    /** How it ends. */
    enum Fate {
        /** As the store says. */
        ANSWERED,
        /** It happens at once, and the answer is on its way for two seconds. */
        SLOW,
        /** It happens, but the answer is lost. */
        APPLIED_LOST,
        /** It does not happen, and the answer is lost. */
        NOT_APPLIED_LOST,
        /** The answer is lost, and it happens later. */
        APPLIED_LATE,
        /** It was not even sent. */
        REFUSED
    }

    private final Store store;
    private final Scheduler loop;
    private final Map<Call, ArrayDeque<Fate>> fates = new EnumMap<>(Call.class);
    private final List<WatchHandle> watches = new ArrayList<>();
    private final StoreLeases leases = new Leases();

    /** Every call is lost before it reaches the store, and watches say nothing. */
    boolean cut;

    /** Watches lose what happens and do not notice. */
    boolean swallow;

    int keepAlives;

    /** Runs when a transaction is about to be sent. */
    Runnable beforeTxn = () -> {};

    /** What the store says of its own leader. */
    long leaderTerm;

    FaultyStore(Store store, Scheduler loop) {
        this.store = store;
        this.loop = loop;
    }

    void next(Call call, Fate... next) {
        fates.computeIfAbsent(call, c -> new ArrayDeque<>()).addAll(List.of(next));
    }

    /** Breaks every watch, as the end of a connection does. */
    void breakWatches() {
        List.copyOf(watches).forEach(watch -> watch.breakOff(new Fault(Fault.Kind.UNAVAILABLE, "connection lost")));
    }

    private <T> void run(Call call, Consumer<Consumer<Outcome<T>>> action, Consumer<Outcome<T>> answer) {
        ArrayDeque<Fate> next = fates.getOrDefault(call, new ArrayDeque<>());
        Fate fate = cut ? Fate.NOT_APPLIED_LOST : next.isEmpty() ? Fate.ANSWERED : next.poll();
        switch (fate) {
            case ANSWERED -> action.accept(outcome -> loop.execute(() -> answer.accept(outcome)));
            case SLOW -> action.accept(outcome -> loop.schedule(SLOW, () -> answer.accept(outcome)));
            case APPLIED_LOST -> {
                action.accept(outcome -> {});
                lose(call, answer);
            }
            case NOT_APPLIED_LOST -> lose(call, answer);
            case APPLIED_LATE -> {
                lose(call, answer);
                loop.schedule(LATE, () -> action.accept(outcome -> {}));
            }
            case REFUSED -> loop.execute(() -> answer.accept(Outcome.failure(Fault.Kind.UNAVAILABLE, "not sent")));
        }
    }

    private <T> void lose(Call call, Consumer<Outcome<T>> answer) {
        loop.schedule(
                TIME_OUT,
                () -> answer.accept(
                        call == Call.RANGE
                                ? Outcome.failure(Fault.Kind.UNAVAILABLE, "no answer")
                                : Outcome.unknown(Fault.Kind.UNAVAILABLE, "no answer")));
    }

    @Override
    public void range(RangeRequest request, Consumer<Outcome<RangeResponse>> answer) {
        run(Call.RANGE, a -> store.range(request, a), answer);
    }

    @Override
    public void txn(Txn txn, Consumer<Outcome<TxnResponse>> answer) {
        beforeTxn.run();
        run(Call.TXN, a -> store.txn(txn, a), answer);
    }

    @Override
    public Watch watch(WatchRequest request, WatchListener listener) {
        WatchHandle handle = new WatchHandle(listener);
        watches.add(handle);
        if (cut) {
            loop.schedule(TIME_OUT, () -> handle.breakOff(new Fault(Fault.Kind.UNAVAILABLE, "no connection")));
        } else {
            handle.open = store.watch(request, handle);
        }
        return handle;
    }

    @Override
    public StoreLeases leases() {
        return leases;
    }

    @Override
    public void compact(long revision, Consumer<Outcome<Long>> answer) {
        store.compact(revision, answer);
    }

    @Override
    public void close() {
        store.close();
    }

    private final class WatchHandle implements Watch, WatchListener {
        private final WatchListener listener;
        private Watch open = () -> {};
        private boolean over;

        WatchHandle(WatchListener listener) {
            this.listener = listener;
        }

        @Override
        public void changed(WatchBatch batch) {
            if (cut) {
                breakOff(new Fault(Fault.Kind.UNAVAILABLE, "connection lost"));
                return;
            }
            if (swallow) {
                return;
            }
            loop.execute(() -> {
                if (!over) {
                    listener.changed(batch);
                }
            });
        }

        @Override
        public void ended(Fault fault) {
            breakOff(fault);
        }

        void breakOff(Fault fault) {
            open.cancel();
            watches.remove(this);
            loop.execute(() -> {
                if (!over) {
                    over = true;
                    listener.ended(fault);
                }
            });
        }

        @Override
        public void cancel() {
            over = true;
            open.cancel();
            watches.remove(this);
        }
    }

    private final class Leases implements StoreLeases {
        @Override
        public void grant(long ttlSeconds, Consumer<Outcome<Lease>> answer) {
            run(Call.GRANT, a -> store.leases().grant(ttlSeconds, a), answer);
        }

        @Override
        public void keepAlive(long leaseId, Consumer<Outcome<Lease>> answer) {
            keepAlives++;
            run(Call.KEEP_ALIVE, a -> store.leases().keepAlive(leaseId, a), answer);
        }

        @Override
        public void revoke(long leaseId, Consumer<Outcome<Long>> answer) {
            run(Call.REVOKE, a -> store.leases().revoke(leaseId, a), answer);
        }

        @Override
        public void timeToLive(long leaseId, Consumer<Outcome<Lease>> answer) {
            long told = leaderTerm;
            store.leases()
                    .timeToLive(
                            leaseId,
                            outcome -> loop.execute(() -> answer.accept(
                                    outcome instanceof Outcome.Success<Lease>(Lease lease)
                                            ? Outcome.success(new Lease(
                                                    lease.id(), lease.ttlSeconds(), lease.grantedTtlSeconds(), told))
                                            : outcome)));
        }
    }
}
