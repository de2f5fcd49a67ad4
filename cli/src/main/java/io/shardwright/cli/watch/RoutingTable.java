package io.shardwright.cli.watch;

import io.shardwright.proto.v1.ExecutorInfo;
import io.shardwright.proto.v1.RoutingDelta;
import io.shardwright.proto.v1.RoutingEvent;
import io.shardwright.proto.v1.RoutingSnapshot;
import io.shardwright.proto.v1.ShardRoute;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A copy of the routing table of one namespace, kept up to date by the events of a stream. A second snapshot (after a
 * reconnection) is compared with what is known, so that it yields only what changed in the meantime.
 *
 * <p>Not thread-safe.
 */
public final class RoutingTable {
    /** An event that does not fit to the table: something was missed, and a new snapshot is needed. */
    static final class GapException extends Exception {
        GapException(String message) {
            super(message);
        }
    }

    private SortedMap<String, ExecutorInfo> executors = new TreeMap<>();
    private Map<String, ShardRoute> shards = new LinkedHashMap<>(); // in table order
    private String incarnation = "";
    private long revision;
    private boolean whole;

    private SortedMap<String, ExecutorInfo> arrivingExecutors = new TreeMap<>();
    private Map<String, ShardRoute> arrivingShards = new LinkedHashMap<>();
    private boolean arriving;

    /**
     * Takes an event in and says what it changed, in an order that tells the story: executors come, shards move,
     * executors go.
     */
    List<RoutingChange> apply(RoutingEvent event) throws GapException {
        return switch (event.getKindCase()) {
            case SNAPSHOT -> snapshot(event, event.getSnapshot());
            case DELTA -> delta(event, event.getDelta());
            case BEAT -> beat(event);
            case KIND_NOT_SET -> List.of(); // a kind that a newer server invented
        };
    }

    /** A new stream begins: what arrived of an unfinished snapshot is worthless. */
    void streamBegins() {
        arriving = false;
    }

    /** Executors by id. */
    public Collection<ExecutorInfo> executors() {
        return Collections.unmodifiableCollection(executors.values());
    }

    /** Routes in table order. */
    public Collection<ShardRoute> shards() {
        return Collections.unmodifiableCollection(shards.values());
    }

    /** Server process that the table came from; empty before the first snapshot is whole. */
    public String incarnation() {
        return incarnation;
    }

    /** Store revision of the table. */
    public long revision() {
        return revision;
    }

    /** Shards that nobody owns. */
    public long unowned() {
        return shards.values().stream()
                .filter(route -> route.getOwner().isEmpty())
                .count();
    }

    private List<RoutingChange> snapshot(RoutingEvent event, RoutingSnapshot part) throws GapException {
        if (part.getFirst()) {
            arriving = true;
            arrivingExecutors = new TreeMap<>();
            arrivingShards = new LinkedHashMap<>();
        } else if (!arriving) {
            throw new GapException("a snapshot began in the middle");
        }
        part.getExecutorsList().forEach(executor -> arrivingExecutors.put(executor.getExecutorId(), executor));
        part.getShardsList().forEach(route -> arrivingShards.put(route.getShardKey(), route));
        if (!part.getLast()) {
            return List.of();
        }
        arriving = false;
        List<RoutingChange> changes = whole ? difference() : List.of(new RoutingChange.TableRead());
        executors = arrivingExecutors;
        shards = arrivingShards;
        whole = true;
        follow(event);
        return changes;
    }

    private List<RoutingChange> difference() {
        List<RoutingChange> changes = new ArrayList<>();
        arrivingExecutors.values().forEach(executor -> compare(executor).ifPresent(changes::add));
        arrivingShards.values().forEach(route -> compare(route).ifPresent(changes::add));
        shards.values().stream()
                .filter(route -> !arrivingShards.containsKey(route.getShardKey()))
                .forEach(route -> changes.add(new RoutingChange.ShardRemoved(route)));
        executors.keySet().stream()
                .filter(id -> !arrivingExecutors.containsKey(id))
                .forEach(id -> changes.add(new RoutingChange.ExecutorRemoved(id)));
        return changes;
    }

    private List<RoutingChange> delta(RoutingEvent event, RoutingDelta delta) throws GapException {
        if (!whole || !incarnation.equals(event.getIncarnation()) || delta.getFromRevision() != revision) {
            throw new GapException("a change from revision " + Long.toUnsignedString(delta.getFromRevision())
                    + " does not fit to revision " + Long.toUnsignedString(revision));
        }
        List<RoutingChange> changes = new ArrayList<>();
        for (ExecutorInfo executor : delta.getExecutorsList()) {
            compare(executor).ifPresent(changes::add);
            executors.put(executor.getExecutorId(), executor);
        }
        for (ShardRoute route : delta.getShardsList()) {
            compare(route).ifPresent(changes::add);
            shards.put(route.getShardKey(), route);
        }
        for (String key : delta.getRemovedShardKeysList()) {
            Optional.ofNullable(shards.remove(key))
                    .ifPresent(route -> changes.add(new RoutingChange.ShardRemoved(route)));
        }
        for (String id : delta.getRemovedExecutorIdsList()) {
            if (executors.remove(id) != null) {
                changes.add(new RoutingChange.ExecutorRemoved(id));
            }
        }
        follow(event);
        return changes;
    }

    private List<RoutingChange> beat(RoutingEvent event) {
        if (whole && incarnation.equals(event.getIncarnation())) {
            revision = event.getRevision();
        }
        return List.of();
    }

    private Optional<RoutingChange> compare(ExecutorInfo after) {
        ExecutorInfo before = executors.get(after.getExecutorId());
        if (before == null) {
            return Optional.of(new RoutingChange.ExecutorAdded(after));
        }
        return before.equals(after) ? Optional.empty() : Optional.of(new RoutingChange.ExecutorUpdated(after));
    }

    private Optional<RoutingChange> compare(ShardRoute after) {
        ShardRoute before = shards.get(after.getShardKey());
        return after.equals(before)
                ? Optional.empty()
                : Optional.of(new RoutingChange.ShardRouted(Optional.ofNullable(before), after));
    }

    private void follow(RoutingEvent event) {
        incarnation = event.getIncarnation();
        revision = event.getRevision();
    }
}
