package io.shardwright.control;

import io.shardwright.control.Reply.Refusal;
import io.shardwright.domain.Clock;
import io.shardwright.domain.Decider;
import io.shardwright.domain.Decision;
import io.shardwright.domain.Executor;
import io.shardwright.domain.ExecutorId;
import io.shardwright.domain.Namespace;
import io.shardwright.domain.NamespaceName;
import io.shardwright.domain.Scheduler;
import io.shardwright.domain.Shard;
import io.shardwright.domain.ShardKey;
import io.shardwright.domain.ShardTable;
import io.shardwright.domain.Situation;
import io.shardwright.domain.balance.Balancer;
import io.shardwright.election.Term;
import io.shardwright.persistence.Bytes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The state machine of one namespace during one term of leadership. All methods run on the event loop.
 *
 * <p>The cycle: calls and timers change only what this leader knows of its executors ({@link ExecutorSession}) and who
 * waits; then one <em>pass</em> asks the {@link Decider} what follows, stores it, applies exactly what was stored
 * ({@link NamespaceState}), and only then tells anybody. One pass runs at a time, and what comes in meanwhile goes into
 * the next one, so a burst of calls costs a few transactions. A renewal that matches needs no pass at all.
 */
final class NamespaceControl {

    private static final System.Logger LOG = System.getLogger(NamespaceControl.class.getName());

    /** How often loads are looked at for a move that only evens them out (floor 1.7: period 1 s). */
    private static final Duration LOAD_PERIOD = Duration.ofSeconds(1);

    /** After the store refused a change. */
    private static final Duration STORE_RETRY = Duration.ofMillis(200);

    /**
     * How long the shards of a silent process stay reserved for its successor that asked for the id (B5). It asks again
     * right at the lease end.
     */
    private static final Duration SUCCESSOR_GRACE = Duration.ofSeconds(1);

    private final Clock clock;
    private final Scheduler loop;
    private final Term term;
    private final NamespaceState state;
    private final StateWriter writer;
    private final Keys keys;
    private final ControlSettings settings;
    private final ControlListener listener;
    private final Balancer balancer;
    private final LossGuard lossGuard;
    private final Runnable termOver;
    private final TreeMap<ShardKey, Long> raised = new TreeMap<>();

    private final Waiting waiting = new Waiting();
    private Waiting inFlight = new Waiting();
    private Optional<Call<Deleted>> deletion = Optional.empty();
    private Optional<Scheduler.Timer> timer = Optional.empty();
    private long timerDue;
    private long lookedAt;
    private boolean passScheduled;
    private boolean passMissed;
    private boolean writing;
    private boolean loadsChanged;
    private boolean loadTimer;
    private boolean evenOut;
    private boolean closed;

    /** The end of a namespace: the store revision, and its highest epoch where that is above the revision. */
    record Deleted(long revision, OptionalLong epochs) {}

    /** What a namespace needs from around it. */
    record Surroundings(
            Clock clock, Scheduler loop, Term term, Keys keys, ControlSettings settings, ControlListener listener) {}

    NamespaceControl(
            Surroundings around, NamespaceState state, StateWriter writer, Balancer balancer, Runnable termOver) {
        this.clock = around.clock();
        this.loop = around.loop();
        this.term = around.term();
        this.keys = around.keys();
        this.settings = around.settings();
        this.listener = around.listener();
        this.state = state;
        this.writer = writer;
        this.balancer = balancer;
        this.termOver = termOver;
        this.lossGuard =
                new LossGuard(settings.massLossShare(), state.namespace().lease());
    }

    /**
     * Begins: whatever the stored state demands is done in a first pass. Leases count from here and not from the
     * reading of the state, because no renewal was taken in between (R101).
     */
    void start() {
        state.restartLeases(clock.nanoTime());
        schedulePass();
    }

    NamespaceState state() {
        return state;
    }

    ShardTable table() {
        return state.table();
    }

    private Namespace namespace() {
        return state.namespace();
    }

    /** Tells whether this process may still decide and promise (R179). */
    boolean believes() {
        return term.believes(clock.nanoTime());
    }

    /**
     * Nothing more is decided; whoever waits is refused.
     *
     * @param notRun for calls that did not begin to be stored
     * @param mayHaveRun for the others
     */
    void close(Refusal notRun, Refusal mayHaveRun) {
        closed = true;
        writer.close();
        timer.ifPresent(Scheduler.Timer::cancel);
        waiting.refuseAll(notRun);
        inFlight.refuseAll(mayHaveRun);
        deletion.ifPresent(call -> call.refuse(mayHaveRun));
        deletion = Optional.empty();
        state.endStreams(notRun);
    }

    // ------------------------------------------------------------------ calls

    void register(Executor executor, List<Claim> claims, Call<Answers.Registered> call) {
        long now = clock.nanoTime();
        Optional<ExecutorSession> known = state.session(executor.id());
        if (known.isPresent()) {
            ExecutorSession session = known.get();
            boolean same = session.processId().equals(executor.processId());
            if (same && !session.lost() && executor.equals(state.executors().get(executor.id()))) {
                session.renew(now, namespace().lease());
                takeClaims(session, claims);
                call.accept(registered(executor.id()));
                return;
            }
            if (!same && !session.lost() && now - session.leaseEnd() < 0) {
                session.wantedBy(new ExecutorSession.Successor(executor.processId(), now));
                call.refuse(idInUse(executor.id(), Duration.ofNanos(session.leaseEnd() - now)));
                return;
            }
        }
        Waiting.Registration other = waiting.registrations.get(executor.id());
        if (other != null && !other.executor().processId().equals(executor.processId())) {
            call.refuse(idInUse(executor.id(), namespace().lease()));
            return;
        }
        List<Call<Answers.Registered>> calls = other == null ? new ArrayList<>() : other.calls();
        calls.add(call);
        waiting.registrations.put(executor.id(), new Waiting.Registration(executor, claims, calls));
        schedulePass();
    }

    Reply<Answers.Registered> registered(ExecutorId id) {
        return state.session(id)
                .filter(session -> !session.lost())
                .map(session -> Reply.ok(new Answers.Registered(namespace().lease(), state.delivery(session))))
                .orElseGet(() ->
                        Reply.refused(new Refusal.NotRegistered(namespace().name(), id)));
    }

    void renew(Answers.Caller caller, long sequence, List<Claim> claims, Call<Answers.Renewed> call) {
        Optional<ExecutorSession> found = current(caller, call);
        if (found.isEmpty()) {
            return;
        }
        ExecutorSession session = found.get();
        if (!session.advance(sequence)) {
            call.ok(new Answers.Renewed(namespace().lease(), false, state.delivery(session)));
            return;
        }
        session.renew(clock.nanoTime(), namespace().lease());
        boolean confirmed = takeClaims(session, claims);
        Delivery delivery = confirmed ? state.confirmation() : state.delivery(session);
        call.ok(new Answers.Renewed(namespace().lease(), confirmed, delivery));
    }

    private boolean takeClaims(ExecutorSession session, List<Claim> claims) {
        boolean confirmed = session.report(claims, namespace().kind() instanceof Namespace.Kind.Ephemeral);
        loadsChanged = true;
        if (!confirmed) {
            for (Claim claim : claims) {
                table().find(claim.key())
                        .filter(shard -> claim.epoch() > shard.epoch() && claim.epoch() <= Claim.MAX_RAISE)
                        .ifPresent(shard -> {
                            raised.merge(claim.key(), claim.epoch(), Math::max);
                            schedulePass();
                        });
            }
            if (!session.idle().isEmpty()) {
                schedulePass();
            }
        }
        return confirmed;
    }

    void watch(Answers.Caller caller, AssignmentListener stream) {
        Optional<ExecutorSession> found = current(caller, refused -> {
            if (refused instanceof Reply.Refused<Object>(Refusal why)) {
                stream.ended(why);
            }
        });
        found.ifPresent(session -> {
            session.stream().ifPresent(old -> old.ended(new Refusal.Replaced()));
            session.stream(Optional.of(stream));
            stream.deliver(state.delivery(session));
        });
    }

    void unwatch(ExecutorId id, AssignmentListener stream) {
        state.session(id)
                .filter(session -> session.stream().equals(Optional.of(stream)))
                .ifPresent(session -> session.stream(Optional.empty()));
    }

    void release(Answers.Caller caller, List<Delivery.Entry> shards, Call<Answers.Released> call) {
        Optional<ExecutorSession> found = current(caller, call);
        if (found.isEmpty()) {
            return;
        }
        List<ShardKey> notHeld = new ArrayList<>();
        List<Delivery.Entry> held = new ArrayList<>();
        for (Delivery.Entry shard : shards) {
            if (found.get().release(shard.key(), shard.epoch())) {
                held.add(shard);
            } else {
                notHeld.add(shard.key());
            }
        }
        if (held.isEmpty()) {
            call.ok(new Answers.Released(notHeld));
            return;
        }
        waiting.releases.add(new Waiting.Release(caller.id(), held, notHeld, call));
        schedulePass();
    }

    void deregister(Answers.Caller caller, Call<Answers.Leaving> call) {
        Optional<ExecutorSession> session = state.session(caller.id());
        if (session.isEmpty() || !session.get().processId().equals(caller.processId())) {
            call.ok(new Answers.Leaving(List.of()));
            return;
        }
        if (state.leaving(caller.id())) {
            call.ok(new Answers.Leaving(toRelease(caller.id())));
            return;
        }
        waiting.leaves.computeIfAbsent(caller.id(), id -> new ArrayList<>()).add(call);
        schedulePass();
    }

    List<Delivery.Entry> toRelease(ExecutorId id) {
        return state.session(id).map(ExecutorSession::toRelease).orElse(List.of());
    }

    void create(ShardKey key, Call<Answers.Owner> call) {
        if (table().find(key).isPresent()) {
            call.accept(owner(key));
            return;
        }
        waiting.lookups.computeIfAbsent(key, k -> new ArrayList<>()).add(call);
        schedulePass();
    }

    Reply<Answers.Owner> owner(ShardKey key) {
        return state.view()
                .table()
                .find(key)
                .<Reply<Answers.Owner>>map(shard -> Reply.ok(new Answers.Owner(
                        shard,
                        shard.owner()
                                .flatMap(id ->
                                        Optional.ofNullable(state.executors().get(id))),
                        state.view().revision())))
                .orElseGet(
                        () -> Reply.refused(new Refusal.NoExecutors(namespace().name())));
    }

    /**
     * Deletes everything that is stored of this namespace, unless executors are registered. Answers with the store
     * revision. What its fences may have seen stays stored where the store revision does not say it.
     */
    void delete(Call<Deleted> call) {
        if (!state.executors().isEmpty() || !waiting.isEmpty() || writing) {
            call.refuse(new Refusal.NamespaceInUse(
                    namespace().name(), state.executors().size()));
            return;
        }
        writing = true;
        NamespaceName name = namespace().name();
        OptionalLong epochs = state.epochsAboveRevision();
        SortedMap<Bytes, Optional<Bytes>> changes = new TreeMap<>();
        changes.put(keys.namespace(name), Optional.empty());
        epochs.ifPresent(highest -> changes.put(
                keys.epochs(name), Optional.of(StateCodec.encode(new StateCodec.EpochsRecord(name, highest)))));
        deletion = Optional.of(call);
        writer.wipe(changes, List.of(keys.executors(name), keys.segments(name)), result -> {
            deletion = Optional.empty();
            switch (result) {
                case StateWriter.Result.Stored(long revision) -> call.ok(new Deleted(revision, epochs));
                case StateWriter.Result.NotStored(var fault) -> {
                    call.refuse(new Refusal.StoreUnavailable(fault.message()));
                    notStored(fault.message());
                }
                case StateWriter.Result.TermOver(String why) -> {
                    call.refuse(new Refusal.LeadershipLost(why));
                    termOver.run();
                }
            }
        });
    }

    private <T> Optional<ExecutorSession> current(Answers.Caller caller, Call<T> call) {
        Optional<ExecutorSession> session = state.session(caller.id());
        if (session.isEmpty() || session.get().lost()) {
            call.refuse(new Refusal.NotRegistered(namespace().name(), caller.id()));
            return Optional.empty();
        }
        if (!session.get().processId().equals(caller.processId())) {
            call.refuse(idInUse(
                    caller.id(), Duration.ofNanos(Math.max(0, session.get().leaseEnd() - clock.nanoTime()))));
            return Optional.empty();
        }
        return session;
    }

    private Refusal idInUse(ExecutorId id, Duration retryAfter) {
        return new Refusal.IdInUse(namespace().name(), id, retryAfter);
    }

    // ------------------------------------------------------------------ passes

    private void schedulePass() {
        if (!passScheduled && !closed) {
            passScheduled = true;
            loop.execute(this::pass);
        }
    }

    private void pass() {
        passScheduled = false;
        if (writing || closed) {
            passMissed = writing;
            return;
        }
        if (!believes()) {
            termOver.run();
            return;
        }
        unlessBroken(this::decide);
    }

    /**
     * A fault of ours must not leave calls unanswered and a namespace that confirms leases but decides nothing: the
     * term ends, and the next begins from what is stored.
     */
    private void unlessBroken(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException bug) {
            LOG.log(
                    System.Logger.Level.ERROR,
                    "namespace " + namespace().name() + ": the decision failed; the term ends",
                    bug);
            termOver.run();
        }
    }

    private void decide() {
        lookedAt = clock.nanoTime();
        inFlight = waiting.takeAll();
        refuseIdsInUse();
        refuseWithoutRoom();
        Situation situation = new Situation(table(), state.executors(), events(), this::load, evenOut ? 1 : 0);
        evenOut = false;
        Decision decision = Decider.decide(situation, balancer);
        Situation.Events events = situation.events();
        events.lost().forEach(id -> state.session(id).ifPresent(session -> session.markLost(true)));
        events.replaced().forEach(id -> state.session(id).ifPresent(session -> session.markLost(true)));
        state.explain(decision.transitions());
        writing = true;
        write(Chunks.of(state.view(), decision.change(), keys, settings).iterator(), events.raised());
    }

    /** A process that renewed after somebody else had asked for its id keeps it. */
    private void refuseIdsInUse() {
        inFlight.registrations.values().removeIf(registration -> {
            Optional<ExecutorSession> holder =
                    predecessor(registration).filter(session -> !session.lost() && lookedAt - session.leaseEnd() < 0);
            holder.ifPresent(session -> registration
                    .calls()
                    .forEach(call ->
                            call.refuse(idInUse(session.id(), Duration.ofNanos(session.leaseEnd() - lookedAt)))));
            return holder.isPresent();
        });
    }

    /** A segment must fit one request of the store, or nothing of it could be decided any more. */
    private void refuseWithoutRoom() {
        SegmentRoom room = new SegmentRoom(table(), settings.maxRequestBytes());
        inFlight.lookups.entrySet().removeIf(lookup -> {
            ShardKey key = lookup.getKey();
            boolean refused = table().find(key).isEmpty() && !room.take(key);
            if (refused) {
                Refusal full =
                        new Refusal.NamespaceFull(namespace().name(), key, table().size(), settings.maxRequestBytes());
                lookup.getValue().forEach(call -> call.refuse(full));
            }
            return refused;
        });
    }

    private Optional<ExecutorSession> predecessor(Waiting.Registration registration) {
        return state.session(registration.executor().id())
                .filter(session ->
                        !session.processId().equals(registration.executor().processId()));
    }

    private Situation.Events events() {
        TreeSet<ExecutorId> lost = lostExecutors(lookedAt);
        TreeMap<ExecutorId, Executor> registered = new TreeMap<>();
        TreeSet<ExecutorId> replaced = new TreeSet<>();
        inFlight.registrations.forEach((id, registration) -> {
            registered.put(id, registration.executor());
            lost.remove(id);
            predecessor(registration).ifPresent(session -> replaced.add(id));
        });
        inFlight.leaves
                .keySet()
                .forEach(id -> Optional.ofNullable(state.executors().get(id))
                        .ifPresent(
                                executor -> registered.putIfAbsent(id, executor.withStatus(Executor.Status.LEAVING))));
        TreeSet<ShardKey> freed = new TreeSet<>();
        TreeSet<ShardKey> idle = new TreeSet<>();
        state.sessions().forEach(session -> {
            if (!replaced.contains(session.id())) {
                session.collectFreed(lookedAt, freed);
                idle.addAll(session.idle());
            }
        });
        TreeSet<ShardKey> wanted = new TreeSet<>(inFlight.lookups.keySet());
        return new Situation.Events(registered, replaced, lost, freed, wanted, idle, new TreeMap<>(raised));
    }

    private TreeSet<ExecutorId> lostExecutors(long now) {
        TreeSet<ExecutorId> silent = new TreeSet<>();
        state.sessions().forEach(session -> {
            if (now - lossMoment(session) >= 0) {
                silent.add(session.id());
            }
        });
        return switch (lossGuard.judge(silent.size(), state.executors().size(), now)) {
            case ACT -> silent;
            case HOLD_BACK_FROM_NOW -> {
                listener.event(new ControlEvent.LossHeldBack(
                        namespace().name(),
                        silent.size(),
                        "more than the allowed share of the executors is silent at once"));
                yield new TreeSet<>();
            }
            case HOLD_BACK -> new TreeSet<>();
        };
    }

    private long lossMoment(ExecutorSession session) {
        boolean awaited = session.successor()
                .filter(other -> session.leaseEnd() - other.lastAskedAt()
                        <= namespace().lease().toNanos())
                .isPresent();
        return awaited ? session.leaseEnd() + SUCCESSOR_GRACE.toNanos() : session.leaseEnd();
    }

    private OptionalDouble load(Shard shard) {
        return shard.owner()
                .flatMap(state::session)
                .map(s -> s.load(shard.key()))
                .orElse(OptionalDouble.empty());
    }

    private void write(Iterator<Chunks.Chunk> rest, SortedMap<ShardKey, Long> raisedNow) {
        if (!rest.hasNext()) {
            passed(raisedNow);
            return;
        }
        Chunks.Chunk chunk = rest.next();
        writer.write(
                chunk.writes(),
                result -> unlessBroken(() -> {
                    switch (result) {
                        case StateWriter.Result.Stored(long revision) -> {
                            state.apply(chunk.change(), revision, clock.nanoTime());
                            write(rest, raisedNow);
                        }
                        case StateWriter.Result.NotStored(var fault) -> notStored(fault.message());
                        case StateWriter.Result.TermOver(String why) -> {
                            listener.event(
                                    new ControlEvent.StoreTrouble(namespace().name(), why));
                            termOver.run();
                        }
                    }
                }));
    }

    private void passed(SortedMap<ShardKey, Long> raisedNow) {
        writing = false;
        raisedNow.forEach(raised::remove);
        Waiting answered = inFlight;
        inFlight = new Waiting();
        long now = clock.nanoTime();
        answered.registrations.forEach((id, registration) -> state.session(id).ifPresent(session -> {
            // A record that did not change was not stored again: its lease restarts here, before the answer promises
            // one.
            session.renew(now, namespace().lease());
            takeClaims(session, registration.claims());
        }));
        answered.answerAll(this);
        if (passMissed || !waiting.isEmpty() || !raised.isEmpty()) {
            passMissed = false;
            schedulePass();
        }
        armTimers();
    }

    private void notStored(String message) {
        writing = false;
        state.sessions().forEach(session -> session.markLost(false));
        inFlight.refuseAll(new Refusal.StoreUnavailable("the store did not take the change: " + message));
        listener.event(new ControlEvent.StoreTrouble(namespace().name(), message));
        loop.schedule(STORE_RETRY, this::schedulePass);
    }

    // ------------------------------------------------------------------ timers

    private void armTimers() {
        if (closed) {
            return;
        }
        Optional<Long> due = Optional.empty();
        for (ExecutorSession session : state.sessions()) {
            due = earlier(due, lossMoment(session));
            if (session.nextHoldEnd().isPresent()) {
                due = earlier(due, session.nextHoldEnd().get());
            }
        }
        Optional<Long> heldBack = lossGuard.heldBackUntil();
        if (heldBack.isPresent()) {
            due = earlier(due, heldBack.get());
        }
        if (due.isPresent() && (timer.isEmpty() || due.get() - timerDue < 0)) {
            timer.ifPresent(Scheduler.Timer::cancel);
            timerDue = due.get();
            timer = Optional.of(
                    loop.schedule(Duration.ofNanos(Math.max(0, timerDue - clock.nanoTime())), this::leaseTimer));
        }
        if (!loadTimer && !state.executors().isEmpty()) {
            loadTimer = true;
            loop.schedule(LOAD_PERIOD, this::loadTimer);
        }
    }

    /**
     * The earlier of two moments. One that the last pass looked at already is over, or held back until
     * {@link LossGuard} lets it through.
     */
    private Optional<Long> earlier(Optional<Long> due, long moment) {
        if (moment - lookedAt <= 0) {
            return due;
        }
        return due.isEmpty() || moment - due.get() < 0 ? Optional.of(moment) : due;
    }

    private void leaseTimer() {
        timer = Optional.empty();
        if (closed) {
            return;
        }
        long now = clock.nanoTime();
        if (lossGuard.stoodStill(timerDue, now)) {
            listener.event(new ControlEvent.LossHeldBack(
                    namespace().name(), state.executors().size(), "this process stood still past a lease check"));
            state.sessions()
                    .forEach(session -> session.extend(now + namespace().lease().toNanos()));
        }
        schedulePass();
    }

    private void loadTimer() {
        loadTimer = false;
        if (closed) {
            return;
        }
        if (loadsChanged) {
            loadsChanged = false;
            evenOut = true;
            schedulePass();
        } else {
            armTimers();
        }
    }
}
