package io.shardwright.rpc.service;

import io.shardwright.control.NamespaceView;
import io.shardwright.domain.Executor;
import io.shardwright.domain.ExecutorId;
import io.shardwright.domain.Segment;
import io.shardwright.domain.Shard;
import io.shardwright.proto.v1.ExecutorInfo;
import io.shardwright.proto.v1.RoutingDelta;
import io.shardwright.proto.v1.ShardRoute;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What routers have to know of a change: owners, epochs, and the executors' addresses and labels. A shard that is asked
 * to be released keeps its owner, so it is no change here.
 */
final class RoutingChanges {

    private RoutingChanges() {}

    /** Returns what differs between two states of one namespace. O(executors + shards of the changed segments). */
    static RoutingDelta between(NamespaceView before, NamespaceView after) {
        RoutingDelta.Builder delta = RoutingDelta.newBuilder().setFromRevision(before.revision());
        executors(before.executors(), after.executors(), delta);
        for (int id : after.table().segmentsChangedSince(before.table())) {
            segment(before.table().segment(id), after.table().segment(id), delta);
        }
        return delta.build();
    }

    /** Tells whether a delta says nothing but a new revision. */
    static boolean isEmpty(RoutingDelta delta) {
        return entries(delta) == 0;
    }

    /** Returns how much a delta says. */
    static int entries(RoutingDelta delta) {
        return delta.getExecutorsCount()
                + delta.getRemovedExecutorIdsCount()
                + delta.getShardsCount()
                + delta.getRemovedShardKeysCount();
    }

    /** Returns one delta that leads where several, one after the other, lead. */
    static RoutingDelta merged(List<RoutingDelta> deltas) {
        TreeMap<String, Optional<ExecutorInfo>> executors = new TreeMap<>();
        TreeMap<String, Optional<ShardRoute>> shards = new TreeMap<>();
        for (RoutingDelta delta : deltas) {
            delta.getRemovedExecutorIdsList().forEach(id -> executors.put(id, Optional.empty()));
            delta.getExecutorsList().forEach(info -> executors.put(info.getExecutorId(), Optional.of(info)));
            delta.getRemovedShardKeysList().forEach(key -> shards.put(key, Optional.empty()));
            delta.getShardsList().forEach(route -> shards.put(route.getShardKey(), Optional.of(route)));
        }
        RoutingDelta.Builder merged =
                RoutingDelta.newBuilder().setFromRevision(deltas.get(0).getFromRevision());
        executors.forEach(
                (id, info) -> info.ifPresentOrElse(merged::addExecutors, () -> merged.addRemovedExecutorIds(id)));
        shards.forEach((key, route) -> route.ifPresentOrElse(merged::addShards, () -> merged.addRemovedShardKeys(key)));
        return merged.build();
    }

    private static void executors(
            SortedMap<ExecutorId, Executor> before, SortedMap<ExecutorId, Executor> after, RoutingDelta.Builder delta) {
        after.forEach((id, executor) -> {
            Executor known = before.get(id);
            if (known == null || !sameForRouters(known, executor)) {
                delta.addExecutors(ToWire.executor(executor));
            }
        });
        TreeSet<ExecutorId> gone = new TreeSet<>(before.keySet());
        gone.removeAll(after.keySet());
        gone.forEach(id -> delta.addRemovedExecutorIds(id.value()));
    }

    private static boolean sameForRouters(Executor one, Executor other) {
        return one.address().equals(other.address())
                && one.host().equals(other.host())
                && one.labels().equals(other.labels());
    }

    /** Both segments have their shards in the same order: by number, where they are the same shards, else by key. */
    private static void segment(Segment before, Segment after, RoutingDelta.Builder delta) {
        int b = 0;
        int a = 0;
        while (b < before.size() || a < after.size()) {
            int order = order(before, b, after, a);
            if (order < 0) {
                delta.addRemovedShardKeys(before.at(b++).key().value());
            } else if (order > 0) {
                delta.addShards(ToWire.route(after.at(a++)));
            } else {
                Shard shard = after.at(a++);
                if (!sameRoute(before.at(b++), shard)) {
                    delta.addShards(ToWire.route(shard));
                }
            }
        }
    }

    private static int order(Segment before, int b, Segment after, int a) {
        if (b == before.size()) {
            return 1;
        }
        if (a == after.size()) {
            return -1;
        }
        return before.at(b).key().compareTo(after.at(a).key());
    }

    private static boolean sameRoute(Shard one, Shard other) {
        return one.epoch() == other.epoch() && one.owner().equals(other.owner());
    }
}
