package io.shardwright.rpc.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.control.NamespaceView;
import io.shardwright.domain.Executor;
import io.shardwright.domain.ExecutorId;
import io.shardwright.domain.Namespace;
import io.shardwright.domain.NamespaceName;
import io.shardwright.domain.Shard;
import io.shardwright.domain.ShardKey;
import io.shardwright.domain.ShardTable;
import io.shardwright.proto.v1.ExecutorInfo;
import io.shardwright.proto.v1.RoutingDelta;
import io.shardwright.proto.v1.RoutingEvent;
import io.shardwright.proto.v1.ShardRoute;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What counts as a change for routers, how changes add up, and how a table is cut into parts. */
final class RoutingChangesTest {

    private static final ExecutorId A = new ExecutorId("a");
    private static final ExecutorId B = new ExecutorId("b");
    private static final Namespace FIXED =
            new Namespace(new NamespaceName("f"), new Namespace.Kind.Fixed(12_000), Namespace.DEFAULT_LEASE, "naive");
    private static final Namespace EPHEMERAL =
            new Namespace(new NamespaceName("e"), new Namespace.Kind.Ephemeral(), Namespace.DEFAULT_LEASE, "naive");

    @Test
    void aShardThatIsAskedToBeReleasedIsNoChangeForRouters() {
        NamespaceView owned = with(empty(FIXED, 1), 2, shard("7", 1).assignTo(A));
        Shard releasing = new Shard(new ShardKey("7"), 2, new Shard.State.Releasing(A, Optional.of(B)));
        RoutingDelta delta = RoutingChanges.between(owned, with(owned, 3, releasing));
        assertTrue(RoutingChanges.isEmpty(delta));
        assertEquals(2, delta.getFromRevision());
    }

    @Test
    void onlyRoutesThatChangedAreTold() {
        NamespaceView before = with(
                empty(FIXED, 1), 2, shard("7", 1).assignTo(A), shard("300", 1).assignTo(A));
        NamespaceView after = with(before, 3, shard("300", 2).assignTo(B));
        RoutingDelta delta = RoutingChanges.between(before, after);
        assertEquals(
                List.of(ShardRoute.newBuilder()
                        .setShardKey("300")
                        .setOwner("b")
                        .setEpoch(3)
                        .build()),
                delta.getShardsList());
    }

    @Test
    void shardsOfAnEphemeralNamespaceComeAndGo() {
        NamespaceView before = with(
                empty(EPHEMERAL, 1), 2, shard("x", 1).assignTo(A), shard("y", 1).assignTo(A));
        ShardTable table = before.table().with(List.of(shard("z", 1).assignTo(B)), List.of(new ShardKey("x")));
        NamespaceView after = new NamespaceView(EPHEMERAL, 3, table, before.executors());
        RoutingDelta delta = RoutingChanges.between(before, after);
        assertEquals(List.of("x"), delta.getRemovedShardKeysList());
        assertEquals(
                List.of("z"),
                delta.getShardsList().stream().map(ShardRoute::getShardKey).toList());
    }

    @Test
    void anExecutorIsToldWhenRoutersSeeADifference() {
        NamespaceView before = withExecutor(empty(FIXED, 1), 2, executor(A, "p1", "one:1"));
        NamespaceView restarted = withExecutor(before, 3, executor(A, "p2", "one:1"));
        assertTrue(
                RoutingChanges.isEmpty(RoutingChanges.between(before, restarted)), "the process is not theirs to know");
        NamespaceView moved = withExecutor(before, 4, executor(A, "p2", "two:1"));
        assertEquals(
                "two:1",
                RoutingChanges.between(restarted, moved).getExecutors(0).getAddress());
        assertEquals(
                List.of("a"), RoutingChanges.between(moved, empty(FIXED, 5)).getRemovedExecutorIdsList());
    }

    @Test
    void mergedChangesKeepTheLastWord() {
        RoutingDelta one = RoutingDelta.newBuilder()
                .setFromRevision(4)
                .addShards(route("x", "a", 1))
                .addShards(route("y", "a", 1))
                .addRemovedExecutorIds("c")
                .addExecutors(ExecutorInfo.newBuilder().setExecutorId("b"))
                .build();
        RoutingDelta two = RoutingDelta.newBuilder()
                .setFromRevision(5)
                .addShards(route("x", "b", 2))
                .addRemovedShardKeys("y")
                .addRemovedExecutorIds("b")
                .addExecutors(ExecutorInfo.newBuilder().setExecutorId("c"))
                .build();
        assertEquals(
                RoutingDelta.newBuilder()
                        .setFromRevision(4)
                        .addShards(route("x", "b", 2))
                        .addRemovedShardKeys("y")
                        .addRemovedExecutorIds("b")
                        .addExecutors(ExecutorInfo.newBuilder().setExecutorId("c"))
                        .build(),
                RoutingChanges.merged(List.of(one, two)));
    }

    @Test
    void historyIsBoundedByWhatItHoldsAndSaysWhenItForgot() {
        RoutingHistory history = new RoutingHistory("i", new RoutingHistory.Limits(100, 3, 2), 1);
        for (long revision = 1; revision < 5; revision++) {
            history.add(
                    RoutingDelta.newBuilder()
                            .setFromRevision(revision)
                            .addShards(route("s" + revision, "a", revision))
                            .build(),
                    revision + 1);
        }
        assertTrue(history.after(1).isEmpty(), "forgotten: only three routes are kept");
        RoutingEvent event = history.after(2).orElseThrow();
        assertEquals(2, event.getDelta().getShardsCount(), "as much as fits one message");
        assertEquals(4, event.getRevision());
        assertEquals(5, history.after(4).orElseThrow().getRevision());
    }

    @Test
    void aTableIsCutIntoPartsThatAddUp() {
        NamespaceView view = withExecutor(empty(FIXED, 9), 9, executor(A, "p", "one:1"));
        RoutingParts parts = new RoutingParts("i");
        List<RoutingEvent> all = new ArrayList<>();
        Optional<RoutingParts.Place> place = Optional.of(RoutingParts.Place.BEGIN);
        while (place.isPresent()) {
            RoutingParts.Part part = parts.part(view, place.get());
            all.add(part.event());
            place = part.next();
        }
        assertEquals(3, all.size());
        assertEquals(
                12_000,
                all.stream()
                        .mapToInt(event -> event.getSnapshot().getShardsCount())
                        .sum());
        assertEquals(
                1,
                all.stream()
                        .mapToInt(event -> event.getSnapshot().getExecutorsCount())
                        .sum());
        for (int i = 0; i < all.size(); i++) {
            assertEquals(i == 0, all.get(i).getSnapshot().getFirst());
            assertEquals(i == all.size() - 1, all.get(i).getSnapshot().getLast());
            assertEquals(9, all.get(i).getRevision());
        }
    }

    private static ShardRoute route(String key, String owner, long epoch) {
        return ShardRoute.newBuilder()
                .setShardKey(key)
                .setOwner(owner)
                .setEpoch(epoch)
                .build();
    }

    private static Shard shard(String key, long epoch) {
        return Shard.unassigned(new ShardKey(key), epoch);
    }

    private static Executor executor(ExecutorId id, String process, String address) {
        return new Executor(id, process, address, "", new TreeMap<>(), Executor.Status.ACTIVE);
    }

    private static NamespaceView empty(Namespace namespace, long revision) {
        return new NamespaceView(namespace, revision, ShardTable.initial(namespace.kind(), 1), new TreeMap<>());
    }

    private static NamespaceView with(NamespaceView before, long revision, Shard... shards) {
        return new NamespaceView(
                before.namespace(), revision, before.table().with(List.of(shards), List.of()), before.executors());
    }

    private static NamespaceView withExecutor(NamespaceView before, long revision, Executor executor) {
        TreeMap<ExecutorId, Executor> executors = new TreeMap<>(before.executors());
        executors.put(executor.id(), executor);
        return new NamespaceView(before.namespace(), revision, before.table(), executors);
    }
}
