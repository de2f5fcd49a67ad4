package io.shardwright.server;

import io.prometheus.metrics.core.metrics.Counter;
import io.shardwright.control.Answers;
import io.shardwright.control.ControlEvent;
import io.shardwright.control.ControlListener;
import io.shardwright.control.ControlPlane;
import io.shardwright.control.NamespaceView;
import io.shardwright.control.Reply;
import io.shardwright.domain.ExecutorId;
import io.shardwright.domain.Scheduler;
import io.shardwright.domain.Shard;
import io.shardwright.server.http.Metrics;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** Counts what happens and shows the state at each scrape. Events come on the event loop, scrapes on any thread. */
final class ControlMetrics implements ControlListener {

    private static final long SCRAPE_WAIT_MILLIS = 500;

    /** Why a shard got a new owner, by the name that the metric has for it. */
    private enum Cause {
        placed,
        handoff,
        failover
    }

    private final ControlPlane control;
    private final Scheduler loop;
    private final Counter moves;
    private final Counter lost;
    private final Counter heldBack;
    private final Counter doubleOwners;
    private final Counter storeFailures;
    private final Counter missed;
    private final Counter late;

    ControlMetrics(Metrics metrics, ControlPlane control, Scheduler loop) {
        this.control = control;
        this.loop = loop;
        this.moves = metrics.counter(
                "shard_manager_moves",
                "Shards that got a new owner. placed: had none; handoff: released by the old one; failover: the old one was lost or replaced, or gave the shard up unasked.",
                "namespace",
                "cause");
        this.lost = metrics.counter("shard_manager_executors_lost", "Executors whose lease ended.", "namespace");
        this.heldBack = metrics.counter(
                "shard_manager_losses_held_back", "Times that silent executors were not taken for lost.", "namespace");
        this.doubleOwners = metrics.counter(
                "shard_manager_double_owners",
                "Changes of ownership without a higher epoch. Anything but 0 is a bug that can give a shard two owners.",
                "namespace");
        this.storeFailures =
                metrics.counter("shard_manager_store_failures", "Changes that the store did not take.", "namespace");
        this.missed = metrics.counter(
                "shard_manager_watch_misses",
                "Changes that a watch of the store kept to itself, as the comparison of every 5 s found. Not 0: a defect of the store.");
        this.late = metrics.counter(
                "shard_manager_watch_lags",
                "Times that a watch of the store had not told of a change for 5 s, and everything was read again.");
        metrics.gauge("shard_manager_is_serving", "1 while this process decides.", () -> control.serving() ? 1 : 0);
        metrics.gauge(
                "shard_manager_event_loop_delay_seconds",
                "How long a task waited for the event loop.",
                this::loopDelay);
        metrics.gauges(
                "shard_manager_executors",
                "Registered executors.",
                List.of("namespace"),
                samples -> control.views()
                        .forEach(view -> samples.add(view.executors().size(), name(view))));
        metrics.gauges(
                "shard_manager_shards",
                "Shards by state.",
                List.of("namespace", "state"),
                samples -> control.views().forEach(view -> shards(view, samples)));
        metrics.gauges(
                "shard_manager_oldest_unowned_shard_seconds",
                "Age of the shard that has been without an owner for longest; 0 when all have one.",
                List.of("namespace"),
                samples -> control.views()
                        .forEach(view -> oldest(view).ifPresent(seconds -> samples.add(seconds, name(view)))));
    }

    private static String name(NamespaceView view) {
        return view.namespace().name().value();
    }

    private static void shards(NamespaceView view, Metrics.Samples samples) {
        int[] counts = new int[3];
        view.table().forEach(shard -> {
            switch (shard.state()) {
                case Shard.State.Unassigned() -> counts[0]++;
                case Shard.State.Assigned assigned -> counts[1]++;
                case Shard.State.Releasing releasing -> counts[2]++;
            }
        });
        samples.add(counts[0], name(view), "unassigned");
        samples.add(counts[1], name(view), "assigned");
        samples.add(counts[2], name(view), "releasing");
    }

    private Optional<Double> oldest(NamespaceView view) {
        CompletableFuture<Optional<Double>> answer = new CompletableFuture<>();
        control.describeNamespace(view.namespace().name(), reply -> {
            switch (reply) {
                case Reply.Ok<Answers.NamespaceDetails>(var details) ->
                    answer.complete(Optional.of(details.oldestUnassigned().toNanos() / 1e9));
                case Reply.Refused<Answers.NamespaceDetails> refused -> answer.complete(Optional.empty());
            }
        });
        return answer.completeOnTimeout(Optional.empty(), SCRAPE_WAIT_MILLIS, TimeUnit.MILLISECONDS)
                .join();
    }

    private double loopDelay() {
        long begin = System.nanoTime();
        CompletableFuture<Long> ran = new CompletableFuture<>();
        loop.execute(() -> ran.complete(System.nanoTime() - begin));
        try {
            return ran.orTimeout(SCRAPE_WAIT_MILLIS, TimeUnit.MILLISECONDS).join() / 1e9;
        } catch (CompletionException timeout) {
            return (System.nanoTime() - begin) / 1e9; // at least this long
        }
    }

    @Override
    public void missed(String key) {
        missed.inc();
    }

    @Override
    public void late(String key) {
        late.inc();
    }

    @Override
    public void event(ControlEvent event) {
        String namespace = event.namespace().value();
        switch (event) {
            case ControlEvent.ShardChanged(var name, Optional<Shard> before, Shard after, String reason) ->
                changed(namespace, before, after);
            case ControlEvent.ExecutorGone gone -> {
                if (gone.lost()) {
                    lost.labelValues(namespace).inc();
                }
            }
            case ControlEvent.LossHeldBack held ->
                heldBack.labelValues(namespace).inc();
            case ControlEvent.StoreTrouble trouble ->
                storeFailures.labelValues(namespace).inc();
            case ControlEvent.ForeignState foreign ->
                storeFailures.labelValues(namespace).inc();
            case ControlEvent.NamespaceCreated created -> {}
            case ControlEvent.NamespaceDeleted deleted -> {}
            case ControlEvent.Drained drained -> {}
            case ControlEvent.ExecutorRegistered registered -> {}
            case ControlEvent.ExecutorLeaving leaving -> {}
            case ControlEvent.ShardForgotten forgotten -> {}
        }
    }

    private void changed(String namespace, Optional<Shard> before, Shard after) {
        Optional<ExecutorId> from = before.flatMap(Shard::owner);
        Optional<ExecutorId> to = after.owner();
        boolean higher = before.map(Shard::epoch).orElse(-1L) < after.epoch();
        if (to.isPresent() && !to.equals(from)) {
            moves.labelValues(namespace, cause(before).name()).inc();
            if (!higher) {
                doubleOwners.labelValues(namespace).inc();
            }
        }
    }

    private static Cause cause(Optional<Shard> before) {
        return before.map(shard -> switch (shard.state()) {
                    case Shard.State.Unassigned() -> Cause.placed;
                    case Shard.State.Releasing releasing -> Cause.handoff;
                    case Shard.State.Assigned assigned -> Cause.failover;
                })
                .orElse(Cause.placed);
    }

    @Override
    public void viewChanged(Optional<NamespaceView> before, Optional<NamespaceView> after) {
        if (before.isEmpty()) {
            after.ifPresent(view -> showAtZero(name(view)));
        }
    }

    /** Rates and increases see the first event only of a counter that was there before it. */
    private void showAtZero(String namespace) {
        List.of(lost, heldBack, doubleOwners, storeFailures)
                .forEach(counter -> counter.labelValues(namespace).inc(0));
        for (Cause cause : Cause.values()) {
            moves.labelValues(namespace, cause.name()).inc(0);
        }
    }
}
