package io.shardwright.control;

import io.shardwright.control.Reply.Refusal;
import io.shardwright.domain.Clock;
import io.shardwright.domain.Decider;
import io.shardwright.domain.Decision;
import io.shardwright.domain.Drains;
import io.shardwright.domain.Executor;
import io.shardwright.domain.ExecutorId;
import io.shardwright.domain.InvalidField;
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

    /** After the store refused a change. */
    private static final Duration STORE_RETRY = Duration.ofMillis(200);

    private final Clock clock;
    private final Scheduler loop;
    private final Term term;
    private final NamespaceState state;
    private final StateWriter writer;
    private final Keys keys;
    private final ControlSettings settings;
    private final ControlListener listener;
    private final Balancer balancer;
    private final Runnable termOver;
    private final NamespaceCalls calls;
    private final LeaseTimers timers;

    private Waiting inFlight = new Waiting();
    private Optional<Call<Deleted>> deletion = Optional.empty();
    private long lookedAt;
    private boolean passScheduled;
    private boolean passMissed;
    private boolean writing;
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
        this.calls = new NamespaceCalls(clock, state, this::schedulePass);
        this.timers = new LeaseTimers(around, state, this::schedulePass, this::loadsDue);
    }

    /**
     * Begins: whatever the stored state demands is done in a first pass. Leases count from here and not from the
     * reading of the state, because no renewal was taken in between (R101).
     */
    void start() {
        state.restartLeases(clock.nanoTime());
        schedulePass();
    }

    /** Returns what takes the calls of executors and routers. */
    NamespaceCalls calls() {
        return calls;
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
        timers.close();
        calls.waiting().refuseAll(notRun);
        inFlight.refuseAll(mayHaveRun);
        deletion.ifPresent(call -> call.refuse(mayHaveRun));
        deletion = Optional.empty();
        state.endStreams(notRun);
    }

    /**
     * Deletes everything that is stored of this namespace, unless executors are registered. Answers with the store
     * revision. What its fences may have seen stays stored where the store revision does not say it.
     */
    void delete(Call<Deleted> call) {
        if (!state.executors().isEmpty() || !calls.waiting().isEmpty() || writing) {
            call.refuse(new Refusal.NamespaceInUse(
                    namespace().name(), state.executors().size()));
            return;
        }
        writing = true;
        NamespaceName name = namespace().name();
        OptionalLong epochs = state.epochsAboveRevision();
        SortedMap<Bytes, Optional<Bytes>> changes = new TreeMap<>();
        changes.put(keys.namespace(name), Optional.empty());
        changes.put(keys.drains(name), Optional.empty());
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
        inFlight = calls.waiting().takeAll();
        refuseIdsInUse();
        refuseWithoutRoom();
        Situation situation =
                new Situation(table(), state.executors(), state.drains(), events(), this::load, evenOut ? 1 : 0);
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
                            call.refuse(calls.idInUse(session.id(), Duration.ofNanos(session.leaseEnd() - lookedAt)))));
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
        TreeSet<ExecutorId> lost = timers.lostExecutors(lookedAt);
        TreeMap<ExecutorId, Executor> registered = new TreeMap<>();
        TreeSet<ExecutorId> replaced = new TreeSet<>();
        inFlight.registrations.forEach((id, registration) -> {
            registered.put(id, registration.executor());
            lost.remove(id);
            predecessor(registration).ifPresent(session -> replaced.add(id));
        });
        inFlight.leaves.stream()
                .filter(leave -> calls.session(leave.caller()).isPresent())
                .map(leave -> leave.caller().id())
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
        return new Situation.Events(
                registered, replaced, lost, freed, wanted, idle, drains(), new TreeMap<>(calls.raised()));
    }

    /** The drains after all changes that wait, each of which is refused or remembered with what it changes. */
    private Optional<Drains> drains() {
        Drains drains = state.drains();
        for (Waiting.DrainCall waiting : inFlight.drains) {
            try {
                Drains after = waiting.change().apply(drains);
                inFlight.draining.add(new Waiting.Draining(difference(drains, after), waiting.call()));
                drains = after;
            } catch (InvalidField bad) {
                waiting.call().refuse(new Refusal.Invalid(bad.field(), bad.value(), bad.rule()));
            }
        }
        inFlight.drains.clear();
        return Optional.of(drains);
    }

    private static Answers.Drained difference(Drains before, Drains after) {
        TreeSet<String> changed = new TreeSet<>(before.without(after));
        changed.addAll(after.without(before));
        return new Answers.Drained(List.copyOf(changed));
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
                        case StateWriter.Result.TermOver(String why) -> termOver.run();
                    }
                }));
    }

    private void passed(SortedMap<ShardKey, Long> raisedNow) {
        writing = false;
        raisedNow.forEach(calls.raised()::remove);
        Waiting answered = inFlight;
        inFlight = new Waiting();
        long now = clock.nanoTime();
        answered.registrations.forEach((id, registration) -> state.session(id).ifPresent(session -> {
            // A record that did not change was not stored again: its lease restarts here, before the answer promises
            // one.
            session.renew(now, namespace().lease());
            calls.takeClaims(session, registration.claims());
        }));
        answered.answerAll(calls, table());
        if (passMissed || !calls.waiting().isEmpty() || !calls.raised().isEmpty()) {
            passMissed = false;
            schedulePass();
        }
        timers.arm();
    }

    private void notStored(String message) {
        writing = false;
        state.sessions().forEach(session -> session.markLost(false));
        inFlight.refuseAll(new Refusal.StoreUnavailable("the store did not take the change: " + message));
        listener.event(
                new ControlEvent.StoreTrouble(namespace().name(), "the store did not take a change: " + message));
        loop.schedule(STORE_RETRY, this::schedulePass);
    }

    private void loadsDue() {
        if (calls.takeLoadsChanged()) {
            evenOut = true;
            schedulePass();
        } else {
            timers.arm();
        }
    }
}
