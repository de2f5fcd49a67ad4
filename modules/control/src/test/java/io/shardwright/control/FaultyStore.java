package io.shardwright.control;

import io.shardwright.domain.Outcome;
import io.shardwright.domain.Outcome.Fault.Kind;
import io.shardwright.domain.Scheduler;
import io.shardwright.persistence.ForwardingStore;
import io.shardwright.persistence.RangeRequest;
import io.shardwright.persistence.RangeResponse;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.Txn;
import io.shardwright.persistence.TxnResponse;
import io.shardwright.persistence.WatchBatch;
import io.shardwright.persistence.WatchRequest;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** A store whose writes end as a test says. */
final class FaultyStore extends ForwardingStore {

    /** How the next write ends. */
    enum Fate {
        /** As the store says. */
        ANSWERED,
        /** It happens, but the answer is lost. */
        APPLIED_LOST,
        /** It does not happen, and the answer is lost. */
        NOT_APPLIED_LOST,
        /** The answer is lost, and it happens a second later. */
        APPLIED_LATE,
        /** It is refused for want of room. */
        NO_SPACE,
        /** It is refused for want of room, after a second. */
        NO_SPACE_LATE
    }

    private static final String STATE = "/shardwright/state/";
    private static final String LEADER = "/shardwright/leader";

    private final Scheduler loop;
    private final ArrayDeque<Fate> fates = new ArrayDeque<>();
    final List<Txn> writes = new ArrayList<>();
    boolean full;

    /** Watches keep to themselves what happens. */
    boolean deaf;

    /** Watches of the state end as soon as they begin. */
    boolean unwatchable;

    private final List<Watching> watching = new ArrayList<>();

    /** The revision that the newest state is answered from, if it is not the newest. */
    OptionalLong past = OptionalLong.empty();

    /** So long a read is under way after the store has read. */
    Duration distance = Duration.ZERO;

    /** So long after a change watches of the state tell of it. */
    Duration behind = Duration.ZERO;

    FaultyStore(Store store, Scheduler loop) {
        super(store);
        this.loop = loop;
    }

    void next(Fate... next) {
        fates.addAll(List.of(next));
    }

    @Override
    public void range(RangeRequest request, Consumer<Outcome<RangeResponse>> asker) {
        Consumer<Outcome<RangeResponse>> answer =
                distance.isZero() ? asker : outcome -> loop.schedule(distance, () -> asker.accept(outcome));
        if (past.isEmpty() || request.revision() != 0) {
            super.range(request, answer);
            return;
        }
        long then = past.getAsLong();
        super.range(
                request.at(then),
                outcome -> answer.accept(
                        outcome instanceof Outcome.Success<RangeResponse>(RangeResponse now)
                                ? Outcome.success(new RangeResponse(then, now.kvs(), now.more(), now.count()))
                                : outcome));
    }

    @Override
    public Watch watch(WatchRequest request, WatchListener listener) {
        boolean ofState = request.range().start().toUtf8().startsWith(STATE);
        if (ofState && unwatchable) {
            loop.execute(() -> listener.ended(connectionLost()));
            return () -> {};
        }
        boolean[] cancelled = {false};
        Watch watch = super.watch(request, new WatchListener() {
            @Override
            public void changed(WatchBatch batch) {
                WatchBatch told = deaf ? new WatchBatch(batch.revision(), List.of()) : batch;
                if (!ofState || behind.isZero()) {
                    listener.changed(told);
                    return;
                }
                loop.schedule(behind, () -> {
                    if (!cancelled[0]) {
                        listener.changed(told);
                    }
                });
            }

            @Override
            public void ended(Outcome.Fault fault) {
                listener.ended(fault);
            }
        });
        if (ofState) {
            watching.add(new Watching(watch, listener));
        }
        return () -> {
            cancelled[0] = true;
            watch.cancel();
        };
    }

    private record Watching(Watch watch, WatchListener listener) {}

    private static Outcome.Fault connectionLost() {
        return new Outcome.Fault(Kind.UNAVAILABLE, "the connection was lost");
    }

    /** Ends the watches of the state, and those that are opened again too. */
    void loseWatches() {
        unwatchable = true;
        List<Watching> lost = List.copyOf(watching);
        watching.clear();
        lost.forEach(one -> {
            one.watch().cancel();
            one.listener().ended(connectionLost());
        });
    }

    /** Somebody who is not a leader writes. */
    void byHand(Txn.Op... ops) {
        super.txn(new Txn(List.of(), List.of(ops), List.of()), outcome -> {});
    }

    /** R181: nothing of the state is written without the condition that the writer still leads. */
    private static void assertGuarded(Txn txn) {
        boolean writesState = txn.success().stream().anyMatch(op -> switch (op) {
            case Txn.Op.Put put -> put.key().toUtf8().startsWith(STATE);
            case Txn.Op.Delete delete -> delete.range().start().toUtf8().startsWith(STATE);
            case Txn.Op.Range range -> false;
        });
        boolean guarded = txn.compares().stream()
                .anyMatch(compare -> compare.target() == Txn.Target.CREATE_REVISION
                        && compare.relation() == Txn.Relation.EQUAL
                        && compare.number() > 0
                        && compare.key().toUtf8().startsWith(LEADER));
        if (writesState && !guarded) {
            throw new AssertionError("a write of the state without the guard: " + txn);
        }
    }

    @Override
    public void txn(Txn txn, Consumer<Outcome<TxnResponse>> answer) {
        assertGuarded(txn);
        writes.add(txn);
        Fate fate = full ? Fate.NO_SPACE : fates.isEmpty() ? Fate.ANSWERED : fates.poll();
        switch (fate) {
            case ANSWERED -> super.txn(txn, answer);
            case APPLIED_LOST -> super.txn(txn, outcome -> answer.accept(lost()));
            case NOT_APPLIED_LOST -> loop.execute(() -> answer.accept(lost()));
            case APPLIED_LATE -> {
                loop.execute(() -> answer.accept(lost()));
                loop.schedule(Duration.ofSeconds(1), () -> super.txn(txn, outcome -> {}));
            }
            case NO_SPACE -> loop.execute(() -> answer.accept(full()));
            case NO_SPACE_LATE -> loop.schedule(Duration.ofSeconds(1), () -> answer.accept(full()));
        }
    }

    private static Outcome<TxnResponse> full() {
        return Outcome.failure(Kind.NO_SPACE, "disk is full");
    }

    private static Outcome<TxnResponse> lost() {
        return Outcome.unknown(Kind.UNAVAILABLE, "the answer was lost");
    }
}
