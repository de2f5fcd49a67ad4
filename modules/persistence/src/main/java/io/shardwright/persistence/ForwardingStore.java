package io.shardwright.persistence;

import io.shardwright.domain.Outcome;
import java.util.function.Consumer;

/**
 * A store that does as another one does; whoever changes one call of it, for a fault or a step more, overrides that
 * one.
 */
public class ForwardingStore implements Store {

    private final Store target;

    /** @param target does what is not overridden, and is closed with this store */
    public ForwardingStore(Store target) {
        this.target = target;
    }

    @Override
    public void range(RangeRequest request, Consumer<Outcome<RangeResponse>> answer) {
        target.range(request, answer);
    }

    @Override
    public void txn(Txn txn, Consumer<Outcome<TxnResponse>> answer) {
        target.txn(txn, answer);
    }

    @Override
    public Watch watch(WatchRequest request, WatchListener listener) {
        return target.watch(request, listener);
    }

    @Override
    public StoreLeases leases() {
        return target.leases();
    }

    @Override
    public void compact(long revision, Consumer<Outcome<Long>> answer) {
        target.compact(revision, answer);
    }

    @Override
    public void close() {
        target.close();
    }
}
