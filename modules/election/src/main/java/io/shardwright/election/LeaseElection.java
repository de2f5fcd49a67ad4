package io.shardwright.election;

import io.shardwright.domain.Outcome.Fault;
import io.shardwright.persistence.KeyRange;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Leadership among any number of replicas on one store: each puts an entry that hangs on a lease of its own into a
 * queue, and the oldest entry leads, as in etcd's concurrency package.
 *
 * <p>One {@link Campaign} is one attempt on one lease; when it ends, another one begins after a pause.
 * {@link QueueWatch} follows the queue from start to end, so that this replica can also say who leads when it does not.
 */
public final class LeaseElection implements Election {

    private static final System.Logger LOG = System.getLogger(LeaseElection.class.getName());

    private final ElectionPorts ports;
    private final ElectionSettings settings;
    private final Supplier<Candidate> candidate;
    private final Backoff backoff;
    private final QueueWatch watch;
    private final SameAddress sameAddress;
    private final AtomicLong failures = new AtomicLong();
    private Optional<Listener> listener = Optional.empty();
    private Optional<Campaign> campaign = Optional.empty();
    private String incarnation = "";
    private boolean admitted = true;

    // Written on the event loop, read by every thread.
    private volatile Optional<LeaderAddress> leader = Optional.empty();
    private volatile List<QueuedReplica> queue = List.of();
    private volatile Optional<Long> heardAt = Optional.empty();

    /** Prepares an election; nothing happens before {@link #campaign}. */
    public LeaseElection(ElectionPorts ports, ElectionSettings settings, Candidate candidate) {
        this(ports, settings, () -> candidate);
    }

    /**
     * Prepares an election.
     *
     * @param candidate says who campaigns; asked when an attempt begins, because a port that is chosen by the system is
     *     known only then
     */
    public LeaseElection(ElectionPorts ports, ElectionSettings settings, Supplier<Candidate> candidate) {
        this.ports = ports;
        this.settings = settings;
        this.candidate = candidate;
        this.backoff = new Backoff(ports.random(), settings);
        this.watch = new QueueWatch(ports, settings, new QueueListener());
        this.sameAddress = new SameAddress(ports, this::refuse);
    }

    @Override
    public void campaign(String incarnation, Listener listener) {
        this.incarnation = incarnation;
        this.listener = Optional.of(listener);
        watch.start();
        attempt();
    }

    /**
     * Makes this replica only follow the queue until {@link #admit}: while it is not known to be reachable it must
     * neither queue nor lead (R137). Called before {@link #campaign}.
     */
    public void holdBack() {
        admitted = false;
    }

    /** Lets this replica campaign. Called on the event loop. */
    public void admit() {
        admitted = true;
        attempt();
    }

    private void attempt() {
        if (!admitted || listener.isEmpty() || campaign.isPresent()) {
            return;
        }
        Campaign next = new Campaign(
                ports, settings, new ElectionEntry(candidate.get(), incarnation, false), new CampaignOwner());
        campaign = Optional.of(next);
        next.start();
    }

    @Override
    public void ready(Term term) {
        campaign.ifPresent(present -> present.ready(term));
    }

    @Override
    public void lost(Term term) {
        campaign.ifPresent(present -> present.lost(term));
    }

    @Override
    public void handOver(Optional<LeaderAddress> to, Consumer<HandOver> done) {
        campaign.ifPresentOrElse(present -> present.handOver(to, done), () -> done.accept(new HandOver.NotLeading()));
    }

    @Override
    public List<QueuedReplica> queue() {
        return queue;
    }

    private void refuse(String why) {
        Optional<Listener> hearer = listener;
        resign(() -> {});
        hearer.ifPresent(h -> h.refused(why));
    }

    @Override
    public void resign(Runnable resigned) {
        watch.stop();
        sameAddress.stop();
        Optional<Campaign> ending = campaign;
        Optional<Listener> hearer = listener;
        campaign = Optional.empty();
        listener = Optional.empty();
        leader = Optional.empty();
        if (ending.isEmpty()) {
            ports.loop().execute(resigned);
            return;
        }
        Optional<Term> term = ending.get().term();
        ending.get().stop(settings.ttl().dividedBy(3), resigned);
        term.ifPresent(over -> hearer.ifPresent(h -> h.ended(over)));
    }

    @Override
    public Optional<LeaderAddress> leader() {
        return leader;
    }

    @Override
    public Optional<Duration> heard(long now) {
        return heardAt.map(heard -> Duration.ofNanos(now - heard));
    }

    @Override
    public boolean inTouch(long now) {
        return heard(now).filter(ago -> ago.compareTo(settings.ttl()) < 0).isPresent();
    }

    @Override
    public boolean contested() {
        return true;
    }

    @Override
    public long failures() {
        return failures.get();
    }

    private void alive() {
        heardAt = Optional.of(ports.clock().nanoTime());
    }

    private final class QueueListener implements QueueWatch.Listener {
        @Override
        public void alive() {
            LeaseElection.this.alive();
        }

        @Override
        public void changed(CampaignQueue queue) {
            Optional<LeaderAddress> now = queue.leader()
                    .filter(entry -> entry.ready() && !entry.incarnation().equals(incarnation))
                    .map(entry -> entry.candidate().address());
            if (!now.equals(leader)) {
                leader = now;
                now.ifPresent(address -> LOG.log(System.Logger.Level.INFO, "{0} leads", address));
            }
            LeaseElection.this.queue = queue.replicas();
            sameAddress.queueChanged(queue, candidate.get().address(), incarnation);
            campaign.ifPresent(present -> present.queueChanged(queue));
        }
    }

    private final class CampaignOwner implements Campaign.Owner {
        @Override
        public CampaignQueue queue() {
            return watch.queue();
        }

        @Override
        public KeyRange range() {
            return watch.range();
        }

        @Override
        public void alive() {
            LeaseElection.this.alive();
        }

        @Override
        public void kept() {
            backoff.reset();
        }

        @Override
        public void failed(String what, Fault fault) {
            failures.incrementAndGet();
            LOG.log(System.Logger.Level.WARNING, "{0} failed: {1}; trying again", what, fault.message());
        }

        @Override
        public void entered(long revision) {
            listener.ifPresent(hearer -> hearer.entered(revision));
        }

        @Override
        public void won(Term term) {
            LOG.log(
                    System.Logger.Level.INFO,
                    "elected: this replica leads from revision {0} on",
                    term.createRevision());
            listener.ifPresent(hearer -> hearer.elected(term));
        }

        @Override
        public void over(Optional<Term> term, String why) {
            LOG.log(System.Logger.Level.WARNING, "the campaign ended and begins anew: {0}", why);
            campaign = Optional.empty();
            term.ifPresent(ended -> listener.ifPresent(hearer -> hearer.ended(ended)));
            ports.loop().schedule(backoff.next(), LeaseElection.this::attempt);
        }
    }
}
