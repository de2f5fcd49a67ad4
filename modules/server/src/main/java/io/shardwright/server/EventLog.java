package io.shardwright.server;

import io.shardwright.control.ControlEvent;
import io.shardwright.control.ControlListener;
import io.shardwright.control.NamespaceView;
import io.shardwright.domain.ExecutorId;
import io.shardwright.domain.Shard;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Writes one line for each change of state; one for all, where a change concerns many shards. Used on the event loop.
 */
final class EventLog implements ControlListener {

    private static final Logger LOG = System.getLogger("shardwright");

    /** Shards of one change up to which each gets its own line. */
    private static final int EACH = 3;

    private final List<ControlEvent.ShardChanged> changed = new ArrayList<>();
    private int forgotten;

    /** What became of a shard. */
    private enum Became {
        CREATED("created"),
        ASSIGNED("assigned"),
        MOVED("moved"),
        RELEASING("asked to be released"),
        UNASSIGNED("without an owner"),
        CHANGED("changed");

        private final String text;

        Became(String text) {
            this.text = text;
        }
    }

    @Override
    public void event(ControlEvent event) {
        switch (event) {
            case ControlEvent.NamespaceCreated(var namespace) ->
                LOG.log(Level.INFO, "namespace {0} created: {1}", namespace.name(), namespace.kind());
            case ControlEvent.NamespaceDeleted(var name) -> LOG.log(Level.INFO, "namespace {0} deleted", name);
            case ControlEvent.ExecutorRegistered(var name, var executor, boolean again) ->
                LOG.log(
                        Level.INFO,
                        "namespace {0}: executor {1} registered{2}, address \"{3}\"",
                        name,
                        executor.id(),
                        again ? " again" : "",
                        executor.address());
            case ControlEvent.ExecutorLeaving(var name, var id) ->
                LOG.log(Level.INFO, "namespace {0}: executor {1} is leaving", name, id);
            case ControlEvent.ExecutorGone(var name, var id, boolean lost) ->
                LOG.log(
                        lost ? Level.WARNING : Level.INFO,
                        lost ? "namespace {0}: executor {1} lost: its lease ended" : "namespace {0}: executor {1} left",
                        name,
                        id);
            case ControlEvent.ShardChanged shard -> changed.add(shard);
            case ControlEvent.ShardForgotten shard -> forgotten++;
            case ControlEvent.Drained drained ->
                drained.sentences()
                        .forEach(sentence -> LOG.log(Level.INFO, "namespace {0}: {1}", drained.namespace(), sentence));
            case ControlEvent.LossHeldBack(var name, int executors, String reason) ->
                LOG.log(
                        Level.WARNING,
                        "namespace {0}: {1} silent executors are not taken for lost yet: {2}",
                        name,
                        executors,
                        reason);
            case ControlEvent.StoreTrouble(var name, String message) ->
                LOG.log(Level.WARNING, "namespace {0}: {1}", name, message);
            case ControlEvent.ForeignState(var name) ->
                LOG.log(Level.ERROR, "namespace {0}: {1}", name, ControlEvent.ForeignState.MESSAGE);
        }
    }

    @Override
    public void viewChanged(Optional<NamespaceView> before, Optional<NamespaceView> after) {
        after.ifPresent(view -> {
            String name = view.namespace().name().value();
            if (changed.size() <= EACH) {
                changed.forEach(shard -> each(name, shard));
            } else {
                LOG.log(Level.INFO, "namespace {0}: {1} (revision {2,number,#})", name, summary(), view.revision());
            }
            if (forgotten > 0) {
                LOG.log(Level.INFO, "namespace {0}: {1} idle shards forgotten", name, forgotten);
            }
        });
        changed.clear();
        forgotten = 0;
    }

    @Override
    public void servingChanged(boolean serving) {
        LOG.log(Level.INFO, serving ? "serving" : "not serving any more");
    }

    private static void each(String name, ControlEvent.ShardChanged event) {
        Shard shard = event.after();
        LOG.log(
                Level.INFO,
                "namespace {0}: shard {1} {2}{3} at epoch {4,number,#}: {5}",
                name,
                shard.key(),
                became(event).text,
                shard.owner().map(owner -> owners(event.before(), owner)).orElse(""),
                shard.epoch(),
                event.reason());
    }

    private static String owners(Optional<Shard> before, ExecutorId owner) {
        String from = before.flatMap(Shard::owner)
                .filter(old -> !old.equals(owner))
                .map(old -> " from " + old)
                .orElse("");
        return from + " to " + owner;
    }

    private String summary() {
        Map<Became, Integer> counts = new EnumMap<>(Became.class);
        changed.forEach(event -> counts.merge(became(event), 1, Integer::sum));
        return counts.entrySet().stream()
                .map(entry -> entry.getValue() + " shards " + entry.getKey().text)
                .collect(Collectors.joining(", "));
    }

    private static Became became(ControlEvent.ShardChanged event) {
        Optional<ExecutorId> before = event.before().flatMap(Shard::owner);
        Optional<ExecutorId> after = event.after().owner();
        if (event.after().state() instanceof Shard.State.Releasing) {
            return Became.RELEASING;
        }
        if (after.isEmpty()) {
            return event.before().isEmpty() ? Became.CREATED : Became.UNASSIGNED;
        }
        if (before.isEmpty()) {
            return Became.ASSIGNED;
        }
        return before.equals(after) ? Became.CHANGED : Became.MOVED;
    }
}
