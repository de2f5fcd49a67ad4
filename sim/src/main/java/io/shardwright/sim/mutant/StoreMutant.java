package io.shardwright.sim.mutant;

import io.shardwright.domain.Outcome;
import io.shardwright.persistence.RangeRequest;
import io.shardwright.persistence.RangeResponse;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.StoreLeases;
import io.shardwright.persistence.Txn;
import io.shardwright.persistence.TxnResponse;
import io.shardwright.persistence.WatchRequest;
import java.util.function.Consumer;

/** A store that does as the real one does; what is broken overrides one method. */
class StoreMutant implements Store {

    final Store real;

    StoreMutant(Store real) {
        this.real = real;
    }

    @Override
    public void range(RangeRequest request, Consumer<Outcome<RangeResponse>> answer) {
        real.range(request, answer);
    }

    @Override
    public void txn(Txn txn, Consumer<Outcome<TxnResponse>> answer) {
        real.txn(txn, answer);
    }

    @Override
    public Watch watch(WatchRequest request, WatchListener listener) {
        return real.watch(request, listener);
    }

    @Override
    public StoreLeases leases() {
        return real.leases();
    }

    @Override
    public void compact(long revision, Consumer<Outcome<Long>> answer) {
        real.compact(revision, answer);
    }

    @Override
    public void close() {
        real.close();
    }
}
