package io.shardwright.persistence.history;

import io.shardwright.domain.Outcome;
import io.shardwright.domain.Outcome.Fault;
import io.shardwright.domain.RandomSource;
import io.shardwright.domain.Scheduler;
import io.shardwright.persistence.RangeRequest;
import io.shardwright.persistence.RangeResponse;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.StoreLeases;
import io.shardwright.persistence.Txn;
import io.shardwright.persistence.TxnResponse;
import io.shardwright.persistence.WatchRequest;
import java.time.Duration;
import java.util.function.Consumer;

/** A way to a store that takes its time, loses calls and answers, and delivers some calls late. */
record LossyStore(Store store, Scheduler loop, RandomSource random) implements Store {

    private static final int DELAY_MILLIS = 20;
    private static final int LATE_MILLIS = 300;

    @Override
    public void range(RangeRequest request, Consumer<Outcome<RangeResponse>> answer) {
        later(DELAY_MILLIS, () -> store.range(request, outcome -> later(DELAY_MILLIS, () -> answer.accept(outcome))));
    }

    @Override
    public void txn(Txn txn, Consumer<Outcome<TxnResponse>> answer) {
        switch (random.nextInt(10)) {
            case 0 -> lose(answer);
            case 1 -> {
                lose(answer);
                later(DELAY_MILLIS, () -> store.txn(txn, outcome -> {}));
            }
            case 2 -> {
                lose(answer);
                later(LATE_MILLIS, () -> store.txn(txn, outcome -> {}));
            }
            case 3 ->
                later(
                        DELAY_MILLIS,
                        () -> answer.accept(Outcome.failure(Fault.Kind.UNAVAILABLE, "the call was not sent")));
            default ->
                later(DELAY_MILLIS, () -> store.txn(txn, outcome -> later(DELAY_MILLIS, () -> answer.accept(outcome))));
        }
    }

    private <T> void lose(Consumer<Outcome<T>> answer) {
        later(DELAY_MILLIS, () -> answer.accept(Outcome.unknown(Fault.Kind.UNAVAILABLE, "the answer was lost")));
    }

    private void later(int withinMillis, Runnable task) {
        loop.schedule(Duration.ofMillis(random.nextInt(withinMillis)), task);
    }

    @Override
    public Watch watch(WatchRequest request, WatchListener listener) {
        return store.watch(request, listener);
    }

    @Override
    public StoreLeases leases() {
        return store.leases();
    }

    @Override
    public void compact(long revision, Consumer<Outcome<Long>> answer) {
        store.compact(revision, answer);
    }

    @Override
    public void close() {
        store.close();
    }
}
