package io.shardwright.election;

import io.shardwright.domain.Outcome;
import io.shardwright.domain.Outcome.Fault;
import io.shardwright.domain.Scheduler;
import io.shardwright.persistence.StoreLeases.Lease;
import java.time.Duration;
import java.util.Optional;

/**
 * One lease of the store that is kept alive every third of its TTL, from its grant on and also while the candidate
 * waits (R180).
 *
 * <p>Keep-alives do not wait for each other: one that hangs must not cost the lease. A keep-alive without an answer may
 * have happened or not; only one that was answered extends the {@link #belief}.
 */
final class LeadershipLease {

    private static final System.Logger LOG = System.getLogger(LeadershipLease.class.getName());

    private final ElectionPorts ports;
    private final long id;
    private final Duration interval;
    private final Duration ttl;
    private final LeaseBelief belief;
    private final Backoff backoff;
    private final Listener listener;
    private Optional<Scheduler.Timer> next = Optional.empty();
    private boolean stopped;

    /** Hears of the lease. */
    interface Listener {

        /** The store answered. */
        void alive();

        /** The lease has ended in the store, and so has every key on it. */
        void ended();
    }

    /**
     * Takes over a granted lease.
     *
     * @param sentAt when the grant was sent
     */
    LeadershipLease(ElectionPorts ports, ElectionSettings settings, Lease granted, long sentAt, Listener listener) {
        this.ports = ports;
        this.id = granted.id();
        this.ttl = settings.ttl();
        this.belief = new LeaseBelief(settings, sentAt, granted.grantedTtlSeconds());
        this.backoff = new Backoff(ports.random(), settings);
        this.listener = listener;
        Duration given = Duration.ofSeconds(granted.grantedTtlSeconds());
        this.interval = (given.compareTo(ttl) < 0 ? given : ttl).dividedBy(3);
        if (!given.equals(ttl)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "the store granted a leadership lease of {0} s instead of {1} s; a dead leader is replaced later, or leadership renewed more often, than configured",
                    given.toSeconds(),
                    ttl.toSeconds());
        }
        keepAliveIn(interval);
    }

    long id() {
        return id;
    }

    LeaseBelief belief() {
        return belief;
    }

    private void keepAliveIn(Duration pause) {
        next.ifPresent(Scheduler.Timer::cancel);
        next = Optional.of(ports.loop().schedule(pause, this::keepAlive));
    }

    private void keepAlive() {
        if (stopped) {
            return;
        }
        keepAliveIn(interval);
        long sentAt = ports.clock().nanoTime();
        ports.store().leases().keepAlive(id, outcome -> {
            if (stopped) {
                return;
            }
            switch (outcome) {
                case Outcome.Success<Lease>(Lease lease) -> {
                    belief.extend(ports.clock().nanoTime(), sentAt, lease.ttlSeconds());
                    backoff.reset();
                    listener.alive();
                }
                case Outcome.Failure<Lease>(Fault fault)
                when fault.kind() == Fault.Kind.NOT_FOUND -> {
                    stop();
                    listener.ended();
                }
                case Outcome.Failure<Lease>(Fault fault) -> soonAgain(fault);
                case Outcome.Unknown<Lease>(Fault fault) -> soonAgain(fault);
            }
        });
    }

    private void soonAgain(Fault fault) {
        LOG.log(System.Logger.Level.DEBUG, "keep-alive of the leadership lease: {0}", fault.message());
        Duration pause = backoff.next();
        keepAliveIn(pause.compareTo(interval) < 0 ? pause : interval);
    }

    /** Stops keeping it alive, and to believe in it. */
    void stop() {
        stopped = true;
        belief.end();
        next.ifPresent(Scheduler.Timer::cancel);
    }

    /**
     * Ends the lease, so that its entry blocks nobody. A revocation may be repeated: its lease cannot come back, and no
     * other gets its id.
     *
     * @param patience how long it is tried; the lease ends by itself after its TTL
     * @param done called once, also when it was tried in vain
     */
    void revoke(Duration patience, Runnable done) {
        stop();
        backoff.reset();
        revoke(ports.clock().nanoTime() + patience.toNanos(), done);
    }

    private void revoke(long giveUpAt, Runnable done) {
        ports.store().leases().revoke(id, outcome -> {
            switch (outcome) {
                case Outcome.Success<Long> gone -> done.run();
                case Outcome.Failure<Long>(Fault fault) when fault.kind() == Fault.Kind.NOT_FOUND -> done.run();
                case Outcome.Failure<Long>(Fault fault) -> revokeAgain(giveUpAt, fault, done);
                case Outcome.Unknown<Long>(Fault fault) -> revokeAgain(giveUpAt, fault, done);
            }
        });
    }

    private void revokeAgain(long giveUpAt, Fault fault, Runnable done) {
        if (ports.clock().nanoTime() - giveUpAt >= 0) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "the leadership lease could not be revoked: {0}; it ends by itself within {1} s",
                    fault.message(),
                    ttl.toSeconds());
            done.run();
            return;
        }
        ports.loop().schedule(backoff.next(), () -> revoke(giveUpAt, done));
    }
}
