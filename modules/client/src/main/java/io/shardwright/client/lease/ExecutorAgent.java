package io.shardwright.client.lease;

import io.shardwright.domain.Outcome;
import io.shardwright.domain.Scheduler;
import io.shardwright.proto.v1.Assignment;
import io.shardwright.proto.v1.AssignmentDelivery;
import io.shardwright.proto.v1.DeregisterResponse;
import io.shardwright.proto.v1.RegisterResponse;
import io.shardwright.proto.v1.RenewResponse;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The life of one executor towards the shard manager.
 *
 * <pre>
 * NEW -> REGISTERING -> ACTIVE -> LEAVING -> CLOSED
 *            ^            |
 *            +------------+   forgotten by the server, or the id was taken over
 * </pre>
 *
 * <p>Renewals are sent every third of the lease whether or not earlier ones were answered, so one hanging call never
 * blocks the next. While the executor leaves it goes on renewing, so that slow stops stay covered.
 *
 * <p>Every method must be called on the event loop of the {@link AgentPorts}.
 */
public final class ExecutorAgent {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
    private static final int RENEWALS_PER_LEASE = 3;

    /** Where the executor is in its life. */
    public enum Phase {
        /** Not started. */
        NEW,
        /** Asks to be registered. */
        REGISTERING,
        /** Holds a lease, or tries to renew one that ended. */
        ACTIVE,
        /** Hands its shards over. */
        LEAVING,
        /** Does nothing any more. */
        CLOSED
    }

    /**
     * How a close ended.
     *
     * @param stillRunning shards whose processors had not stopped at the deadline
     * @param notReleased shards that stopped but whose release was not answered; they move when the lease ends
     */
    public record Closed(int stillRunning, int notReleased) {}

    private final AgentPorts ports;
    private final AgentListener listener;
    private final Requests requests;
    private final Grants grants;
    private final Releases releases;
    private final ShardRuns runs;
    private final AssignmentWatch watch;
    private final Backoff registerBackoff;
    private Backoff renewBackoff;

    private Phase phase = Phase.NEW;
    private Duration lease = Duration.ofSeconds(15);
    private long lastRegistration;
    private boolean registerInFlight;
    private boolean forcedRenewal;
    private String streamIncarnation = "";
    private boolean deregistered;
    private Consumer<Closed> onClosed = closed -> {};
    private Scheduler.@Nullable Timer timer;
    private long timerAt;
    private Scheduler.@Nullable Timer closeTimer;
    private Scheduler.@Nullable Timer goodbyeTimer;

    public ExecutorAgent(LeaseSettings settings, AgentPorts ports, AgentListener listener) {
        this.ports = ports;
        this.listener = listener;
        this.requests = new Requests(settings);
        this.grants = new Grants(settings.clockTolerance());
        this.releases = new Releases(requests, ports, this::closeIfDone);
        this.runs = new ShardRuns(ports, settings, grants, releases, listener);
        this.runs.onIdle(() -> at(Duration.ZERO, this::renewOnTime));
        this.watch = new AssignmentWatch(ports, requests, this::onDelivery);
        this.registerBackoff = new Backoff(ports.random(), FIRST_PAUSE, LONGEST_PAUSE);
        this.renewBackoff = new Backoff(ports.random(), FIRST_PAUSE, LONGEST_PAUSE);
    }

    /** Returns where the executor is in its life. */
    public Phase phase() {
        return phase;
    }

    /** Returns the length of the lease that was granted last. */
    public Duration lease() {
        return lease;
    }

    /** Returns the revision of the set that was applied last; 0 before the first. */
    public long revision() {
        return grants.revision();
    }

    /** Returns the server process that is followed; empty before the first answer. */
    public String incarnation() {
        return grants.incarnation();
    }

    /** Returns phase and epoch of each shard that runs, for people. */
    public SortedMap<String, String> describeShards() {
        return runs.describe();
    }

    /** Starts to register. */
    public void start() {
        if (phase == Phase.NEW) {
            register();
        }
    }

    /** A start succeeded. */
    public void started(Ownership shard) {
        runs.started(shard);
    }

    /** A start failed; it is tried again after a pause. */
    public void startFailed(Ownership shard) {
        runs.startFailed(shard);
        closeIfDone();
    }

    /** A stop ended. */
    public void stopped(Ownership shard) {
        runs.stopped(shard);
        closeIfDone();
    }

    /**
     * Hands all shards over and leaves.
     *
     * @param deadline after this time the agent ends whatever is still open
     * @param done called once, on the event loop
     */
    public void close(Duration deadline, Consumer<Closed> done) {
        if (phase == Phase.LEAVING || phase == Phase.CLOSED) {
            return;
        }
        onClosed = done;
        boolean known = phase != Phase.NEW;
        phase = Phase.LEAVING;
        closeTimer = ports.scheduler().schedule(deadline, this::finish);
        watch.close();
        if (known) {
            // A shard that is let go before the goodbye is heard may be given to this executor again, one epoch on.
            releases.hold();
        }
        runs.close();
        if (!known) {
            deregistered = true;
        } else if (!registerInFlight) {
            deregister();
        }
        closeIfDone();
    }

    private void register() {
        phase = Phase.REGISTERING;
        registerInFlight = true;
        ShardRuns.Claims claims = runs.claims();
        long ordinal = requests.next();
        lastRegistration = ordinal;
        long sentAt = ports.clock().nanoTime();
        ports.transport()
                .register(
                        requests.register(claims.all()),
                        requests.callDeadline(),
                        outcome -> onRegistered(ordinal, sentAt, outcome));
    }

    private void onRegistered(long ordinal, long sentAt, Outcome<Transport.RegisterReply> outcome) {
        registerInFlight = false;
        if (phase == Phase.LEAVING) {
            deregister();
            return;
        }
        if (phase != Phase.REGISTERING) {
            return;
        }
        switch (outcome) {
            case Outcome.Success<Transport.RegisterReply> success -> {
                switch (success.value()) {
                    case Transport.RegisterReply.Registered registered ->
                        onLease(ordinal, sentAt, registered.response());
                    case Transport.RegisterReply.IdInUse inUse -> {
                        listener.idInUse(inUse.retryAfter());
                        at(inUse.retryAfter().plus(registerBackoff.next()), this::register);
                    }
                }
            }
            case Outcome.Failure<Transport.RegisterReply> failure -> registerAgain(failure.fault());
            case Outcome.Unknown<Transport.RegisterReply> unknown -> registerAgain(unknown.fault());
        }
    }

    private void registerAgain(Outcome.Fault fault) {
        listener.registrationFailed(fault);
        at(registerBackoff.next(), this::register);
    }

    private void onLease(long ordinal, long sentAt, RegisterResponse response) {
        registerBackoff.reset();
        phase = Phase.ACTIVE;
        newLease(response.getLeaseMillis());
        listener.registered(lease);
        if (response.hasAssignment()) {
            answered(ordinal, sentAt, response.getAssignment());
        }
        watch.open(lease);
        renewLater();
    }

    private void newLease(long millis) {
        Duration granted = Duration.ofMillis(millis);
        if (!granted.equals(lease)) {
            lease = granted;
            renewBackoff = new Backoff(ports.random(), FIRST_PAUSE, third());
        }
    }

    private Duration third() {
        return lease.dividedBy(RENEWALS_PER_LEASE);
    }

    /** Up to a twentieth early, so that executors that started together do not renew together for ever. */
    private void renewLater() {
        Duration third = third();
        int spread = (int) Math.max(1, third.toMillis() / 20);
        at(third.minusMillis(ports.random().nextInt(spread)), this::renewOnTime);
    }

    private void renewOnTime() {
        if (phase == Phase.ACTIVE || phase == Phase.LEAVING) {
            renew();
            renewLater();
        }
    }

    private void renew() {
        ShardRuns.Claims claims = runs.claims();
        long ordinal = requests.next();
        long sentAt = ports.clock().nanoTime();
        ports.transport()
                .renew(
                        requests.renew(ordinal, claims.all()),
                        third(),
                        outcome -> onRenewed(ordinal, sentAt, claims.granted(), outcome));
    }

    private void onRenewed(long ordinal, long sentAt, List<Held> claimed, Outcome<Transport.RenewReply> outcome) {
        forcedRenewal = false;
        if (phase == Phase.CLOSED) {
            return;
        }
        switch (outcome) {
            case Outcome.Success<Transport.RenewReply> success -> {
                switch (success.value()) {
                    case Transport.RenewReply.Renewed renewed ->
                        onRenewal(ordinal, sentAt, claimed, renewed.response());
                    case Transport.RenewReply.NotRegistered forgotten -> onForgotten(ordinal);
                    case Transport.RenewReply.IdInUse inUse -> onIdLost(ordinal, inUse.retryAfter());
                }
            }
            case Outcome.Failure<Transport.RenewReply> failure -> renewAgain(failure.fault());
            case Outcome.Unknown<Transport.RenewReply> unknown -> renewAgain(unknown.fault());
        }
        closeIfDone();
    }

    private void onRenewal(long ordinal, long sentAt, List<Held> claimed, RenewResponse response) {
        renewBackoff.reset();
        listener.renewed();
        newLease(response.getLeaseMillis());
        switch (response.getResultCase()) {
            case ASSIGNMENT -> answered(ordinal, sentAt, response.getAssignment());
            case CONFIRMED ->
                answered(
                        ordinal,
                        sentAt,
                        new Listing(
                                response.getConfirmed().getIncarnation(),
                                response.getConfirmed().getRevision(),
                                claimed));
            // Absent means: nothing said.
            case RESULT_NOT_SET -> {}
        }
        if (!streamIncarnation.isEmpty() && !streamIncarnation.equals(grants.incarnation())) {
            streamIncarnation = "";
            watch.reopen();
        }
    }

    private void renewAgain(Outcome.Fault fault) {
        listener.renewalFailed(fault);
        if (phase == Phase.ACTIVE || phase == Phase.LEAVING) {
            Duration pause = renewBackoff.next();
            if (ports.clock().nanoTime() + pause.toNanos() - timerAt < 0) {
                at(pause, this::renewOnTime);
            }
        }
    }

    private void onForgotten(long ordinal) {
        grants.answeredWithoutSet(ordinal);
        if (phase == Phase.LEAVING) {
            deregistered = true;
            releases.clear();
            releases.go();
        } else if (phase == Phase.ACTIVE && ordinal > lastRegistration) {
            listener.forgotten();
            watch.close();
            register();
        }
    }

    private void onIdLost(long ordinal, Duration retryAfter) {
        grants.answeredWithoutSet(ordinal);
        if (ordinal < lastRegistration) {
            return;
        }
        listener.idInUse(retryAfter);
        watch.close();
        grants.clear();
        releases.clear();
        runs.stopAll(ShardStop.ID_LOST);
        if (phase == Phase.LEAVING) {
            deregistered = true;
            releases.go();
        } else {
            phase = Phase.REGISTERING;
            at(retryAfter.plus(registerBackoff.next()), this::register);
        }
    }

    /** A set as an answer carries it. */
    private record Listing(String incarnation, long revision, List<Held> shards) {}

    private void answered(long ordinal, long sentAt, Assignment set) {
        answered(
                ordinal,
                sentAt,
                new Listing(
                        set.getIncarnation(),
                        set.getRevision(),
                        set.getShardsList().stream().map(Held::of).toList()));
    }

    private void answered(long ordinal, long sentAt, Listing set) {
        Grants.Change change = grants.answer(
                new Grants.Answer(ordinal, sentAt, lease.toNanos(), set.incarnation(), set.revision(), set.shards()));
        releases.answered(ordinal, grants, change);
        runs.apply(change);
    }

    private void onDelivery(AssignmentDelivery delivery) {
        if (phase != Phase.ACTIVE) {
            return;
        }
        switch (delivery.getKindCase()) {
            case ASSIGNMENT -> {
                Assignment set = delivery.getAssignment();
                streamIncarnation = set.getIncarnation();
                Grants.Change change = grants.push(
                        set.getIncarnation(),
                        set.getRevision(),
                        set.getShardsList().stream().map(Held::of).toList());
                if (change instanceof Grants.Change.Foreign) {
                    askWhoIsInCharge();
                } else {
                    runs.apply(change);
                }
            }
            case BEAT -> {
                streamIncarnation = delivery.getBeat().getIncarnation();
                if (!streamIncarnation.equals(grants.incarnation())) {
                    askWhoIsInCharge();
                }
            }
            // Absent means: nothing said.
            case KIND_NOT_SET -> {}
        }
    }

    private void askWhoIsInCharge() {
        if (!forcedRenewal) {
            renewOnTime();
            forcedRenewal = true;
        }
    }

    private void deregister() {
        if (phase != Phase.LEAVING || deregistered) {
            return;
        }
        ports.transport().deregister(requests.deregister(), requests.callDeadline(), this::onDeregistered);
    }

    private void onDeregistered(Outcome<DeregisterResponse> outcome) {
        if (phase != Phase.LEAVING) {
            return;
        }
        switch (outcome) {
            case Outcome.Success<DeregisterResponse> success -> {
                deregistered = true;
                runs.releaseUnlessRunning(success.value().getToReleaseList().stream()
                        .map(Held::of)
                        .toList());
            }
            case Outcome.Failure<DeregisterResponse> failure -> {
                if (failure.fault().kind() == Outcome.Fault.Kind.NOT_FOUND) {
                    deregistered = true;
                    releases.clear();
                } else {
                    deregisterAgain();
                }
            }
            case Outcome.Unknown<DeregisterResponse> unknown -> deregisterAgain();
        }
        // After the first answer of any kind: the goodbye must not cost a hand-over its release.
        releases.go();
        closeIfDone();
    }

    private void deregisterAgain() {
        goodbyeTimer = ports.scheduler().schedule(registerBackoff.next(), this::deregister);
    }

    private void closeIfDone() {
        if (phase == Phase.LEAVING && deregistered && runs.isEmpty() && releases.allAnswered()) {
            finish();
        }
    }

    private void finish() {
        if (phase == Phase.CLOSED) {
            return;
        }
        phase = Phase.CLOSED;
        if (timer != null) {
            timer.cancel();
        }
        if (closeTimer != null) {
            closeTimer.cancel();
        }
        if (goodbyeTimer != null) {
            goodbyeTimer.cancel();
        }
        watch.close();
        runs.revokeAll();
        int notReleased = releases.unanswered();
        releases.close();
        onClosed.accept(new Closed(runs.count(), notReleased));
    }

    private void at(Duration pause, Runnable action) {
        if (timer != null) {
            timer.cancel();
        }
        timerAt = ports.clock().nanoTime() + pause.toNanos();
        timer = ports.scheduler().schedule(pause, action);
    }
}
