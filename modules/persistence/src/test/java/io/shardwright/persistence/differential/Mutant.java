package io.shardwright.persistence.differential;

import io.shardwright.domain.Outcome;
import io.shardwright.persistence.KeyRange;
import io.shardwright.persistence.RangeRequest;
import io.shardwright.persistence.RangeResponse;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.StoreLeases;
import io.shardwright.persistence.Txn;
import io.shardwright.persistence.Txn.Compare;
import io.shardwright.persistence.Txn.Op;
import io.shardwright.persistence.Txn.Relation;
import io.shardwright.persistence.TxnResponse;
import io.shardwright.persistence.WatchBatch;
import io.shardwright.persistence.WatchRequest;
import java.util.List;
import java.util.function.Consumer;

/** Ways in which a fake could be wrong: a store that is right, but for one thing. */
enum Mutant {
    DROPS_THE_ELSE_BRANCH {
        @Override
        Txn changed(Txn txn) {
            return new Txn(txn.compares(), txn.success(), List.of());
        }
    },
    PUTS_WITHOUT_THE_LEASE {
        @Override
        Txn changed(Txn txn) {
            return new Txn(txn.compares(), withoutLeases(txn.success()), withoutLeases(txn.failure()));
        }

        private List<Op> withoutLeases(List<Op> ops) {
            return ops.stream()
                    .map(op -> op instanceof Op.Put put ? new Op.Put(put.key(), put.value(), 0) : op)
                    .toList();
        }
    },
    COMPARES_GREATER_AS_DIFFERENT {
        @Override
        Txn changed(Txn txn) {
            return new Txn(
                    txn.compares().stream()
                            .map(compare -> compare.relation() == Relation.GREATER
                                    ? new Compare(
                                            compare.key(),
                                            compare.target(),
                                            Relation.NOT_EQUAL,
                                            compare.number(),
                                            compare.value())
                                    : compare)
                            .toList(),
                    txn.success(),
                    txn.failure());
        }
    },
    WATCHES_ONE_REVISION_LATE {
        @Override
        WatchRequest changed(WatchRequest request) {
            return request.fromRevision() == 0
                    ? request
                    : new WatchRequest(request.range(), request.fromRevision() + 1);
        }
    },
    WATCHES_ONE_REVISION_EARLY {
        @Override
        WatchRequest changed(WatchRequest request) {
            return request.fromRevision() <= 1
                    ? request
                    : new WatchRequest(request.range(), request.fromRevision() - 1);
        }
    },
    LOSES_THE_LAST_EVENT_OF_A_BATCH {
        @Override
        WatchBatch changed(WatchBatch batch) {
            int last = batch.events().size() - 1;
            return last == 0
                    ? batch
                    : new WatchBatch(batch.revision(), batch.events().subList(0, last));
        }
    },
    COUNTS_ONLY_WHAT_IT_RETURNS {
        @Override
        RangeResponse changed(RangeResponse response) {
            return new RangeResponse(
                    response.revision(),
                    response.kvs(),
                    response.more(),
                    response.kvs().size());
        }
    },
    NEVER_COMPACTS {
        @Override
        boolean compacts() {
            return false;
        }
    };

    Txn changed(Txn txn) {
        return txn;
    }

    WatchRequest changed(WatchRequest request) {
        return request;
    }

    WatchBatch changed(WatchBatch batch) {
        return batch;
    }

    RangeResponse changed(RangeResponse response) {
        return response;
    }

    boolean compacts() {
        return true;
    }

    /** Returns the wrong store around a right one. */
    Store around(Store right) {
        return new Wrong(this, right);
    }

    private record Wrong(Mutant mutant, Store right) implements Store {

        @Override
        public void range(RangeRequest request, Consumer<Outcome<RangeResponse>> answer) {
            right.range(
                    request,
                    outcome -> answer.accept(
                            outcome instanceof Outcome.Success<RangeResponse>(RangeResponse response)
                                    ? Outcome.success(mutant.changed(response))
                                    : outcome));
        }

        @Override
        public void txn(Txn txn, Consumer<Outcome<TxnResponse>> answer) {
            right.txn(mutant.changed(txn), answer);
        }

        @Override
        public Watch watch(WatchRequest request, WatchListener listener) {
            return right.watch(mutant.changed(request), new WatchListener() {
                @Override
                public void changed(WatchBatch batch) {
                    listener.changed(mutant.changed(batch));
                }

                @Override
                public void ended(Outcome.Fault fault) {
                    listener.ended(fault);
                }
            });
        }

        @Override
        public StoreLeases leases() {
            return right.leases();
        }

        @Override
        public void compact(long revision, Consumer<Outcome<Long>> answer) {
            if (mutant.compacts()) {
                right.compact(revision, answer);
            } else {
                right.range(
                        RangeRequest.of(KeyRange.from(Commands.KEYS.getFirst())),
                        outcome -> answer.accept(Outcome.success(revision)));
            }
        }

        @Override
        public void close() {
            right.close();
        }
    }
}
