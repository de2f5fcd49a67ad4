package io.shardwright.server.dashboard;

import io.shardwright.control.Answers;
import io.shardwright.control.ControlEvent;
import io.shardwright.control.ControlListener;
import io.shardwright.control.ControlPlane;
import io.shardwright.control.NamespaceView;
import io.shardwright.domain.Clock;
import io.shardwright.domain.InvalidField;
import io.shardwright.domain.NamespaceName;
import io.shardwright.domain.Shard;
import io.shardwright.domain.ShardKey;
import io.shardwright.server.http.LiveFeed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Tells browsers the state of the shard manager and then what changes in it. Thread-safe.
 *
 * <p>Changes are not collected as they happen: four times a second the published state is compared with what the
 * browsers were told. So a thousand changes of one shard between two messages cost one row, memory is bounded whatever
 * happens, and the event loop of the control plane does nothing but remember the last events. Leases and loads are
 * asked for once a second. While nobody watches nothing runs.
 *
 * <p>A message is one JSON object, {@code kind} "snapshot" or "delta":
 *
 * <pre>
 * time, serving          when it was made (ms since 1970); whether this process decides
 * whole                  namespaces to show as they are here: new ones, in a snapshot all
 * changed                namespaces of which only what is named here changed
 * gone                   names of namespaces that are no more
 * events, moves          what happened; moveCount counts the moves since the process started
 *
 * a namespace:  name, revision, fixed, leaseMillis, balancer
 *   executors   id, address, host, status, labels [[name, value]]: all of them
 *   figures     [id, lease left in ms, age of the renewal in ms, load]
 *   shards      [key, epoch] unowned, [key, epoch, owner] or [key, epoch, owner, next] releasing;
 *               owner and next count in names, next is -1 when nobody was chosen yet
 *   removed     keys of shards that are no more
 *   loads       [key, load]
 * </pre>
 */
public final class DashboardFeed implements LiveFeed, ControlListener, AutoCloseable {

    /** Between two messages. */
    static final Duration PERIOD = Duration.ofMillis(250);

    /** Leases and loads come with every so many messages. */
    static final int FIGURES_EVERY = 4;

    /** Rows of a message; more wait for the next one. */
    static final int MAX_ROWS = 10_000;

    /** Loads that are asked for at once, so that the event loop is not held up. */
    static final int MAX_LOADS = 10_000;

    private final DashboardSource source;
    private final Clock clock;
    private final Pulse pulse;
    private final Recent recent;
    private final CopyOnWriteArrayList<Watcher> watchers = new CopyOnWriteArrayList<>();

    /** Guards what follows; never taken on the event loop. */
    private final ReentrantLock lock = new ReentrantLock();

    private final TreeMap<NamespaceName, Shown> shown = new TreeMap<>();
    private Optional<Runnable> beating = Optional.empty();
    private long told;
    private boolean toldServing;

    // Used by beats only, which come one after the other.
    private int beats;
    private int loadCursor;

    DashboardFeed(DashboardSource source, Clock clock, Pulse pulse) {
        this.source = source;
        this.clock = clock;
        this.pulse = pulse;
        this.recent = new Recent(clock);
    }

    /** Returns the feed of a control plane; it must be told of events too. */
    public static DashboardFeed of(ControlPlane control, Clock clock) {
        return new DashboardFeed(new ControlSource(control), clock, Pulse.onThread());
    }

    /** A browser; equal to itself only. */
    private static final class Watcher {
        private final Consumer<String> listener;

        private Watcher(Consumer<String> listener) {
            this.listener = listener;
        }
    }

    /** What is asked for once a second. */
    private record Figures(
            Map<NamespaceName, List<Answers.ExecutorDetails>> executors,
            Map<NamespaceName, List<Answers.ReportedLoad>> loads) {}

    // ------------------------------------------------------------------ event loop

    @Override
    public void event(ControlEvent event) {
        recent.add(event);
    }

    @Override
    public void viewChanged(Optional<NamespaceView> before, Optional<NamespaceView> after) {}

    @Override
    public void servingChanged(boolean serving) {
        recent.add("", !serving, serving ? "this server decides now" : "this server does not decide any more");
    }

    // ------------------------------------------------------------------ browsers

    @Override
    public Subscription subscribe(Consumer<String> listener) {
        Watcher watcher = new Watcher(listener);
        lock.lock();
        try {
            watchers.add(watcher);
            if (beating.isEmpty()) {
                // The browser takes its snapshot after this, so nothing between the two is missed.
                source.views().forEach(view -> shown.put(view.namespace().name(), new Shown(view)));
                told = recent.since(Long.MAX_VALUE).sequence();
                toldServing = source.serving();
                beats = 0;
                beating = Optional.of(pulse.start(PERIOD, this::beat));
            }
        } finally {
            lock.unlock();
        }
        return () -> watchers.remove(watcher);
    }

    @Override
    public String snapshotJson() {
        List<NamespaceView> views = source.views();
        Figures figures = new Figures(executorFigures(views), Map.of());
        lock.lock();
        try (Message message = new Message("snapshot", clock.wallTime().toEpochMilli(), source.serving())) {
            message.beginArray("whole");
            views.forEach(view -> whole(
                    message,
                    view,
                    figures,
                    Optional.ofNullable(shown.get(view.namespace().name()))
                            .map(Shown::loads)
                            .orElse(Map.of())));
            message.endArray();
            message.recent(recent.since(0));
            return message.end();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Optional<String> shardJson(String namespace, String shardKey) {
        try {
            return source.shard(new NamespaceName(namespace), new ShardKey(shardKey))
                    .join()
                    .map(Message::shard);
        } catch (InvalidField e) {
            return Optional.empty(); // there can be no such shard
        }
    }

    @Override
    public void close() {
        watchers.clear();
        rest();
    }

    // ------------------------------------------------------------------ beats

    /** Tells the browsers what changed since the last beat; at every fourth also how old leases and loads are. */
    private void beat() {
        if (watchers.isEmpty()) {
            rest();
            return;
        }
        boolean withFigures = beats++ % FIGURES_EVERY == 0;
        List<NamespaceView> views = source.views();
        Figures figures =
                withFigures ? new Figures(executorFigures(views), loadFigures(views)) : new Figures(Map.of(), Map.of());
        Optional<String> message = delta(views, figures, withFigures);
        message.ifPresent(text -> watchers.forEach(watcher -> watcher.listener.accept(text)));
    }

    private void rest() {
        lock.lock();
        try {
            if (watchers.isEmpty()) {
                beating.ifPresent(Runnable::run);
                beating = Optional.empty();
                shown.clear();
            }
        } finally {
            lock.unlock();
        }
    }

    private Map<NamespaceName, List<Answers.ExecutorDetails>> executorFigures(List<NamespaceView> views) {
        var asked = new TreeMap<NamespaceName, CompletableFuture<List<Answers.ExecutorDetails>>>();
        views.stream()
                .filter(view -> !view.executors().isEmpty())
                .map(view -> view.namespace().name())
                .forEach(name -> asked.put(name, source.executors(name)));
        var answers = new TreeMap<NamespaceName, List<Answers.ExecutorDetails>>();
        asked.forEach((name, answer) -> answers.put(name, answer.join()));
        return answers;
    }

    /** Goes round the executors, so many of them at a time that their shards are about {@link #MAX_LOADS}. */
    private Map<NamespaceName, List<Answers.ReportedLoad>> loadFigures(List<NamespaceView> views) {
        record Asked(NamespaceName namespace, CompletableFuture<List<Answers.ReportedLoad>> answer) {}
        List<Runnable> questions = new ArrayList<>();
        List<Asked> asked = new ArrayList<>();
        int[] expected = new int[1];
        for (NamespaceView view : views) {
            NamespaceName name = view.namespace().name();
            int share = view.table().size() / Math.max(1, view.executors().size()) + 1;
            view.executors()
                    .keySet()
                    .forEach(id -> questions.add(() -> {
                        asked.add(new Asked(name, source.loads(name, id)));
                        expected[0] += share;
                    }));
        }
        for (int i = 0; i < questions.size() && expected[0] < MAX_LOADS; i++) {
            questions.get(Math.floorMod(loadCursor++, questions.size())).run();
        }
        var answers = new TreeMap<NamespaceName, List<Answers.ReportedLoad>>();
        asked.forEach(question -> answers.computeIfAbsent(question.namespace(), name -> new ArrayList<>())
                .addAll(question.answer().join()));
        return answers;
    }

    private Optional<String> delta(List<NamespaceView> views, Figures figures, boolean always) {
        lock.lock();
        try (Message message = new Message("delta", clock.wallTime().toEpochMilli(), source.serving())) {
            boolean news = always || source.serving() != toldServing;
            toldServing = source.serving();
            List<NamespaceView> unknown = new ArrayList<>();
            List<NamespaceView> known = new ArrayList<>();
            TreeMap<NamespaceName, Shown> gone = new TreeMap<>(shown);
            for (NamespaceView view : views) {
                Shown before = gone.remove(view.namespace().name());
                (before != null && before.isOf(view) ? known : unknown).add(view);
            }
            message.beginArray("whole");
            for (NamespaceView view : unknown) {
                shown.put(view.namespace().name(), new Shown(view));
                whole(message, view, figures, Map.of());
                news = true;
            }
            message.endArray();
            message.beginArray("changed");
            for (NamespaceView view : known) {
                Shown before = Objects.requireNonNull(shown.get(view.namespace().name()), "it is known");
                news |= changed(message, view, before, figures);
            }
            message.endArray();
            message.beginArray("gone");
            for (NamespaceName name : gone.keySet()) {
                shown.remove(name);
                message.element(name.value());
                news = true;
            }
            message.endArray();
            Recent.Part happened = recent.since(told);
            news |= happened.sequence() > told;
            told = happened.sequence();
            message.recent(happened);
            return news ? Optional.of(message.end()) : Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    private static void whole(Message message, NamespaceView view, Figures figures, Map<ShardKey, Double> loads) {
        message.beginNamespace(view);
        message.settings(view.namespace());
        message.executors(view.executors());
        message.figures(figures.executors().getOrDefault(view.namespace().name(), List.of()));
        List<Shard> shards = new ArrayList<>(view.table().size());
        view.table().forEach(shards::add);
        message.shards(shards);
        message.loads(loads);
        message.endNamespace();
    }

    private static boolean changed(Message message, NamespaceView view, Shown before, Figures figures) {
        NamespaceName name = view.namespace().name();
        before.report(figures.loads().getOrDefault(name, List.of()));
        Shown.Rows rows = before.advance(view.table(), MAX_ROWS);
        boolean executors = before.advance(view.executors());
        Map<ShardKey, Double> loads = before.takeLoads();
        List<Answers.ExecutorDetails> details = figures.executors().getOrDefault(name, List.of());
        if (rows.isEmpty() && !executors && loads.isEmpty() && details.isEmpty()) {
            return false;
        }
        message.beginNamespace(view);
        if (executors) {
            message.executors(view.executors());
        }
        message.figures(details);
        message.shards(rows.changed());
        message.removed(rows.removed());
        message.loads(loads);
        message.endNamespace();
        return true;
    }
}
