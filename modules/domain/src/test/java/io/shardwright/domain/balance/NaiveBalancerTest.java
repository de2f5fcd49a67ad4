package io.shardwright.domain.balance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.domain.ExecutorId;
import io.shardwright.domain.Namespace.Kind;
import io.shardwright.domain.Shard;
import io.shardwright.domain.ShardKey;
import io.shardwright.domain.ShardTable;
import io.shardwright.domain.balance.Plan.Move;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class NaiveBalancerTest {

    private static final ExecutorId A = new ExecutorId("a");
    private static final ExecutorId B = new ExecutorId("b");
    private static final ExecutorId C = new ExecutorId("c");

    private final NaiveBalancer balancer = new NaiveBalancer();

    @Test
    void shardsWithoutOwnerAreSpreadEvenlyWhereNothingIsMeasured() {
        ShardTable table = ShardTable.initial(new Kind.Fixed(10), 0);
        ShardTable after = carryOut(table, plan(table, List.of(A, B, C), NaiveBalancerTest::unmeasured, 0));
        assertEquals(Map.of(A, 4, B, 3, C, 3), counts(after));
    }

    @Test
    void aShardWithoutOwnerGoesToTheLeastLoadedNotToTheOneWithFewestShards() {
        ShardTable table = owners(A, B, B);
        table = table.with(List.of(Shard.unassigned(key(2), 4)), List.of());
        Function<Shard, OptionalDouble> loads =
                shard -> shard.key().equals(key(0)) ? OptionalDouble.of(10) : OptionalDouble.of(1);
        ShardTable wide = owners(A, B, B, B).with(List.of(Shard.unassigned(key(3), 4)), List.of());
        assertEquals(
                Optional.of(B),
                plan(table, List.of(A, B), loads, 0).moves().get(0).to());
        assertEquals(
                Optional.of(B),
                plan(wide, List.of(A, B), loads, 0).moves().get(0).to());
    }

    @Test
    void aJoiningExecutorGetsItsShareAndNothingMovesBetweenTheOthers() {
        ShardTable table = owners(A, A, A, A, B, B, B, B);
        List<Move> moves =
                plan(table, List.of(A, B, C), NaiveBalancerTest::unmeasured, 0).moves();
        assertEquals(2, moves.size(), "8 shards on 3 executors: the joiner's share is 2");
        assertTrue(moves.stream().allMatch(move -> move.to().equals(Optional.of(C))));
        assertEquals(Map.of(A, 3, B, 3, C, 2), counts(carryOut(table, new Plan(moves))));
    }

    @Test
    void shardsOfAnExecutorThatLeavesMoveAndNoOthers() {
        ShardTable table = owners(A, A, B, B, C, C);
        List<Move> moves =
                plan(table, List.of(A, B), NaiveBalancerTest::unmeasured, 0).moves();
        assertEquals(2, moves.size());
        assertTrue(moves.stream().allMatch(move -> move.from().equals(Optional.of(C))));
        assertEquals(Map.of(A, 3, B, 3), counts(carryOut(table, new Plan(moves))));
    }

    @Test
    void aShardOnItsWayCountsForItsTargetAndIsLeftAlone() {
        ShardTable table = owners(A, A, A, A)
                .with(List.of(owners(A, A, A, A).find(key(3)).orElseThrow().release(A, Optional.of(B))), List.of());
        assertEquals(
                List.of(),
                plan(table, List.of(A, B), NaiveBalancerTest::unmeasured, 0).moves());
    }

    @Test
    void theHottestShardMovesWhenOneExecutorIsTwiceAsLoaded() {
        ShardTable table = owners(A, A, B);
        double[] load = {3, 2, 1};
        Function<Shard, OptionalDouble> loads =
                shard -> OptionalDouble.of(load[Integer.parseInt(shard.key().value())]);
        List<Move> moves = plan(table, List.of(A, B), loads, 1).moves();
        assertEquals(1, moves.size());
        assertEquals(key(0), moves.get(0).shard());
        assertEquals(Optional.of(B), moves.get(0).to());
        assertTrue(moves.get(0).reason().contains("3.00"), moves.get(0).reason());
    }

    @Test
    void noLoadMoveIsMadeThatOnlySwapsTheHotSpot() {
        ShardTable table = owners(A, B);
        Function<Shard, OptionalDouble> loads =
                shard -> OptionalDouble.of(shard.key().equals(key(0)) ? 10 : 1);
        assertEquals(List.of(), plan(table, List.of(A, B), loads, 1).moves());
    }

    @Test
    void anUnmeasuredShardNeverMovesForItsLoad() {
        ShardTable table = owners(A, A, A, B);
        assertEquals(
                List.of(),
                plan(table, List.of(A, B), NaiveBalancerTest::unmeasured, 1).moves());
    }

    @Test
    void shardsOfALeavingExecutorAreLetGoEvenWhenNobodyCanTakeThem() {
        List<Move> moves =
                plan(owners(A, A), List.of(), NaiveBalancerTest::unmeasured, 0).moves();
        assertEquals(2, moves.size());
        assertTrue(moves.stream().allMatch(move -> move.to().isEmpty()));
    }

    private Plan plan(
            ShardTable table, List<ExecutorId> eligible, Function<Shard, OptionalDouble> load, int loadMoves) {
        return balancer.plan(new BalanceInput(table, eligible, load, loadMoves));
    }

    private static OptionalDouble unmeasured(Shard shard) {
        return OptionalDouble.empty();
    }

    private static ShardKey key(int number) {
        return new ShardKey(Integer.toString(number));
    }

    private static ShardTable owners(ExecutorId... owners) {
        List<Shard> shards = new ArrayList<>();
        for (int i = 0; i < owners.length; i++) {
            shards.add(Shard.unassigned(key(i), 0).assignTo(owners[i]));
        }
        return ShardTable.initial(new Kind.Fixed(owners.length), 0).with(shards, List.of());
    }

    static ShardTable carryOut(ShardTable table, Plan plan) {
        List<Shard> shards = new ArrayList<>();
        for (Move move : plan.moves()) {
            Shard shard = table.find(move.shard()).orElseThrow();
            shards.add(move.to().map(shard::assignTo).orElseGet(shard::unassign));
        }
        return table.with(shards, List.of());
    }

    static Map<ExecutorId, Integer> counts(ShardTable table) {
        Map<ExecutorId, Integer> counts = new TreeMap<>();
        table.forEach(shard -> shard.owner().ifPresent(owner -> counts.merge(owner, 1, Integer::sum)));
        return counts;
    }
}
