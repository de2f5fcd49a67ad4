package io.shardwright.domain.balance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.domain.ExecutorId;
import io.shardwright.domain.Namespace.Kind;
import io.shardwright.domain.Shard;
import io.shardwright.domain.ShardKey;
import io.shardwright.domain.ShardTable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Function;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class NaiveBalancerPropertyTest {

    private final NaiveBalancer balancer = new NaiveBalancer();

    @Property(tries = 100)
    void planningAgainAfterAPlanWasCarriedOutMovesNothing(
            @ForAll @IntRange(min = 1, max = 300) int shards,
            @ForAll @IntRange(min = 1, max = 12) int executors,
            @ForAll @IntRange(min = 0, max = 12) int before,
            @ForAll long seed) {
        ShardTable table = random(shards, before, seed);
        List<ExecutorId> eligible = executors(executors);
        Plan first = balancer.plan(new BalanceInput(table, eligible, s -> OptionalDouble.empty(), 0));
        ShardTable after = NaiveBalancerTest.carryOut(table, first);
        assertEquals(
                List.of(),
                balancer.plan(new BalanceInput(after, eligible, s -> OptionalDouble.empty(), 0))
                        .moves());
        after.forEach(
                shard -> assertTrue(shard.owner().filter(eligible::contains).isPresent(), shard::toString));
    }

    @Property(tries = 100)
    void anExecutorThatJoinsABalancedNamespaceMovesExactlyItsShare(
            @ForAll @IntRange(min = 1, max = 300) int shards, @ForAll @IntRange(min = 1, max = 12) int executors) {
        ShardTable table = ShardTable.initial(new Kind.Fixed(shards), 0);
        List<ExecutorId> old = executors(executors);
        table = NaiveBalancerTest.carryOut(
                table, balancer.plan(new BalanceInput(table, old, s -> OptionalDouble.empty(), 0)));
        List<ExecutorId> all = executors(executors + 1);
        Plan plan = balancer.plan(new BalanceInput(table, all, s -> OptionalDouble.empty(), 0));
        assertEquals(shards / (executors + 1), plan.moves().size());
        Map<ExecutorId, Integer> counts = NaiveBalancerTest.counts(NaiveBalancerTest.carryOut(table, plan));
        int least = counts.values().stream().mapToInt(i -> i).min().orElse(0);
        int most = counts.values().stream().mapToInt(i -> i).max().orElse(0);
        assertTrue(shards < executors + 1 || most - least <= 1, counts::toString);
    }

    /** Registrations, lookups and losses meet in one plan, and shards are on their way from the plan before. */
    @Property(tries = 300)
    void anExecutorThatJoinsGetsItsShareWhateverElseHappens(
            @ForAll @IntRange(min = 1, max = 120) int shards,
            @ForAll @IntRange(min = 1, max = 8) int executors,
            @ForAll @IntRange(min = 1, max = 3) int joining,
            @ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<ExecutorId> old = executors(executors);
        ShardTable table = ShardTable.initial(new Kind.Fixed(shards), 0);
        table = NaiveBalancerTest.carryOut(
                table, balancer.plan(new BalanceInput(table, old, s -> OptionalDouble.empty(), 0)));
        int homeless = random.nextInt(30);
        int moving = random.nextInt(60);
        List<Shard> changed = new ArrayList<>();
        table.forEach(shard -> {
            int die = random.nextInt(100);
            if (die < homeless) {
                changed.add(shard.unassign());
            } else if (die < homeless + moving) {
                ExecutorId next = old.get(random.nextInt(executors));
                changed.add(shard.release(shard.owner().orElseThrow(), Optional.of(next)));
            }
        });
        table = table.with(changed, List.of());
        List<ExecutorId> all = executors(executors + joining);
        Plan plan = balancer.plan(new BalanceInput(table, all, s -> OptionalDouble.empty(), 0));
        Map<ShardKey, ExecutorId> goesTo = new TreeMap<>();
        table.forEach(shard -> {
            switch (shard.state()) {
                case Shard.State.Unassigned() -> {}
                case Shard.State.Assigned(ExecutorId owner) -> goesTo.put(shard.key(), owner);
                case Shard.State.Releasing(ExecutorId owner, Optional<ExecutorId> next) ->
                    goesTo.put(shard.key(), next.orElseThrow());
            }
        });
        plan.moves().forEach(move -> goesTo.put(move.shard(), move.to().orElseThrow()));
        assertEquals(shards, goesTo.size(), "every shard goes somewhere");
        for (ExecutorId joined : all.subList(executors, executors + joining)) {
            long count = goesTo.values().stream().filter(joined::equals).count();
            assertTrue(count >= shards / all.size(), joined + " gets " + count + " of " + goesTo);
        }
    }

    @Property(tries = 100)
    void constantLoadsComeToRest(
            @ForAll @IntRange(min = 2, max = 60) int shards,
            @ForAll @IntRange(min = 2, max = 6) int executors,
            @ForAll long seed) {
        ShardTable table = random(shards, executors, seed);
        Function<Shard, OptionalDouble> load = shard ->
                OptionalDouble.of(new SplittableRandom(seed ^ shard.key().hashCode()).nextInt(100));
        List<ExecutorId> eligible = executors(executors);
        for (int pass = 0; pass < 500; pass++) {
            Plan plan = balancer.plan(new BalanceInput(table, eligible, load, 1));
            if (plan.moves().isEmpty()) {
                return;
            }
            table = NaiveBalancerTest.carryOut(table, plan);
        }
        throw new AssertionError("still moving after 500 passes");
    }

    @Property(tries = 100)
    void thePlanDoesNotDependOnTheOrderInWhichExecutorsAreNamed(
            @ForAll @IntRange(min = 1, max = 100) int shards,
            @ForAll @IntRange(min = 1, max = 12) int executors,
            @ForAll @IntRange(min = 0, max = 12) int before,
            @ForAll long seed) {
        ShardTable table = random(shards, before, seed);
        List<ExecutorId> eligible = executors(executors);
        List<ExecutorId> shuffled = new ArrayList<>(eligible);
        Collections.shuffle(shuffled, new Random(seed));
        assertEquals(
                balancer.plan(new BalanceInput(table, eligible, s -> OptionalDouble.empty(), 1)),
                balancer.plan(new BalanceInput(table, shuffled, s -> OptionalDouble.empty(), 1)));
    }

    private static List<ExecutorId> executors(int count) {
        List<ExecutorId> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ids.add(new ExecutorId(String.format("e%02d", i)));
        }
        return ids;
    }

    /** A table whose shards belong to some of {@code owners} executors or to nobody. */
    private static ShardTable random(int shards, int owners, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<ExecutorId> ids = executors(owners);
        List<Shard> assigned = new ArrayList<>();
        for (int i = 0; i < shards; i++) {
            int owner = random.nextInt(owners + 1);
            if (owner < owners) {
                assigned.add(
                        Shard.unassigned(new ShardKey(Integer.toString(i)), 0).assignTo(ids.get(owner)));
            }
        }
        return ShardTable.initial(new Kind.Fixed(shards), 0).with(assigned, List.of());
    }
}
