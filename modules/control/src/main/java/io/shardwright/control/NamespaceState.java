package io.shardwright.control;

import io.shardwright.domain.Change;
import io.shardwright.domain.Decision;
import io.shardwright.domain.Drains;
import io.shardwright.domain.Executor;
import io.shardwright.domain.ExecutorId;
import io.shardwright.domain.Namespace;
import io.shardwright.domain.Shard;
import io.shardwright.domain.ShardKey;
import io.shardwright.domain.ShardTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The image of a namespace's stored state, and what hangs on it: sessions, streams, the published view, the reasons.
 *
 * <p>Only {@link #apply} changes the image, and only after the change was stored; it then tells everybody whom the
 * change concerns. Runs on the event loop, except {@link #view}.
 */
final class NamespaceState {

    /** Reasons that are remembered, newest first; older ones only cost memory. */
    private static final int MAX_REASONS = 20_000;

    private final String incarnation;
    private final ControlListener listener;
    private final Duration patience;
    private final TreeMap<ExecutorId, ExecutorSession> sessions = new TreeMap<>();
    private final LinkedHashMap<ShardKey, Long> unassignedSince = new LinkedHashMap<>();
    private final LinkedHashMap<ShardKey, String> reasons = new LinkedHashMap<>();

    // Written on the event loop, read by every thread that looks shards up.
    private volatile NamespaceView view;

    NamespaceState(String incarnation, ControlListener listener, NamespaceView stored, long now, Duration patience) {
        this.incarnation = incarnation;
        this.listener = listener;
        this.view = stored;
        this.patience = patience;
        stored.executors().forEach((id, executor) -> sessions.put(id, new ExecutorSession(executor, now, patience)));
        stored.table().forEach(shard -> {
            shard.owner().flatMap(this::session).ifPresent(s -> s.follow(shard, OptionalDouble.empty()));
            if (lacksOwner(shard)) {
                unassignedSince.put(shard.key(), now);
            }
        });
    }

    /** Tells whether nobody has a shard that somebody should have. */
    private boolean lacksOwner(Shard shard) {
        return shard.owner().isEmpty() && !drains().drained(shard.key());
    }

    /** Gives every executor that is kept a full lease from now on, as long as any that it was ever told (R90, R101). */
    void restartLeases(long now) {
        sessions.values().forEach(session -> session.renew(now, patience));
    }

    /** Returns the stored state. Any thread may call this. */
    NamespaceView view() {
        return view;
    }

    Namespace namespace() {
        return view.namespace();
    }

    ShardTable table() {
        return view.table();
    }

    SortedMap<ExecutorId, Executor> executors() {
        return view.executors();
    }

    Drains drains() {
        return view.drains();
    }

    /**
     * Returns the highest epoch of any shard, also of forgotten ones, if it is above the revision: one that an executor
     * reported, because all others cost a revision each.
     */
    OptionalLong epochsAboveRevision() {
        long highest = 0;
        for (int id = 0; id < table().segmentCount(); id++) {
            highest = Math.max(highest, table().segment(id).epochFloor());
        }
        long[] found = {highest};
        table().forEach(shard -> found[0] = Math.max(found[0], shard.epoch()));
        return found[0] > view.revision() ? OptionalLong.of(found[0]) : OptionalLong.empty();
    }

    Optional<ExecutorSession> session(ExecutorId id) {
        return Optional.ofNullable(sessions.get(id));
    }

    Collection<ExecutorSession> sessions() {
        return Collections.unmodifiableCollection(sessions.values());
    }

    /** The set of an executor, as it is stored. */
    Delivery delivery(ExecutorSession session) {
        return new Delivery(incarnation, view.revision(), session.entries());
    }

    /** Names the state that a confirmed renewal was compared with. */
    Delivery confirmation() {
        return new Delivery(incarnation, view.revision(), List.of());
    }

    /** Remembers why shards are about to change; the end of a move keeps the reason that began it. */
    void explain(List<Decision.Transition> transitions) {
        for (Decision.Transition transition : transitions) {
            ShardKey key = transition.after().key();
            String began = reasons.remove(key);
            boolean ends = transition
                    .before()
                    .filter(s -> s.state() instanceof Shard.State.Releasing)
                    .isPresent();
            reasons.put(key, ends && began != null ? began + "; " + transition.reason() : transition.reason());
        }
        while (reasons.size() > MAX_REASONS) {
            reasons.remove(reasons.keySet().iterator().next());
        }
    }

    Optional<String> reason(ShardKey key) {
        return Optional.ofNullable(reasons.get(key));
    }

    /** Takes over a change that was stored at {@code revision}, then tells executors, routers and listeners. */
    void apply(Change change, long revision, long now) {
        NamespaceView before = view;
        TreeMap<ExecutorId, Executor> executors = new TreeMap<>(before.executors());
        executors.putAll(change.executors());
        change.goneExecutors().forEach(executors::remove);
        ShardTable table = before.table().with(change.shards(), change.goneShards());
        view = before.with(table)
                .with(executors)
                .with(change.drains().orElse(before.drains()))
                .at(revision);
        change.drains().ifPresent(after -> watchOver(before.drains(), after, now));
        change.executors().forEach((id, executor) -> openSession(executor, now));
        TreeSet<ExecutorId> concerned = follow(before.table(), change, now);
        TreeSet<ExecutorId> lost = new TreeSet<>(change.goneExecutors());
        lost.removeIf(id -> !session(id).map(ExecutorSession::lost).orElse(true));
        change.goneExecutors().forEach(id -> closeSession(id, before));
        for (ExecutorId id : concerned) {
            session(id)
                    .filter(session -> !session.lost())
                    .ifPresent(session -> session.stream().ifPresent(s -> s.deliver(delivery(session))));
        }
        tell(before, change, lost);
        listener.viewChanged(Optional.of(before), Optional.of(view));
    }

    private void watchOver(Drains before, Drains after, long now) {
        after.shards().keySet().forEach(unassignedSince::remove);
        before.shards().keySet().stream()
                .flatMap(key -> table().find(key).stream())
                .filter(this::lacksOwner)
                .forEach(shard -> unassignedSince.putIfAbsent(shard.key(), now));
    }

    private void openSession(Executor executor, long now) {
        ExecutorSession old = sessions.get(executor.id());
        if (old != null && old.processId().equals(executor.processId()) && !old.lost()) {
            old.renew(now, namespace().lease());
            return;
        }
        if (old != null) {
            old.stream().ifPresent(stream -> stream.ended(new Reply.Refusal.Replaced()));
        }
        ExecutorSession session = new ExecutorSession(executor, now, namespace().lease());
        sessions.put(executor.id(), session);
        table().ownedBy(executor.id()).forEach(shard -> session.follow(shard, OptionalDouble.empty()));
    }

    private void closeSession(ExecutorId id, NamespaceView before) {
        ExecutorSession session = sessions.remove(id);
        if (session != null) {
            session.stream()
                    .ifPresent(s -> s.ended(
                            new Reply.Refusal.NotRegistered(before.namespace().name(), id)));
        }
    }

    private TreeSet<ExecutorId> follow(ShardTable before, Change change, long now) {
        TreeSet<ExecutorId> concerned = new TreeSet<>();
        for (ShardKey key : change.goneShards()) {
            unassignedSince.remove(key);
            before.find(key).flatMap(Shard::owner).flatMap(this::session).ifPresent(session -> {
                if (session.forget(key)) {
                    concerned.add(session.id());
                }
            });
        }
        for (Shard shard : change.shards()) {
            Optional<ExecutorSession> from =
                    before.find(shard.key()).flatMap(Shard::owner).flatMap(this::session);
            OptionalDouble load = from.map(s -> s.load(shard.key())).orElse(OptionalDouble.empty());
            Optional<ExecutorSession> to = shard.owner().flatMap(this::session);
            from.filter(session -> session.follow(shard, load)).ifPresent(s -> concerned.add(s.id()));
            to.filter(session -> session.follow(shard, load)).ifPresent(s -> concerned.add(s.id()));
            if (lacksOwner(shard)) {
                unassignedSince.putIfAbsent(shard.key(), now);
            } else {
                unassignedSince.remove(shard.key());
            }
        }
        return concerned;
    }

    private void tell(NamespaceView before, Change change, Set<ExecutorId> lost) {
        var name = before.namespace().name();
        change.drains().ifPresent(after -> listener.event(new ControlEvent.Drained(name, before.drains(), after)));
        change.executors()
                .forEach((id, executor) -> listener.event(
                        executor.status() == Executor.Status.LEAVING
                                ? new ControlEvent.ExecutorLeaving(name, id)
                                : new ControlEvent.ExecutorRegistered(
                                        name, executor, before.executors().containsKey(id))));
        change.goneShards()
                .forEach(key -> before.table()
                        .find(key)
                        .ifPresent(shard -> listener.event(new ControlEvent.ShardForgotten(name, shard))));
        for (Shard shard : change.shards()) {
            listener.event(new ControlEvent.ShardChanged(
                    name,
                    before.table().find(shard.key()),
                    shard,
                    reason(shard.key()).orElse("")));
        }
        change.goneExecutors()
                .forEach(id -> listener.event(new ControlEvent.ExecutorGone(name, id, lost.contains(id))));
    }

    /** Tells whether an executor hands its shards over. */
    boolean leaving(ExecutorId id) {
        Executor executor = executors().get(id);
        return executor != null && executor.status() == Executor.Status.LEAVING;
    }

    /** Ends every stream. */
    void endStreams(Reply.Refusal why) {
        for (ExecutorSession session : sessions.values()) {
            session.stream().ifPresent(stream -> stream.ended(why));
            session.stream(Optional.empty());
        }
    }

    // ------------------------------------------------------------------ figures

    Answers.NamespaceDetails details(long now) {
        int[] releasing = new int[1];
        table().forEach(shard -> releasing[0] += shard.state() instanceof Shard.State.Releasing ? 1 : 0);
        Duration oldest = unassignedSince.isEmpty()
                ? Duration.ZERO
                : Duration.ofNanos(now - unassignedSince.values().iterator().next());
        return new Answers.NamespaceDetails(
                namespace(),
                executors().size(),
                table().size(),
                unassignedSince.size(),
                releasing[0],
                oldest,
                view.revision());
    }

    Answers.ExecutorDetails details(ExecutorSession session, long now) {
        Executor executor = Objects.requireNonNull(executors().get(session.id()), "a session has a stored executor");
        return new Answers.ExecutorDetails(
                executor,
                Duration.ofNanos(Math.max(0, session.leaseEnd() - now)),
                Duration.ofNanos(now - session.renewedAt()),
                session.listedCount(),
                session.holdCount(),
                session.totalLoad(),
                Optional.ofNullable(drains().hosts().get(executor.host())));
    }

    Answers.ShardDetails details(Shard shard) {
        Optional<ExecutorSession> session = shard.owner().flatMap(this::session);
        // A shard that is being released is not in the executor's set any more.
        Optional<Claim.Activity> activity = session.map(
                s -> s.held(shard.key()).map(ExecutorSession.Held::activity).orElse(Claim.Activity.STOPPING));
        return new Answers.ShardDetails(
                shard,
                shard.owner().flatMap(id -> Optional.ofNullable(executors().get(id))),
                session.map(s -> s.load(shard.key())).orElse(OptionalDouble.empty()),
                activity,
                reason(shard.key()).orElse("this leader remembers no change of it"),
                Optional.ofNullable(drains().shards().get(shard.key())),
                view.revision());
    }

    /** What is drained, and what is left to hand over. */
    Answers.DrainList drainList() {
        TreeMap<String, Answers.DrainedHost> hosts = new TreeMap<>();
        drains().hosts().forEach((host, drain) -> hosts.put(host, new Answers.DrainedHost(host, drain, 0, 0)));
        for (ExecutorSession session : sessions.values()) {
            Executor executor =
                    Objects.requireNonNull(executors().get(session.id()), "a session has a stored executor");
            hosts.computeIfPresent(
                    executor.host(),
                    (host, so) -> new Answers.DrainedHost(
                            host, so.drain(), so.executors() + 1, so.shards() + session.holdCount()));
        }
        List<Answers.DrainedShard> shards = new ArrayList<>();
        drains().shards()
                .forEach((key, drain) -> shards.add(
                        new Answers.DrainedShard(key, drain, table().find(key).flatMap(Shard::owner))));
        return new Answers.DrainList(shards, List.copyOf(hosts.values()));
    }

    /** Every executor's figures, in the order of the ids. */
    List<Answers.ExecutorDetails> executorDetails(long now) {
        List<Answers.ExecutorDetails> details = new ArrayList<>();
        for (Map.Entry<ExecutorId, ExecutorSession> session : sessions.entrySet()) {
            details.add(details(session.getValue(), now));
        }
        return details;
    }
}
