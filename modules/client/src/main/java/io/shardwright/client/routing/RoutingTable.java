package io.shardwright.client.routing;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * An immutable routing table. Any thread may read it.
 *
 * <p>Routes lie in small immutable buckets chosen by the hash of the key. A lookup reads one bucket and returns an
 * {@code Optional} that was built with the table: no lock, no garbage. A change copies the array of buckets and the
 * buckets it touches, not the routes, so a change of one shard among 100,000 costs microseconds.
 */
public final class RoutingTable {

    /** No table yet. */
    static final RoutingTable EMPTY = new RoutingTable("", 0, Collections.emptySortedMap(), Slots.empty());

    private final String incarnation;
    private final long revision;
    private final SortedMap<String, Executor> executors;
    private final Slots slots;

    private RoutingTable(String incarnation, long revision, SortedMap<String, Executor> executors, Slots slots) {
        this.incarnation = incarnation;
        this.revision = revision;
        this.executors = executors;
        this.slots = slots;
    }

    /** Returns the owner of a shard; empty when nobody owns it or the shard is not known here. */
    public Optional<Route> ownerOf(String shardKey) {
        return slots.find(shardKey);
    }

    /** Returns the server process that the table came from; empty when there is no table yet. */
    public String incarnation() {
        return incarnation;
    }

    /** Returns the store revision of the table; 0 when there is no table yet. */
    public long revision() {
        return revision;
    }

    /** Returns the number of shards, owned or not. */
    public int size() {
        return slots.size();
    }

    /** Returns the executors of the namespace by id. */
    public SortedMap<String, Executor> executors() {
        return executors;
    }

    /** Returns the routes of all shards that have an owner, by shard key. Costs a pass over the table. */
    public SortedMap<String, Route> routes() {
        TreeMap<String, Route> routes = new TreeMap<>();
        slots.forEach(slot -> slot.route().ifPresent(route -> routes.put(slot.shardKey(), route)));
        return routes;
    }

    /** Starts a change of this table. */
    Builder change() {
        return new Builder(executors, slots.change());
    }

    /** Returns this table at a later revision. */
    RoutingTable at(long newRevision) {
        return new RoutingTable(incarnation, newRevision, executors, slots);
    }

    /** A change that is being collected; used by one thread, built once. */
    static final class Builder {
        private final TreeMap<String, Executor> executors;
        // Executors that came or changed after routes to them were built.
        private final TreeMap<String, Executor> changed = new TreeMap<>();
        private final Slots.Builder slots;

        private Builder(SortedMap<String, Executor> executors, Slots.Builder slots) {
            this.executors = new TreeMap<>(executors);
            this.slots = slots;
        }

        void executor(Executor executor) {
            if (!executor.equals(executors.put(executor.id(), executor)) && slots.size() > 0) {
                changed.put(executor.id(), executor);
            }
        }

        void removeExecutor(String id) {
            executors.remove(id);
        }

        void shard(String shardKey, String owner, long epoch) {
            slots.put(slot(shardKey, owner, epoch));
        }

        void removeShard(String shardKey) {
            slots.remove(shardKey);
        }

        RoutingTable build(String incarnation, long revision) {
            if (!changed.isEmpty()) {
                // Routes hold their executor, so a new address of an executor has to reach all its routes.
                List<Slots.Slot> readdressed = new ArrayList<>();
                slots.forEach(slot -> {
                    if (changed.containsKey(slot.owner())) {
                        readdressed.add(slot(slot.shardKey(), slot.owner(), slot.epoch()));
                    }
                });
                readdressed.forEach(slots::put);
            }
            return new RoutingTable(incarnation, revision, Collections.unmodifiableSortedMap(executors), slots.build());
        }

        private Slots.Slot slot(String shardKey, String owner, long epoch) {
            if (owner.isEmpty()) {
                return new Slots.Slot(shardKey, owner, epoch, Optional.empty());
            }
            Executor executor = executors.getOrDefault(owner, Executor.unknown(owner));
            return new Slots.Slot(shardKey, owner, epoch, Optional.of(new Route(shardKey, epoch, executor)));
        }
    }
}
