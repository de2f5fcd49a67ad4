package io.shardwright.domain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.domain.Namespace.Kind;
import io.shardwright.domain.balance.Balancers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Random histories of a namespace: whatever happens, the transition table of {@link Shard} is kept. */
class DeciderPropertyTest {

    private static final int SHARDS = 20;
    private static final int STEPS = 40;

    @Property(tries = 100)
    void noHistoryBreaksTheTransitionRules(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        ShardTable table = ShardTable.initial(new Kind.Fixed(SHARDS), random.nextInt(5));
        TreeMap<ExecutorId, Executor> executors = new TreeMap<>();
        for (int step = 0; step < STEPS; step++) {
            Situation.Events events = draw(random, table, executors);
            Situation situation =
                    new Situation(table, executors, events, shard -> OptionalDouble.empty(), random.nextInt(2));
            Decision decision =
                    Decider.decide(situation, Balancers.named("naive").orElseThrow());
            assertEquals(
                    decision, Decider.decide(situation, Balancers.named("naive").orElseThrow()), "pure");
            ShardTable after =
                    table.with(decision.change().shards(), decision.change().goneShards());
            TreeMap<ExecutorId, Executor> known = new TreeMap<>(executors);
            known.putAll(decision.change().executors());
            decision.change().goneExecutors().forEach(known::remove);
            checkStep(table, after, events, known);
            table = after;
            executors = known;
        }
    }

    private static void checkStep(
            ShardTable before, ShardTable after, Situation.Events events, TreeMap<ExecutorId, Executor> known) {
        assertEquals(SHARDS, after.size(), "no shard is lost");
        boolean anybody = known.values().stream().anyMatch(e -> e.status() == Executor.Status.ACTIVE);
        after.forEach(now -> {
            Shard was = before.find(now.key()).orElseThrow();
            assertTrue(now.epoch() >= was.epoch(), () -> "epoch fell: " + was + " -> " + now);
            Optional<ExecutorId> owner = now.owner();
            owner.ifPresent(id -> assertTrue(known.containsKey(id), () -> "owner unknown: " + now));
            boolean mayLose = was.owner().isEmpty()
                    || events.lost().contains(was.owner().get())
                    || events.replaced().contains(was.owner().get())
                    || events.freed().contains(was.key());
            if (!owner.equals(was.owner())) {
                assertTrue(mayLose, () -> "taken from a live owner: " + was + " -> " + now);
                assertTrue(owner.isEmpty() || now.epoch() > was.epoch(), () -> "owner changed, epoch did not: " + now);
            }
            if (mayLose && was.owner().isPresent() && now.state() instanceof Shard.State.Assigned) {
                assertTrue(now.epoch() > was.epoch(), () -> "granted anew at the same epoch: " + was + " -> " + now);
            }
            if (anybody) {
                assertTrue(owner.isPresent(), () -> "nobody owns " + now);
            }
        });
    }

    private static Situation.Events draw(
            SplittableRandom random, ShardTable table, TreeMap<ExecutorId, Executor> executors) {
        TreeMap<ExecutorId, Executor> registered = new TreeMap<>();
        TreeSet<ExecutorId> replaced = new TreeSet<>();
        TreeSet<ExecutorId> lost = new TreeSet<>();
        TreeSet<ShardKey> freed = new TreeSet<>();
        TreeMap<ShardKey, Long> raised = new TreeMap<>();
        ExecutorId id = new ExecutorId("e" + random.nextInt(5));
        Executor known = executors.get(id);
        switch (random.nextInt(6)) {
            case 0, 1 -> {
                Executor executor =
                        new Executor(id, "p" + random.nextInt(1000), "", "", new TreeMap<>(), Executor.Status.ACTIVE);
                registered.put(id, executor);
                if (known != null && !known.processId().equals(executor.processId())) {
                    replaced.add(id);
                }
            }
            case 2 -> {
                if (known != null) {
                    lost.add(id);
                }
            }
            case 3 -> {
                if (known != null) {
                    registered.put(id, known.withStatus(Executor.Status.LEAVING));
                }
            }
            case 4 -> {
                ShardKey key = new ShardKey(Integer.toString(random.nextInt(SHARDS)));
                raised.put(key, table.find(key).orElseThrow().epoch() + random.nextInt(10));
            }
            default -> {}
        }
        List<Shard> owned = new ArrayList<>();
        table.forEach(shard -> shard.owner().ifPresent(owner -> owned.add(shard)));
        for (Shard shard : owned) {
            if (random.nextInt(4) == 0) {
                freed.add(shard.key());
            }
        }
        return new Situation.Events(registered, replaced, lost, freed, new TreeSet<>(), new TreeSet<>(), raised);
    }
}
