package io.shardwright.persistence.mvcc;

import io.shardwright.domain.Clock;
import io.shardwright.domain.Outcome;
import io.shardwright.domain.Outcome.Fault;
import io.shardwright.persistence.RangeRequest;
import io.shardwright.persistence.RangeResponse;
import io.shardwright.persistence.StoreLeases;
import io.shardwright.persistence.StoreLeases.Lease;
import io.shardwright.persistence.Txn;
import io.shardwright.persistence.TxnResponse;
import io.shardwright.persistence.TxnRules;
import io.shardwright.persistence.mvcc.Journal.JournalException;
import io.shardwright.persistence.mvcc.Journal.Loaded;
import io.shardwright.persistence.mvcc.Journal.LoadedLease;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The calls of an embedded store, one after the other: plan on the engine, write to the journal, then change the
 * engine.
 *
 * <p>So a journal that fails changes nothing here, and what was answered is in the journal. Where a journal cannot tell
 * whether it wrote, the answer is unknown and the engine is loaded anew before the next call. Used by one thread at a
 * time.
 */
final class StoreSteps {

    private static final Logger LOG = System.getLogger(StoreSteps.class.getName());

    /** History may outgrow its setting by this part before it is compacted, so that not every write compacts. */
    private static final double COMPACTION_SLACK = 1.1;

    private final EmbeddedSettings settings;
    private final Clock clock;
    private final Journal journal;
    private MvccEngine engine = new MvccEngine();
    private LeaseTable leases = new LeaseTable();
    private boolean expires = true;
    private Optional<Fault> ended = Optional.empty();

    // Written by the thread of the store, read by every thread.
    private volatile long provenAt;

    StoreSteps(EmbeddedSettings settings, Clock clock, Journal journal) throws JournalException {
        this.settings = settings;
        this.clock = clock;
        this.journal = journal;
        load();
    }

    private void load() throws JournalException {
        long asked = clock.nanoTime();
        Loaded loaded = journal.load();
        MvccEngine fresh = new MvccEngine();
        loaded.commits().forEach(fresh::restore);
        fresh.restored(loaded.revision(), loaded.compacted());
        LeaseTable freshLeases = new LeaseTable();
        long now = clock.nanoTime();
        for (LoadedLease lease : loaded.leases()) {
            freshLeases.grant(lease.id(), lease.ttlSeconds(), now);
        }
        freshLeases.restoreLastId(loaded.lastLeaseId());
        engine = fresh;
        leases = freshLeases;
        provenAt = asked;
    }

    /** Returns when the last call that the journal answered was made, by the store's clock. */
    long provenAt() {
        return provenAt;
    }

    MvccEngine engine() {
        return engine;
    }

    /** Returns why the store is of no further use, if it is not. */
    Optional<Fault> ended() {
        return ended;
    }

    boolean hasLeases() {
        return !leases.isEmpty();
    }

    Outcome<RangeResponse> range(RangeRequest request) {
        return ended.<Outcome<RangeResponse>>map(Outcome.Failure::new).orElseGet(() -> engine.range(request));
    }

    /** Runs transactions in order, with one write to the journal for all of them. */
    List<Outcome<TxnResponse>> txns(List<Txn> txns) {
        long before = engine.revision();
        List<Outcome<TxnResponse>> answers = new ArrayList<>(txns.size());
        List<Commit> commits = new ArrayList<>();
        for (Txn txn : txns) {
            Outcome<TxnPlan> plan = plan(txn);
            answers.add(
                    switch (plan) {
                        case Outcome.Success<TxnPlan>(TxnPlan planned) -> {
                            planned.commit().ifPresent(commit -> {
                                engine.apply(commit);
                                commits.add(commit);
                            });
                            yield Outcome.success(planned.response());
                        }
                        case Outcome.Failure<TxnPlan>(Fault fault) -> new Outcome.Failure<>(fault);
                        case Outcome.Unknown<TxnPlan>(Fault fault) -> new Outcome.Unknown<>(fault);
                    });
        }
        if (commits.isEmpty()) {
            return answers;
        }
        long asked = clock.nanoTime();
        try {
            journal.commit(commits);
            provenAt = asked;
        } catch (JournalException e) {
            engine.rollbackTo(before);
            return afterFault(txns, answers, e);
        }
        compactWhenDue();
        return answers;
    }

    private Outcome<TxnPlan> plan(Txn txn) {
        return ended.or(() -> TxnRules.check(txn, settings.limits()))
                .<Outcome<TxnPlan>>map(Outcome.Failure::new)
                .orElseGet(() -> TxnPlan.of(engine, txn, leases::exists));
    }

    private List<Outcome<TxnResponse>> afterFault(
            List<Txn> txns, List<Outcome<TxnResponse>> answers, JournalException e) {
        if (e.effect() == JournalException.Effect.NONE && txns.size() > 1) {
            // Nothing was written: one transaction that is too large for the disk must not take the others with it.
            List<Outcome<TxnResponse>> alone = new ArrayList<>(txns.size());
            for (Txn txn : txns) {
                alone.addAll(txns(List.of(txn)));
            }
            return alone;
        }
        List<Outcome<TxnResponse>> failed = new ArrayList<>(answers.size());
        for (Outcome<TxnResponse> answer : answers) {
            // A read of this group may have seen a write that failed, so it fails too.
            failed.add(answer instanceof Outcome.Success<TxnResponse> ? faulty(e) : answer);
        }
        recover(e);
        return failed;
    }

    private static <T> Outcome<T> faulty(JournalException e) {
        return switch (e.effect()) {
            case NONE, NONE_AND_ENDED -> new Outcome.Failure<>(e.fault());
            case UNKNOWN, UNKNOWN_AND_ENDED -> new Outcome.Unknown<>(e.fault());
        };
    }

    private void recover(JournalException e) {
        switch (e.effect()) {
            case NONE -> {}
            case NONE_AND_ENDED, UNKNOWN_AND_ENDED -> end(e);
            case UNKNOWN -> {
                try {
                    load();
                } catch (JournalException again) {
                    end(again);
                }
            }
        }
    }

    private void end(JournalException e) {
        LOG.log(Level.ERROR, "store: ended: " + e.fault().message(), e);
        ended = Optional.of(e.fault());
    }

    Outcome<Lease> grant(long ttlSeconds) {
        Optional<Fault> fault = ended.or(() -> StoreLeases.check(ttlSeconds));
        if (fault.isPresent()) {
            return new Outcome.Failure<>(fault.get());
        }
        long granted = Math.max(ttlSeconds, settings.minLeaseTtlSeconds());
        long id = leases.nextId();
        try {
            journal.grant(id, granted);
        } catch (JournalException e) {
            recover(e);
            return faulty(e);
        }
        return Outcome.success(leases.grant(id, granted, clock.nanoTime()));
    }

    Outcome<Lease> keepAlive(long id) {
        if (ended.isPresent()) {
            return new Outcome.Failure<>(ended.get());
        }
        long now = clock.nanoTime();
        if (leases.isOver(id, now)) {
            // It must not live again; end it now, as the next scan would.
            return revoke(id) instanceof Outcome.Unknown<Long>(Fault fault)
                    ? new Outcome.Unknown<>(fault)
                    : notFound(id);
        }
        return leases.restart(id, now).map(Outcome::success).orElseGet(() -> notFound(id));
    }

    Outcome<Lease> timeToLive(long id) {
        if (ended.isPresent()) {
            return new Outcome.Failure<>(ended.get());
        }
        return leases.read(id, clock.nanoTime()).map(Outcome::success).orElseGet(() -> notFound(id));
    }

    Outcome<Long> revoke(long id) {
        if (ended.isPresent()) {
            return new Outcome.Failure<>(ended.get());
        }
        if (!leases.exists(id)) {
            return notFound(id);
        }
        Optional<Commit> deletion =
                TxnPlan.deletionOf(engine, engine.attachedTo(id)).commit();
        try {
            journal.revoke(id, deletion.stream().toList());
        } catch (JournalException e) {
            recover(e);
            return faulty(e);
        }
        deletion.ifPresent(engine::apply);
        leases.remove(id);
        compactWhenDue();
        return Outcome.success(engine.revision());
    }

    void expireLeases(boolean on) {
        expires = on;
    }

    void restartLeases(Duration extension) {
        leases.restartAll(clock.nanoTime() + extension.toNanos());
    }

    /** Revokes the leases whose time is over. One that cannot be revoked now is tried again by the next scan. */
    void revokeOver() {
        if (!expires) {
            return;
        }
        for (long id : leases.over(clock.nanoTime())) {
            if (!(revoke(id) instanceof Outcome.Success<Long>)) {
                return;
            }
        }
    }

    Outcome<Long> compact(long revision) {
        Optional<Fault> fault = ended.or(() -> engine.checkCompactable(revision));
        if (fault.isPresent()) {
            return new Outcome.Failure<>(fault.get());
        }
        try {
            journal.compact(revision, engine.forgettable(revision));
        } catch (JournalException e) {
            recover(e);
            return faulty(e);
        }
        engine.compact(revision);
        return Outcome.success(revision);
    }

    private void compactWhenDue() {
        if (engine.retainedRevisions() > settings.retainedRevisions() * COMPACTION_SLACK
                || engine.retainedBytes() > settings.retainedBytes() * COMPACTION_SLACK) {
            long target = engine.compactionTarget(settings.retainedRevisions(), settings.retainedBytes());
            if (target > 0 && !(compact(target) instanceof Outcome.Success<Long>)) {
                LOG.log(Level.WARNING, "store: history up to revision {0} could not be compacted now", target);
            }
        }
    }

    /** Finds out whether the journal still works. */
    void probe() {
        if (ended.isPresent()) {
            return;
        }
        long asked = clock.nanoTime();
        try {
            journal.probe();
            provenAt = asked;
        } catch (JournalException e) {
            recover(e);
        }
    }

    void close() {
        journal.close();
    }

    private static <T> Outcome<T> notFound(long id) {
        return Outcome.failure(
                Fault.Kind.NOT_FOUND,
                "lease " + Long.toHexString(id) + " does not exist or has ended; grant a new one");
    }
}
