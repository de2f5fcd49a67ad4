package io.shardwright.control;

import io.shardwright.control.Reply.Refusal;
import io.shardwright.domain.Namespace;
import io.shardwright.domain.NamespaceName;
import io.shardwright.domain.ShardTable;
import io.shardwright.domain.balance.Balancer;
import io.shardwright.domain.balance.Balancers;
import io.shardwright.election.Term;
import io.shardwright.persistence.Bytes;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * One term of leadership: loads all state, then runs one {@link NamespaceControl} for each namespace. Runs on the event
 * loop.
 */
final class Leader {

    private static final System.Logger LOG = System.getLogger(Leader.class.getName());

    private static final Duration LOAD_RETRY = Duration.ofMillis(500);
    private static final String TERM_ENDED = "its term of leadership ended";

    private final Parts parts;
    private final Term term;
    private final Runnable termOver;
    private final Keys keys;
    private final TreeMap<NamespaceName, ArrayDeque<Consumer<Runnable>>> changing = new TreeMap<>();
    private TreeMap<NamespaceName, StateLoader.KeptEpochs> keptEpochs = new TreeMap<>();
    private boolean closed;
    private boolean over;
    private long latestRevision;

    // Replaced as a whole on the event loop when a namespace comes or goes; read by every thread.
    private volatile SortedMap<NamespaceName, NamespaceControl> namespaces = Collections.emptySortedMap();

    /** What every term needs. */
    record Parts(
            ControlPlane.Ports ports,
            ControlSettings settings,
            List<Namespace> configured,
            String incarnation,
            ControlListener listener) {}

    Leader(Parts parts, Term term, Runnable termOver) {
        this.parts = parts;
        this.term = term;
        this.termOver = termOver;
        this.keys = new Keys(parts.settings().keyPrefix());
        this.latestRevision = term.createRevision();
    }

    /** Returns the namespaces of this term. Any thread may call this. */
    SortedMap<NamespaceName, NamespaceControl> published() {
        return namespaces;
    }

    /** Reads all state, makes sure of the configured namespaces, and begins to decide. */
    void load(Consumer<ControlPlane.Started> done) {
        StateLoader.load(parts.ports().store(), keys, result -> {
            if (!running()) {
                return;
            }
            switch (result) {
                case StateLoader.Result.Read read
                when read.revision() < term.since() -> {
                    // A member of the store that answers from its past would have this term begin in it.
                    LOG.log(
                            System.Logger.Level.WARNING,
                            "the store answered with the state of revision {0}, older than this term, which began at {1}; reading again",
                            read.revision(),
                            term.since());
                    later(() -> load(done));
                }
                case StateLoader.Result.Read(var loaded, var epochs, long revision) -> {
                    keptEpochs = epochs;
                    latestRevision = Math.max(latestRevision, revision);
                    begin(loaded, done);
                }
                case StateLoader.Result.Failed(String message) -> later(() -> load(done));
                case StateLoader.Result.Corrupt(String message) ->
                    done.accept(new ControlPlane.Started.Refused(message));
            }
        });
    }

    /** Tries a step of the beginning again, unless the term is over by then. */
    private void later(Runnable step) {
        parts.ports().loop().schedule(LOAD_RETRY, () -> {
            if (running()) {
                step.run();
            }
        });
    }

    private void begin(List<StateLoader.Loaded> loaded, Consumer<ControlPlane.Started> done) {
        List<String> faults = new ArrayList<>();
        TreeMap<NamespaceName, Namespace> wanted = new TreeMap<>();
        parts.configured().forEach(namespace -> wanted.put(namespace.name(), namespace));
        List<StateLoader.Loaded> updated = new ArrayList<>();
        for (StateLoader.Loaded stored : loaded) {
            Namespace have = stored.view().namespace();
            Namespace want = wanted.remove(have.name());
            if (want != null && !want.kind().equals(have.kind())) {
                faults.add("namespace " + have.name() + " is stored as " + have.kind() + " but configured as "
                        + want.kind() + "; the shards of a namespace cannot be changed: configure " + have.kind()
                        + ", or delete the namespace first");
            }
            if (want != null && !want.equals(have)) {
                updated.add(stored);
            }
        }
        loaded.forEach(stored -> unknownBalancer(stored.view().namespace()).ifPresent(faults::add));
        if (!faults.isEmpty()) {
            done.accept(new ControlPlane.Started.Refused(String.join("; ", faults)));
            return;
        }
        loaded.forEach(this::open);
        storeUpdates(updated, () -> createMissing(new ArrayList<>(wanted.values()), done));
    }

    private static Optional<String> unknownBalancer(Namespace namespace) {
        return Balancers.named(namespace.balancer()).isPresent()
                ? Optional.empty()
                : Optional.of("namespace " + namespace.name() + " uses balancer " + namespace.balancer()
                        + ", which this version does not have; known: " + Balancers.names());
    }

    /**
     * Changed leases and balancers of configured namespaces; executors that were told the old lease are given the
     * longer of the two (R90).
     */
    private void storeUpdates(List<StateLoader.Loaded> updated, Runnable then) {
        if (updated.isEmpty()) {
            then.run();
            return;
        }
        StateLoader.Loaded stored = updated.get(0);
        Namespace have = stored.view().namespace();
        Namespace want = parts.configured().stream()
                .filter(namespace -> namespace.name().equals(have.name()))
                .findFirst()
                .orElseThrow();
        Duration longest = stored.longestLease().compareTo(want.lease()) > 0 ? stored.longestLease() : want.lease();
        StateWriter writer = writer(have.name(), stored.modRevisions());
        SortedMap<Bytes, Optional<Bytes>> change = new TreeMap<>();
        change.put(
                keys.namespace(have.name()),
                Optional.of(StateCodec.encode(new StateCodec.NamespaceRecord(want, stored.epochFloor(), longest))));
        writer.write(change, result -> {
            switch (result) {
                case StateWriter.Result.Stored(long revision) -> {
                    if (!running()) {
                        return;
                    }
                    close(have.name());
                    TreeMap<Bytes, Long> modRevisions = new TreeMap<>(stored.modRevisions());
                    modRevisions.put(keys.namespace(have.name()), revision);
                    NamespaceView view = stored.view().with(want).at(revision);
                    open(new StateLoader.Loaded(view, stored.epochFloor(), longest, modRevisions));
                    storeUpdates(updated.subList(1, updated.size()), then);
                }
                case StateWriter.Result.NotStored(var fault) -> later(() -> storeUpdates(updated, then));
                case StateWriter.Result.TermOver(String why) -> lost();
            }
        });
    }

    private void createMissing(List<Namespace> missing, Consumer<ControlPlane.Started> done) {
        if (missing.isEmpty()) {
            namespaces.values().forEach(NamespaceControl::start);
            done.accept(new ControlPlane.Started.Ready());
            return;
        }
        create(missing.get(0), reply -> {
            switch (reply) {
                case Reply.Ok<Answers.Created> ok -> createMissing(missing.subList(1, missing.size()), done);
                case Reply.Refused<Answers.Created>(Refusal.Invalid(String field, String value, String rule)) ->
                    done.accept(new ControlPlane.Started.Refused(
                            "namespace " + missing.get(0).name() + ": " + field + " = \"" + value + "\": " + rule));
                case Reply.Refused<Answers.Created> refused -> later(() -> createMissing(missing, done));
            }
        });
    }

    private NamespaceControl open(StateLoader.Loaded stored) {
        Namespace namespace = stored.view().namespace();
        Balancer balancer = Balancers.named(namespace.balancer()).orElseThrow();
        NamespaceState state = new NamespaceState(
                parts.incarnation(),
                parts.listener(),
                stored.view(),
                parts.ports().clock().nanoTime(),
                stored.longestLease().plus(term.belief().overlap()));
        NamespaceControl control = new NamespaceControl(
                new NamespaceControl.Surroundings(
                        parts.ports().clock(), parts.ports().loop(), term, keys, parts.settings(), parts.listener()),
                state,
                writer(namespace.name(), stored.modRevisions()),
                balancer,
                this::lost);
        TreeMap<NamespaceName, NamespaceControl> next = new TreeMap<>(namespaces);
        next.put(namespace.name(), control);
        namespaces = Collections.unmodifiableSortedMap(next);
        parts.listener().viewChanged(Optional.empty(), Optional.of(stored.view()));
        return control;
    }

    private StateWriter writer(NamespaceName name, SortedMap<Bytes, Long> modRevisions) {
        return new StateWriter(
                parts.ports().store(), parts.ports().loop(), term, modRevisions, name, parts.listener()::event);
    }

    void create(Namespace namespace, Call<Answers.Created> call) {
        oneAtATime(
                namespace.name(),
                over -> createNow(namespace, reply -> {
                    over.run();
                    call.accept(reply);
                }));
    }

    /**
     * Coming and going of one namespace waits for what is under way with it: two creations at once would each find the
     * other's key.
     */
    private void oneAtATime(NamespaceName name, Consumer<Runnable> action) {
        ArrayDeque<Consumer<Runnable>> waiting = changing.get(name);
        if (waiting != null) {
            waiting.add(action);
            return;
        }
        changing.put(name, new ArrayDeque<>());
        action.accept(() -> next(name));
    }

    private void next(NamespaceName name) {
        ArrayDeque<Consumer<Runnable>> waiting = changing.remove(name);
        if (waiting == null || waiting.isEmpty()) {
            return;
        }
        Consumer<Runnable> action = waiting.poll();
        changing.put(name, waiting);
        parts.ports().loop().execute(() -> action.accept(() -> next(name)));
    }

    private void createNow(Namespace namespace, Call<Answers.Created> call) {
        if (!running()) {
            call.refuse(new Refusal.NotLeading(TERM_ENDED));
            return;
        }
        NamespaceControl existing = namespaces.get(namespace.name());
        if (existing != null) {
            Namespace stored = existing.state().namespace();
            if (stored.equals(namespace)) {
                call.ok(new Answers.Created(stored, false));
            } else {
                call.refuse(new Refusal.NamespaceDiffers(stored, namespace));
            }
            return;
        }
        if (Balancers.named(namespace.balancer()).isEmpty()) {
            call.refuse(new Refusal.Invalid("balancer", namespace.balancer(), "must be one of " + Balancers.names()));
            return;
        }
        // Epochs of an earlier namespace of this name are not above the store's revision, or they were kept.
        Optional<StateLoader.KeptEpochs> kept = Optional.ofNullable(keptEpochs.get(namespace.name()));
        long floor = Math.max(
                latestRevision(), kept.map(StateLoader.KeptEpochs::highest).orElse(0L));
        Bytes key = keys.namespace(namespace.name());
        Bytes epochsKey = keys.epochs(namespace.name());
        SortedMap<Bytes, Optional<Bytes>> change = new TreeMap<>();
        TreeMap<Bytes, Long> known = new TreeMap<>();
        kept.ifPresent(epochs -> {
            change.put(epochsKey, Optional.empty());
            known.put(epochsKey, epochs.modRevision());
        });
        change.put(
                key,
                Optional.of(StateCodec.encode(new StateCodec.NamespaceRecord(namespace, floor, namespace.lease()))));
        writer(namespace.name(), known).write(change, result -> {
            switch (result) {
                case StateWriter.Result.Stored(long revision) -> {
                    latestRevision = Math.max(latestRevision, revision);
                    keptEpochs.remove(namespace.name());
                    if (running() && !namespaces.containsKey(namespace.name())) {
                        TreeMap<Bytes, Long> modRevisions = new TreeMap<>();
                        modRevisions.put(key, revision);
                        NamespaceView view = new NamespaceView(
                                namespace,
                                revision,
                                ShardTable.initial(namespace.kind(), floor),
                                Collections.emptySortedMap());
                        NamespaceControl control =
                                open(new StateLoader.Loaded(view, floor, namespace.lease(), modRevisions));
                        parts.listener().event(new ControlEvent.NamespaceCreated(namespace));
                        control.start();
                    }
                    call.ok(new Answers.Created(namespace, true));
                }
                case StateWriter.Result.NotStored(var fault) ->
                    call.refuse(new Refusal.StoreUnavailable("the namespace was not stored: " + fault.message()));
                case StateWriter.Result.TermOver(String why) -> {
                    call.refuse(new Refusal.LeadershipLost(why));
                    lost();
                }
            }
        });
    }

    /** Returns the newest revision that this term read or wrote. */
    long latestRevision() {
        long latest = latestRevision;
        for (NamespaceControl namespace : namespaces.values()) {
            latest = Math.max(latest, namespace.state().view().revision());
        }
        return latest;
    }

    void delete(NamespaceName name, Call<NamespaceName> call) {
        oneAtATime(
                name,
                over -> deleteNow(name, reply -> {
                    over.run();
                    call.accept(reply);
                }));
    }

    private void deleteNow(NamespaceName name, Call<NamespaceName> call) {
        if (!running()) {
            call.refuse(new Refusal.NotLeading(TERM_ENDED));
            return;
        }
        NamespaceControl namespace = namespaces.get(name);
        if (namespace == null) {
            call.refuse(new Refusal.NoSuchNamespace(name));
            return;
        }
        namespace.delete(result -> {
            switch (result) {
                case Reply.Ok<NamespaceControl.Deleted>(NamespaceControl.Deleted(long revision, var epochs)) -> {
                    latestRevision = Math.max(latestRevision, revision);
                    epochs.ifPresent(highest -> keptEpochs.put(name, new StateLoader.KeptEpochs(highest, revision)));
                    NamespaceView gone = namespace.state().view();
                    close(name);
                    parts.listener().viewChanged(Optional.of(gone), Optional.empty());
                    parts.listener().event(new ControlEvent.NamespaceDeleted(name));
                    call.ok(name);
                }
                case Reply.Refused<NamespaceControl.Deleted>(Refusal why) -> call.refuse(why);
            }
        });
    }

    private void close(NamespaceName name) {
        TreeMap<NamespaceName, NamespaceControl> next = new TreeMap<>(namespaces);
        NamespaceControl removed = next.remove(name);
        namespaces = Collections.unmodifiableSortedMap(next);
        if (removed != null) {
            removed.close(new Refusal.NoSuchNamespace(name), new Refusal.NoSuchNamespace(name));
        }
    }

    private boolean running() {
        return !closed && !over;
    }

    /** Tells whether this term may decide and promise (R179). Any thread may call this. */
    boolean believes() {
        return term.believes(parts.ports().clock().nanoTime());
    }

    /** The term cannot go on. */
    void lost() {
        if (running()) {
            over = true;
            termOver.run();
        }
    }

    /**
     * Ends the term: nothing more is decided. Calls that only waited did not run; those that were being stored may have
     * (R124).
     */
    void close(String why) {
        closed = true;
        namespaces
                .values()
                .forEach(namespace -> namespace.close(new Refusal.NotLeading(why), new Refusal.LeadershipLost(why)));
    }
}
