package io.shardwright.control;

import io.shardwright.control.Reply.Refusal;
import io.shardwright.domain.Clock;
import io.shardwright.domain.Drains;
import io.shardwright.domain.Executor;
import io.shardwright.domain.ExecutorId;
import io.shardwright.domain.Namespace;
import io.shardwright.domain.ShardKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * What executors and routers ask of one namespace. Answers from memory what it can; the rest changes what is known of
 * an executor, or waits, and asks for a pass. All methods run on the event loop.
 */
final class NamespaceCalls {

    private final Clock clock;
    private final NamespaceState state;
    private final Runnable schedulePass;
    private final Waiting waiting = new Waiting();
    private final TreeMap<ShardKey, Long> raised = new TreeMap<>();
    private boolean loadsChanged;

    /** @param schedulePass asks for a pass, which comes after what runs now */
    NamespaceCalls(Clock clock, NamespaceState state, Runnable schedulePass) {
        this.clock = clock;
        this.state = state;
        this.schedulePass = schedulePass;
    }

    /** Returns who waits for a pass. */
    Waiting waiting() {
        return waiting;
    }

    /** Returns the epochs above the stored ones that executors reported, and that no pass has stored yet. */
    SortedMap<ShardKey, Long> raised() {
        return raised;
    }

    /** Tells whether a report of loads came since this was asked last. */
    boolean takeLoadsChanged() {
        boolean changed = loadsChanged;
        loadsChanged = false;
        return changed;
    }

    private Namespace namespace() {
        return state.namespace();
    }

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
        schedulePass.run();
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

    /** Takes what an executor says of its shards. Returns whether its set is confirmed by that. */
    boolean takeClaims(ExecutorSession session, List<Claim> claims) {
        boolean confirmed = session.report(claims, namespace().kind() instanceof Namespace.Kind.Ephemeral);
        loadsChanged = true;
        if (!confirmed) {
            for (Claim claim : claims) {
                state.table()
                        .find(claim.key())
                        .filter(shard -> claim.epoch() > shard.epoch() && claim.epoch() <= Claim.MAX_RAISE)
                        .ifPresent(shard -> {
                            raised.merge(claim.key(), claim.epoch(), Math::max);
                            schedulePass.run();
                        });
            }
            if (!session.idle().isEmpty()) {
                schedulePass.run();
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
        schedulePass.run();
    }

    void deregister(Answers.Caller caller, Call<Answers.Leaving> call) {
        if (session(caller).isEmpty() || state.leaving(caller.id())) {
            call.ok(new Answers.Leaving(toRelease(caller)));
            return;
        }
        waiting.leaves.add(new Waiting.Leave(caller, call));
        schedulePass.run();
    }

    /** The session of a process, unless its id is another one's by now. */
    Optional<ExecutorSession> session(Answers.Caller caller) {
        return state.session(caller.id()).filter(session -> session.processId().equals(caller.processId()));
    }

    List<Delivery.Entry> toRelease(Answers.Caller caller) {
        return session(caller).map(ExecutorSession::toRelease).orElse(List.of());
    }

    void create(ShardKey key, Call<Answers.Owner> call) {
        if (state.table().find(key).isPresent()) {
            call.accept(owner(key));
            return;
        }
        waiting.lookups.computeIfAbsent(key, k -> new ArrayList<>()).add(call);
        schedulePass.run();
    }

    void drain(UnaryOperator<Drains> change, Call<Answers.Drained> call) {
        waiting.drains.add(new Waiting.DrainCall(change, call));
        schedulePass.run();
    }

    Reply<Answers.Owner> owner(ShardKey key) {
        Optional<Refusal> drained = state.view().refusal(key);
        if (drained.isPresent()) {
            return Reply.refused(drained.get());
        }
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

    Refusal idInUse(ExecutorId id, Duration retryAfter) {
        return new Refusal.IdInUse(namespace().name(), id, retryAfter);
    }
}
