package io.shardwright.control;

import io.shardwright.domain.Executor;
import io.shardwright.domain.ExecutorId;
import io.shardwright.domain.Namespace;
import io.shardwright.domain.NamespaceName;
import io.shardwright.domain.Outcome;
import io.shardwright.domain.ShardTable;
import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.KeyValue;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.WatchBatch;
import io.shardwright.persistence.WatchRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;

/**
 * Follows the stored state on a replica that does not lead, so that it can tell routers where the shards are (B2): one
 * read of everything, then a watch. Runs on the event loop.
 *
 * <p>What it tells may be late, but never by more than a TTL of the leadership without being said: a replica that the
 * store has not answered for so long stops telling, and reads everything again when the store answers. So does one
 * whose watch missed a change, as {@link StateAudit} finds out.
 */
final class StateFollower {

    private static final System.Logger LOG = System.getLogger(StateFollower.class.getName());

    private static final Duration TICK = Duration.ofSeconds(1);
    private static final int TICKS_PER_AUDIT = 5;

    /** So long what is told may be old because a watch missed a change: four checks, of which one may go wrong. */
    private static final Duration UNPROVEN = Duration.ofSeconds(20);

    private static final Duration WATCH_RETRY = Duration.ofMillis(200);

    private final ControlPlane.Ports ports;
    private final Keys keys;
    private final BooleanSupplier inTouch;
    private final ControlListener listener;
    private final TreeMap<NamespaceName, NamespaceView> views = new TreeMap<>();
    private Optional<Store.Watch> watch = Optional.empty();
    private Optional<Run> run = Optional.empty();
    private final Recency recency = new Recency();
    private Optional<StateAudit> audit = Optional.empty();
    private int ticks;
    private long provenAt;
    private long checkedAt;
    private String complaint = "";
    private boolean mayTell;
    private boolean told;
    private long heard;

    /** One stretch of following; whatever an earlier one still hears is not listened to. */
    private static final class Run {
        private boolean loading;
    }

    /** @param inTouch whether the store has answered this replica recently enough */
    StateFollower(ControlPlane.Ports ports, Keys keys, BooleanSupplier inTouch, ControlListener listener) {
        this.ports = ports;
        this.keys = keys;
        this.inTouch = inTouch;
        this.listener = listener;
    }

    void start() {
        Run started = new Run();
        run = Optional.of(started);
        if (mayTell) {
            load(started);
        }
        tickLater(started);
    }

    /**
     * The state is not older than a revision. Nothing is told before such a one is known: a member of the store that
     * shows the past to a process that just began could not be found out.
     */
    void atLeast(long revision) {
        recency.heard(revision);
        if (!mayTell) {
            mayTell = true;
            run.ifPresent(this::load);
        }
    }

    void stop() {
        run = Optional.empty();
        forget();
    }

    private boolean current(Run asked) {
        return run.equals(Optional.of(asked));
    }

    private void tickLater(Run now) {
        ports.loop().schedule(TICK, () -> {
            if (!current(now)) {
                return;
            }
            boolean reachable = inTouch.getAsBoolean();
            if (told && (!reachable || ports.clock().nanoTime() - provenAt > UNPROVEN.toNanos())) {
                forget();
            } else if (!told && reachable && mayTell && !now.loading) {
                load(now);
            } else if (told && ++ticks % TICKS_PER_AUDIT == 0) {
                long asked = ports.clock().nanoTime();
                audit.ifPresent(running -> running.check(found -> audited(now, running, found, asked)));
            }
            tickLater(now);
        });
    }

    private void audited(Run now, StateAudit checked, StateAudit.Finding found, long asked) {
        if (!current(now) || !audit.equals(Optional.of(checked))) {
            return;
        }
        switch (found) {
            case StateAudit.Finding.Nothing(boolean allHeard) -> {
                // What differed at the last check was heard of since, but what differs now may not be under way at all.
                provenAt = allHeard ? asked : checkedAt;
                checkedAt = asked;
            }
            case StateAudit.Finding.Late(Bytes key) -> {
                LOG.log(
                        System.Logger.Level.INFO,
                        "the watch of the store is behind, it has not told of {0} yet; everything is read again",
                        key);
                listener.late(key.toUtf8());
                again(now);
            }
            case StateAudit.Finding.Missed(Bytes key) -> {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "the watch of the store missed a change of {0}; everything is read again",
                        key);
                listener.missed(key.toUtf8());
                again(now);
            }
        }
    }

    private void again(Run now) {
        forget();
        load(now);
    }

    private void forget() {
        watch.ifPresent(Store.Watch::cancel);
        watch = Optional.empty();
        audit = Optional.empty();
        views.clear();
        if (told) {
            told = false;
            listener.following(false);
        }
    }

    private void load(Run now) {
        now.loading = true;
        LongPredicate present = recency.asked();
        long asked = ports.clock().nanoTime();
        StateLoader.load(ports.store(), keys, result -> {
            if (!current(now)) {
                return;
            }
            now.loading = false;
            switch (result) {
                case StateLoader.Result.Read read
                when !present.test(read.revision()) ->
                    LOG.log(
                            System.Logger.Level.WARNING,
                            "the store answered with an old state, of revision {0}; reading again",
                            read.revision());
                case StateLoader.Result.Read read -> begin(now, read, asked);
                case StateLoader.Result.Failed(String message) ->
                    LOG.log(System.Logger.Level.DEBUG, "the state cannot be read: {0}", message);
                case StateLoader.Result.Corrupt(String message) -> unreadable(message);
            }
        });
    }

    private void unreadable(String message) {
        if (!message.equals(complaint)) {
            complaint = message;
            LOG.log(
                    System.Logger.Level.WARNING,
                    "this replica cannot tell routers where the shards are: {0}; it may be older than the leader",
                    message);
        }
    }

    private void begin(Run now, StateLoader.Result.Read read, long asked) {
        forget();
        heard = read.revision();
        provenAt = asked;
        checkedAt = asked;
        TreeMap<Bytes, Long> modRevisions = new TreeMap<>();
        read.epochs().forEach((name, kept) -> modRevisions.put(keys.epochs(name), kept.modRevision()));
        read.namespaces().forEach(loaded -> modRevisions.putAll(loaded.modRevisions()));
        audit = Optional.of(new StateAudit(ports.store(), keys.all(), recency, modRevisions, heard));
        read.namespaces().forEach(loaded -> change(loaded.view().namespace().name(), Optional.of(loaded.view())));
        told = true;
        complaint = "";
        listener.following(true);
        watchOn(now);
    }

    private void change(NamespaceName name, Optional<NamespaceView> after) {
        Optional<NamespaceView> before = Optional.ofNullable(views.remove(name));
        after.ifPresent(view -> views.put(name, view));
        listener.followed(before, after);
    }

    private void watchOn(Run now) {
        watch = Optional.of(ports.store().watch(new WatchRequest(keys.all(), heard + 1), new Store.WatchListener() {
            @Override
            public void changed(WatchBatch batch) {
                if (current(now)) {
                    apply(batch);
                }
            }

            @Override
            public void ended(Outcome.Fault fault) {
                if (current(now)) {
                    watchEnded(now, fault);
                }
            }
        }));
    }

    private void watchEnded(Run now, Outcome.Fault fault) {
        watch = Optional.empty();
        if (fault.kind() == Outcome.Fault.Kind.OUT_OF_RANGE) {
            // What was missed is unknown, and the reading may fail: until it has worked, the old state is not told on
            // as if it were fresh.
            again(now);
            return;
        }
        ports.loop().schedule(WATCH_RETRY, () -> {
            if (current(now) && told && watch.isEmpty()) {
                watchOn(now);
            }
        });
    }

    private void apply(WatchBatch batch) {
        audit.ifPresent(running -> running.heard(batch));
        recency.heard(batch.revision());
        try {
            List<WatchBatch.Event> ofOneRevision = new ArrayList<>();
            for (WatchBatch.Event event : batch.events()) {
                if (!ofOneRevision.isEmpty() && ofOneRevision.get(0).revision() != event.revision()) {
                    applyRevision(ofOneRevision);
                    ofOneRevision.clear();
                }
                ofOneRevision.add(event);
            }
            if (!ofOneRevision.isEmpty()) {
                applyRevision(ofOneRevision);
            }
            heard = Math.max(heard, batch.revision());
        } catch (CorruptState corrupt) {
            unreadable(String.valueOf(corrupt.getMessage()));
            forget();
        }
    }

    /** Namespaces first, because executors and segments are read by their settings. */
    private void applyRevision(List<WatchBatch.Event> events) {
        long revision = events.get(0).revision();
        TreeMap<NamespaceName, NamespaceView> next = new TreeMap<>();
        TreeSet<NamespaceName> gone = new TreeSet<>();
        for (WatchBatch.Event event : events) {
            if (keys.allNamespaces().contains(event.key())) {
                namespace(event, next, gone);
            }
        }
        for (WatchBatch.Event event : events) {
            keys.ownerOf(event.key())
                    .filter(name -> !gone.contains(name))
                    .flatMap(name -> Optional.ofNullable(next.getOrDefault(name, views.get(name))))
                    .ifPresent(view -> next.put(view.namespace().name(), part(view, event)));
        }
        gone.forEach(name -> change(name, Optional.empty()));
        next.forEach((name, view) -> change(name, Optional.of(view.at(revision))));
    }

    private void namespace(
            WatchBatch.Event event, TreeMap<NamespaceName, NamespaceView> next, TreeSet<NamespaceName> gone) {
        switch (event) {
            case WatchBatch.Event.Put(KeyValue kv) -> {
                StateCodec.NamespaceRecord stored = StateCodec.decodeNamespace(kv);
                Namespace namespace = stored.namespace();
                NamespaceView known = views.get(namespace.name());
                next.put(
                        namespace.name(),
                        known != null
                                ? known.with(namespace)
                                : new NamespaceView(
                                        namespace,
                                        kv.modRevision(),
                                        ShardTable.initial(namespace.kind(), stored.epochFloor()),
                                        Collections.emptySortedMap()));
            }
            case WatchBatch.Event.Delete(Bytes key, long revision) ->
                views.keySet().stream()
                        .filter(name -> keys.namespace(name).equals(key))
                        .forEach(gone::add);
        }
    }

    private NamespaceView part(NamespaceView view, WatchBatch.Event event) {
        NamespaceName name = view.namespace().name();
        if (keys.executors(name).contains(event.key())) {
            return executor(view, event);
        }
        if (event instanceof WatchBatch.Event.Put(KeyValue kv)
                && keys.segments(name).contains(event.key())) {
            int id = StateLoader.segmentId(kv, view.namespace(), view.table());
            boolean keysByPosition = view.namespace().kind() instanceof Namespace.Kind.Fixed;
            ShardTable table = view.table()
                    .withSegment(StateCodec.decodeSegment(kv, view.table().segment(id), keysByPosition));
            return view.with(table);
        }
        if (event instanceof WatchBatch.Event.Put(KeyValue kv)
                && keys.drains(name).equals(event.key())) {
            return view.with(StateCodec.decodeDrains(kv));
        }
        return view;
    }

    private NamespaceView executor(NamespaceView view, WatchBatch.Event event) {
        TreeMap<ExecutorId, Executor> executors = new TreeMap<>(view.executors());
        switch (event) {
            case WatchBatch.Event.Put(KeyValue kv) -> {
                Executor executor = StateCodec.decodeExecutor(kv);
                executors.put(executor.id(), executor);
            }
            case WatchBatch.Event.Delete(Bytes key, long revision) ->
                executors
                        .keySet()
                        .removeIf(
                                id -> keys.executor(view.namespace().name(), id).equals(key));
        }
        return view.with(executors);
    }
}
