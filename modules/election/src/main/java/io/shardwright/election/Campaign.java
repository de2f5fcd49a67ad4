package io.shardwright.election;

import io.shardwright.domain.Outcome;
import io.shardwright.domain.Outcome.Fault;
import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.KeyRange;
import io.shardwright.persistence.KeyValue;
import io.shardwright.persistence.RangeRequest;
import io.shardwright.persistence.RangeResponse;
import io.shardwright.persistence.StoreLeases.Lease;
import io.shardwright.persistence.Txn;
import io.shardwright.persistence.TxnResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One attempt to lead, on one lease: grant, entry, wait, confirmation, term. It ends once, and whatever is answered
 * later is not listened to.
 *
 * <p>What is done when an outcome is unknown:
 *
 * <ul>
 *   <li>grant: the lease, if there is one, carries no entry and ends by itself; another attempt grants another one.
 *   <li>entry: the same transaction again. It creates the entry only where there is none, its key holds the lease id,
 *       and a late first attempt finds either the entry or no lease.
 *   <li>confirmation: a read; again.
 *   <li>ready mark: the same value again, as long as the entry is the one of this term.
 * </ul>
 */
final class Campaign {

    private static final System.Logger LOG = System.getLogger(Campaign.class.getName());

    private final ElectionPorts ports;
    private final ElectionSettings settings;
    private final ElectionEntry entry;
    private final Owner owner;
    private final Backoff backoff;
    private Stage stage = new Stage.Granting();

    /** Where the attempt stands. */
    private sealed interface Stage {

        record Granting() implements Stage {}

        record Entering(LeadershipLease lease) implements Stage {}

        record Waiting(LeadershipLease lease, long createRevision) implements Stage {}

        record Confirming(LeadershipLease lease, long createRevision) implements Stage {}

        record Leading(LeadershipLease lease, Term term) implements Stage {}

        record Over() implements Stage {}
    }

    /** Whose attempt it is. */
    interface Owner {

        /** The queue as it is known now. */
        CampaignQueue queue();

        /** The keys of the queue. */
        KeyRange range();

        /** The store answered. */
        void alive();

        /** The lease was kept: this attempt does not end at once. */
        void kept();

        /** Something failed and is tried again (R142). */
        void failed(String what, Fault fault);

        /** The entry was written, at this revision of the store. */
        void entered(long revision);

        /** The attempt won. */
        void won(Term term);

        /**
         * The attempt ended by itself.
         *
         * @param term that it had won
         */
        void over(Optional<Term> term, String why);
    }

    Campaign(ElectionPorts ports, ElectionSettings settings, ElectionEntry entry, Owner owner) {
        this.ports = ports;
        this.settings = settings;
        this.entry = entry;
        this.owner = owner;
        this.backoff = new Backoff(ports.random(), settings);
    }

    void start() {
        long sentAt = ports.clock().nanoTime();
        ports.store().leases().grant(settings.ttl().toSeconds(), outcome -> {
            if (!(stage instanceof Stage.Granting)) {
                return;
            }
            switch (outcome) {
                case Outcome.Success<Lease>(Lease granted) -> {
                    owner.alive();
                    stage = new Stage.Entering(
                            new LeadershipLease(ports, settings, granted, sentAt, new LeaseListener()));
                    enter();
                }
                case Outcome.Failure<Lease>(Fault fault) -> notGranted(fault);
                case Outcome.Unknown<Lease>(Fault fault) -> notGranted(fault);
            }
        });
    }

    private void notGranted(Fault fault) {
        owner.failed("the grant of a leadership lease", fault);
        end("no lease was granted: " + fault.message());
    }

    private final class LeaseListener implements LeadershipLease.Listener {
        @Override
        public void alive() {
            owner.alive();
            owner.kept();
            stepDownUnlessBelieved();
        }

        @Override
        public void ended() {
            end("the leadership lease has ended in the store");
        }
    }

    // ------------------------------------------------------------------ entry

    private void enter() {
        if (!(stage instanceof Stage.Entering(LeadershipLease lease))) {
            return;
        }
        Bytes key = key(lease);
        Txn create = new Txn(
                List.of(Txn.Compare.createRevision(key, 0)),
                List.of(new Txn.Op.Put(key, entry.encode(), lease.id())),
                List.of(new Txn.Op.Range(RangeRequest.of(KeyRange.single(key)))));
        ports.store().txn(create, outcome -> {
            if (!(stage instanceof Stage.Entering)) {
                return;
            }
            switch (outcome) {
                case Outcome.Success<TxnResponse>(TxnResponse response) -> {
                    if (response.succeeded()) {
                        entered(lease, response.revision());
                    } else {
                        earlierEntry(response, lease.id())
                                .ifPresentOrElse(
                                        found -> entered(lease, found.createRevision()),
                                        () -> end("the entry " + key + " belongs to somebody else"));
                    }
                }
                case Outcome.Failure<TxnResponse>(Fault fault) -> notEntered(fault);
                case Outcome.Unknown<TxnResponse>(Fault fault) -> notEntered(fault);
            }
        });
    }

    private Bytes key(LeadershipLease lease) {
        return Bytes.utf8(settings.name() + "/" + Long.toHexString(lease.id()));
    }

    private static Optional<KeyValue> earlierEntry(TxnResponse response, long leaseId) {
        return response.results().stream()
                .filter(TxnResponse.OpResult.Ranged.class::isInstance)
                .flatMap(result -> ((TxnResponse.OpResult.Ranged) result).response().kvs().stream())
                .filter(kv -> kv.leaseId() == leaseId)
                .findFirst();
    }

    private void notEntered(Fault fault) {
        owner.failed("the election entry", fault);
        if (fault.kind() == Fault.Kind.NOT_FOUND) {
            end("the leadership lease has ended in the store");
        } else {
            ports.loop().schedule(backoff.next(), this::enter);
        }
    }

    private void entered(LeadershipLease lease, long createRevision) {
        owner.alive();
        backoff.reset();
        stage = new Stage.Waiting(lease, createRevision);
        owner.entered(createRevision);
        queueChanged(owner.queue());
    }

    // ------------------------------------------------------------------ queue

    /** The queue is another one. */
    void queueChanged(CampaignQueue queue) {
        switch (stage) {
            case Stage.Waiting(LeadershipLease lease, long createRevision) -> {
                if (queue.isGone(key(lease), createRevision)) {
                    end("the election entry is gone");
                } else if (queue.isFirst(key(lease), createRevision)) {
                    confirm(lease, createRevision);
                } else if (queue.newerBehind(createRevision, entry.candidate().version())) {
                    end("a newer version waits behind this one, and this one lets it go first");
                }
            }
            case Stage.Leading(LeadershipLease lease, Term term) -> {
                if (queue.isGone(term.key(), term.createRevision())) {
                    end("the election entry is gone");
                }
            }
            case Stage.Granting granting -> {}
            case Stage.Entering entering -> {}
            case Stage.Confirming confirming -> {}
            case Stage.Over over -> {}
        }
    }

    /** Reads the queue once more from the store itself: what a watch said may be old (R180). */
    private void confirm(LeadershipLease lease, long createRevision) {
        stage = new Stage.Confirming(lease, createRevision);
        ports.store().range(RangeRequest.of(owner.range()), outcome -> {
            if (!(stage instanceof Stage.Confirming)) {
                return;
            }
            stage = new Stage.Waiting(lease, createRevision);
            switch (outcome) {
                case Outcome.Success<RangeResponse>(RangeResponse response) -> {
                    owner.alive();
                    CampaignQueue now = CampaignQueue.of(response.revision(), response.kvs());
                    if (now.isGone(key(lease), createRevision)) {
                        end("the election entry is gone");
                    } else if (now.isFirst(key(lease), createRevision)) {
                        win(lease, createRevision, now.revision());
                    }
                }
                case Outcome.Failure<RangeResponse>(Fault fault) -> notConfirmed(fault);
                case Outcome.Unknown<RangeResponse>(Fault fault) -> notConfirmed(fault);
            }
        });
    }

    private void notConfirmed(Fault fault) {
        owner.failed("the read that confirms the election", fault);
        lookAgain();
    }

    private void lookAgain() {
        ports.loop().schedule(backoff.next(), () -> {
            if (stage instanceof Stage.Waiting) {
                queueChanged(owner.queue());
            }
        });
    }

    // ------------------------------------------------------------------ term

    private void win(LeadershipLease lease, long createRevision, long since) {
        if (!lease.belief().holds(ports.clock().nanoTime())) {
            lookAgain(); // the next keep-alive that is answered tells whether the lease still lives
            return;
        }
        backoff.reset();
        Term term = new Term(key(lease), createRevision, since, lease.belief());
        lease.belief().lead();
        stage = new Stage.Leading(lease, term);
        watchBelief();
        owner.won(term);
    }

    private void watchBelief() {
        if (stage instanceof Stage.Leading(LeadershipLease lease, Term term)) {
            long left = lease.belief().until() - ports.clock().nanoTime();
            ports.loop().schedule(Duration.ofNanos(Math.max(0, left)), () -> {
                if (stage instanceof Stage.Leading) {
                    stepDownUnlessBelieved();
                    watchBelief();
                }
            });
        }
    }

    private void stepDownUnlessBelieved() {
        if (stage instanceof Stage.Leading(LeadershipLease lease, Term term)
                && !term.believes(ports.clock().nanoTime())) {
            end("no keep-alive of the leadership lease was acknowledged in time, or this process stood still");
        }
    }

    /** Marks the entry of a term as ready, until that is certain or the term is over. */
    void ready(Term ready) {
        if (!(stage instanceof Stage.Leading(LeadershipLease lease, Term term)) || !term.equals(ready)) {
            return;
        }
        Bytes value = new ElectionEntry(entry.candidate(), entry.incarnation(), true).encode();
        Txn mark = new Txn(List.of(term.guard()), List.of(new Txn.Op.Put(term.key(), value, lease.id())), List.of());
        ports.store().txn(mark, outcome -> {
            if (!(stage instanceof Stage.Leading)) {
                return;
            }
            switch (outcome) {
                case Outcome.Success<TxnResponse>(TxnResponse response) -> {
                    if (!response.succeeded()) {
                        end("the election entry is gone");
                    }
                }
                case Outcome.Failure<TxnResponse>(Fault fault) -> notMarked(ready, fault);
                case Outcome.Unknown<TxnResponse>(Fault fault) -> notMarked(ready, fault);
            }
        });
    }

    private void notMarked(Term ready, Fault fault) {
        LOG.log(
                System.Logger.Level.WARNING,
                "the leader cannot be marked as ready, so nobody is sent to it: {0}; trying again",
                fault.message());
        ports.loop().schedule(backoff.next(), () -> ready(ready));
    }

    /** The holder of a term says that it is over. */
    void lost(Term lost) {
        if (stage instanceof Stage.Leading(LeadershipLease lease, Term term) && term.equals(lost)) {
            end("its guard or its belief does not hold any more");
        }
    }

    /** Returns the term, if the attempt has won. */
    Optional<Term> term() {
        return stage instanceof Stage.Leading(LeadershipLease lease, Term term) ? Optional.of(term) : Optional.empty();
    }

    /**
     * Ends the term in favour of another candidate: in one transaction its entry becomes the first, because this one's
     * and those in between are removed. Those campaign anew, as this one does.
     */
    void handOver(Optional<LeaderAddress> to, Consumer<HandOver> done) {
        if (!(stage instanceof Stage.Leading(LeadershipLease lease, Term term))) {
            done.accept(new HandOver.NotLeading());
            return;
        }
        if (to.equals(Optional.of(entry.candidate().address()))) {
            done.accept(new HandOver.To(QueuedReplica.of(entry.candidate(), true))); // it leads already
            return;
        }
        List<KeyValue> waiting = owner.queue().behind(term.createRevision());
        Optional<KeyValue> next = waiting.stream()
                .filter(kv ->
                        to.isEmpty() || CampaignQueue.replica(kv).address().equals(to))
                .findFirst();
        if (next.isEmpty()) {
            done.accept(new HandOver.NobodyThere(
                    waiting.stream().map(CampaignQueue::replica).toList()));
            return;
        }
        QueuedReplica replica = CampaignQueue.replica(next.get());
        Txn txn = handOverTo(next.get(), term, waiting);
        stage = new Stage.Over();
        lease.stop();
        owner.over(Optional.of(term), "it was asked to hand leadership over to " + replica.identity());
        ports.store()
                .txn(txn, outcome -> lease.revoke(settings.ttl(), () -> done.accept(handedOver(outcome, replica))));
    }

    private static Txn handOverTo(KeyValue next, Term term, List<KeyValue> waiting) {
        List<Txn.Op> removals = new ArrayList<>(List.of(new Txn.Op.Delete(KeyRange.single(term.key()))));
        waiting.stream()
                .filter(kv -> kv.createRevision() < next.createRevision())
                .forEach(kv -> removals.add(new Txn.Op.Delete(KeyRange.single(kv.key()))));
        return new Txn(
                List.of(term.guard(), Txn.Compare.createRevision(next.key(), next.createRevision())),
                removals,
                List.of());
    }

    private static HandOver handedOver(Outcome<TxnResponse> outcome, QueuedReplica next) {
        return switch (outcome) {
            case Outcome.Success<TxnResponse>(TxnResponse response) ->
                response.succeeded()
                        ? new HandOver.To(next)
                        : new HandOver.Uncertain("the queue changed meanwhile, so whoever is next leads");
            case Outcome.Failure<TxnResponse>(Fault fault) -> new HandOver.Uncertain(fault.message());
            case Outcome.Unknown<TxnResponse>(Fault fault) -> new HandOver.Uncertain(fault.message());
        };
    }

    // ------------------------------------------------------------------ end

    private void end(String why) {
        Optional<Term> term = term();
        stop(settings.ttl(), () -> {});
        owner.over(term, why);
    }

    /**
     * Ends the attempt and takes its entry away.
     *
     * @param done called once when the entry is gone, or that was tried for {@code patience}
     */
    void stop(Duration patience, Runnable done) {
        Optional<LeadershipLease> lease = lease();
        stage = new Stage.Over();
        if (lease.isPresent()) {
            lease.get().revoke(patience, done);
        } else {
            ports.loop().execute(done);
        }
    }

    private Optional<LeadershipLease> lease() {
        return switch (stage) {
            case Stage.Entering(LeadershipLease lease) -> Optional.of(lease);
            case Stage.Waiting(LeadershipLease lease, long createRevision) -> Optional.of(lease);
            case Stage.Confirming(LeadershipLease lease, long createRevision) -> Optional.of(lease);
            case Stage.Leading(LeadershipLease lease, Term term) -> Optional.of(lease);
            case Stage.Granting granting -> Optional.empty();
            case Stage.Over over -> Optional.empty();
        };
    }
}
