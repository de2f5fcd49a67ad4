package io.shardwright.sim.mutant;

import com.google.protobuf.InvalidProtocolBufferException;
import io.shardwright.control.stored.v1.StoredSegment;
import io.shardwright.control.stored.v1.StoredShard;
import io.shardwright.domain.Outcome;
import io.shardwright.domain.Scheduler;
import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.ForwardingStore;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.Txn;
import io.shardwright.persistence.TxnResponse;
import io.shardwright.persistence.WatchRequest;
import io.shardwright.sim.cluster.Wiring;
import io.shardwright.sim.kernel.SimProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** What can be wrong with the writes of a leader. */
final class StateMutants {

    private static final Bytes ELECTION = Bytes.utf8("/shardwright/leader/");
    private static final Bytes SEGMENTS = Bytes.utf8("/shardwright/state/shards/");

    private static final Bytes DRAINS = Bytes.utf8("/shardwright/state/drains/");

    private StateMutants() {}

    private static boolean isGuard(Txn.Compare compare) {
        return compare.key().startsWith(ELECTION);
    }

    private static boolean storesState(Txn txn) {
        return txn.success().stream()
                .anyMatch(op -> op instanceof Txn.Op.Put put && put.key().startsWith(SEGMENTS));
    }

    private interface TxnChange {
        void txn(Store real, Txn txn, Consumer<Outcome<TxnResponse>> answer);
    }

    private static Wiring ofTxn(java.util.function.Function<SimProcess, TxnChange> change) {
        return new Wiring() {
            @Override
            public Store store(SimProcess replica, Store real) {
                TxnChange broken = change.apply(replica);
                return new ForwardingStore(real) {
                    @Override
                    public void txn(Txn txn, Consumer<Outcome<TxnResponse>> answer) {
                        broken.txn(real, txn, answer);
                    }
                };
            }
        };
    }

    private static Txn without(Txn txn, java.util.function.Predicate<Txn.Compare> compares) {
        return new Txn(txn.compares().stream().filter(compares.negate()).toList(), txn.success(), txn.failure());
    }

    static Wiring noGuard() {
        return ofTxn(replica -> (real, txn, answer) -> real.txn(without(txn, StateMutants::isGuard), answer));
    }

    /** The answer to a write that was not answered yet. */
    private static Outcome<TxnResponse> itWorked(long revision) {
        return Outcome.success(new TxnResponse(true, revision, List.of()));
    }

    static Wiring toldBeforeStored() {
        return ofTxn(replica -> new TxnChange() {
            private long revision;

            @Override
            public void txn(Store real, Txn txn, Consumer<Outcome<TxnResponse>> answer) {
                if (revision == 0 || !storesState(txn)) {
                    real.txn(txn, outcome -> {
                        note(outcome);
                        answer.accept(outcome);
                    });
                    return;
                }
                replica.execute(() -> answer.accept(itWorked(++revision)));
                replica.schedule(Duration.ofMillis(50), () -> real.txn(txn, this::note));
            }

            private void note(Outcome<TxnResponse> outcome) {
                if (outcome instanceof Outcome.Success<TxnResponse>(TxnResponse response)) {
                    revision = Math.max(revision, response.revision());
                }
            }
        });
    }

    static Wiring unknownTakenForFailure() {
        return ofTxn(replica -> (real, txn, answer) -> real.txn(
                txn,
                outcome -> answer.accept(
                        outcome instanceof Outcome.Unknown<TxnResponse>(Outcome.Fault fault)
                                ? new Outcome.Failure<>(fault)
                                : outcome)));
    }

    static Wiring unknownTakenForSuccess() {
        return ofTxn(replica -> new TxnChange() {
            private long revision;

            @Override
            public void txn(Store real, Txn txn, Consumer<Outcome<TxnResponse>> answer) {
                real.txn(txn, outcome -> {
                    if (outcome instanceof Outcome.Success<TxnResponse>(TxnResponse response)) {
                        revision = response.revision();
                    }
                    answer.accept(outcome instanceof Outcome.Unknown<TxnResponse> ? itWorked(++revision) : outcome);
                });
            }
        });
    }

    /** Nothing but the guard is compared, so a write may run again over newer ones; and it is sent again. */
    static Wiring blindRetry() {
        return ofTxn(replica -> new TxnChange() {
            @Override
            public void txn(Store real, Txn txn, Consumer<Outcome<TxnResponse>> answer) {
                Txn blind = without(txn, compare -> !isGuard(compare));
                real.txn(blind, outcome -> {
                    if (outcome instanceof Outcome.Unknown<TxnResponse>) {
                        real.txn(blind, answer);
                    } else {
                        answer.accept(outcome);
                    }
                });
            }
        });
    }

    private static Wiring ofSegments(UnaryOperator<StoredSegment> change) {
        return ofTxn(replica -> (real, txn, answer) -> {
            List<Txn.Op> ops = new ArrayList<>();
            for (Txn.Op op : txn.success()) {
                if (op instanceof Txn.Op.Put put && put.key().startsWith(SEGMENTS)) {
                    ops.add(new Txn.Op.Put(
                            put.key(), Bytes.of(change.apply(parse(put.value())).toByteArray()), put.leaseId()));
                } else {
                    ops.add(op);
                }
            }
            real.txn(new Txn(txn.compares(), ops, txn.failure()), answer);
        });
    }

    private static StoredSegment parse(Bytes value) {
        try {
            return StoredSegment.parseFrom(value.toByteArray());
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException(e);
        }
    }

    static Wiring epochKept() {
        TreeMap<String, Long> first = new TreeMap<>();
        return ofSegments(segment -> {
            StoredSegment.Builder kept = segment.toBuilder();
            for (int i = 0; i < segment.getShardsCount(); i++) {
                StoredShard shard = segment.getShards(i);
                long epoch = first.computeIfAbsent(segment.getId() + "/" + i, key -> shard.getEpoch());
                kept.setShards(i, shard.toBuilder().setEpoch(epoch));
            }
            return kept.build();
        });
    }

    static Wiring releasingForgotten() {
        TreeMap<String, String> releasing = new TreeMap<>();
        return ofSegments(segment -> {
            StoredSegment.Builder changed = segment.toBuilder().clearShards();
            for (int i = 0; i < segment.getShardsCount(); i++) {
                StoredShard shard = segment.getShards(i);
                String owner = shard.getOwner() == 0 ? "" : segment.getExecutors(shard.getOwner() - 1);
                String key = segment.getId() + "/" + i;
                String was = shard.getReleasing() ? releasing.put(key, owner) : releasing.remove(key);
                boolean released = was != null && !was.equals(owner) && !shard.getReleasing();
                if (!released) {
                    changed.addShards(shard);
                }
            }
            return changed.build();
        });
    }

    /** Forgotten one write later than it got its owner: what is told is stored then, and only S5 can see the loss. */
    static Wiring ephemeralForgotten() {
        TreeMap<String, String> owners = new TreeMap<>();
        TreeSet<String> moved = new TreeSet<>();
        return ofSegments(segment -> {
            StoredSegment.Builder changed = segment.toBuilder().clearShards();
            for (StoredShard shard : segment.getShardsList()) {
                String owner = shard.getOwner() == 0 ? "" : segment.getExecutors(shard.getOwner() - 1);
                String key = segment.getId() + "/" + shard.getKey();
                boolean moves = !owner.equals(owners.getOrDefault(key, owner));
                if (shard.getKey().isEmpty() || moves || !moved.remove(key)) {
                    changed.addShards(shard);
                }
                if (moves) {
                    moved.add(key);
                }
                owners.put(key, owner);
            }
            return changed.build();
        });
    }

    static Wiring drainsNotStored() {
        return ofTxn(replica -> (real, txn, answer) -> real.txn(
                new Txn(
                        txn.compares(),
                        txn.success().stream()
                                .filter(op -> !(op instanceof Txn.Op.Put put
                                        && put.key().startsWith(DRAINS)))
                                .toList(),
                        txn.failure()),
                answer));
    }

    /** A shard that was let go for nobody is stored as its former owner's again. */
    static Wiring drainedGivenBack() {
        TreeMap<String, String> letGo = new TreeMap<>();
        return ofSegments(segment -> {
            StoredSegment.Builder changed = segment.toBuilder();
            for (int i = 0; i < segment.getShardsCount(); i++) {
                StoredShard shard = segment.getShards(i);
                String key = segment.getId() + "/" + (shard.getKey().isEmpty() ? i : shard.getKey());
                String was = letGo.remove(key);
                if (shard.getReleasing() && shard.getNext() == 0) {
                    letGo.put(key, segment.getExecutors(shard.getOwner() - 1));
                } else if (was != null && shard.getOwner() == 0) {
                    changed.addExecutors(was);
                    changed.setShards(i, shard.toBuilder().setOwner(changed.getExecutorsCount()));
                }
            }
            return changed.build();
        });
    }

    static Wiring watchFromNow() {
        return ofWatch((real, request, listener) -> real.watch(new WatchRequest(request.range(), 0), listener));
    }

    static Wiring compactionSwallowed() {
        return ofWatch((real, request, listener) -> real.watch(request, new Store.WatchListener() {
            @Override
            public void changed(io.shardwright.persistence.WatchBatch batch) {
                listener.changed(batch);
            }

            @Override
            public void ended(Outcome.Fault fault) {
                if (fault.kind() != Outcome.Fault.Kind.OUT_OF_RANGE) {
                    listener.ended(fault);
                }
            }
        }));
    }

    private interface WatchChange {
        Store.Watch watch(Store real, WatchRequest request, Store.WatchListener listener);
    }

    private static Wiring ofWatch(WatchChange change) {
        return new Wiring() {
            @Override
            public Store store(SimProcess replica, Store real) {
                return broken(real);
            }

            @Override
            public Store electionStore(SimProcess replica, Store real) {
                return broken(real);
            }

            private Store broken(Store store) {
                return new ForwardingStore(store) {
                    @Override
                    public Watch watch(WatchRequest request, WatchListener listener) {
                        return change.watch(store, request, listener);
                    }
                };
            }
        };
    }

    static Wiring timersOutliveTheirTerm() {
        return new Wiring() {
            @Override
            public Scheduler replicaLoop(SimProcess replica) {
                return new Scheduler() {
                    @Override
                    public void execute(Runnable task) {
                        replica.execute(task);
                    }

                    @Override
                    public Timer schedule(Duration delay, Runnable task) {
                        Timer unused = replica.schedule(delay, task);
                        return () -> {};
                    }
                };
            }
        };
    }
}
