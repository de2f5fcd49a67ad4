package io.shardwright.control;

import io.shardwright.domain.Outcome;
import io.shardwright.domain.Outcome.Fault.Kind;
import io.shardwright.domain.Scheduler;
import io.shardwright.persistence.ForwardingStore;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.Txn;
import io.shardwright.persistence.TxnResponse;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
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

    private final Scheduler loop;
    private final ArrayDeque<Fate> fates = new ArrayDeque<>();
    final List<Txn> writes = new ArrayList<>();
    boolean full;

    FaultyStore(Store store, Scheduler loop) {
        super(store);
        this.loop = loop;
    }

    void next(Fate... next) {
        fates.addAll(List.of(next));
    }

    @Override
    public void txn(Txn txn, Consumer<Outcome<TxnResponse>> answer) {
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
