package io.shardwright.domain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.domain.Namespace.Kind;
import io.shardwright.domain.balance.Balancers;
import java.time.Instant;
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
    private static final int HOSTS = 3;

    @Property(tries = 100)
    void noHistoryBreaksTheTransitionRules(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        ShardTable table = ShardTable.initial(new Kind.Fixed(SHARDS), random.nextInt(5));
        TreeMap<ExecutorId, Executor> executors = new TreeMap<>();
        Drains drains = Drains.NONE;
        for (int step = 0; step < STEPS; step++) {
            Situation.Events events = draw(random, table, executors, drains);
            Situation situation =
                    new Situation(table, executors, drains, events, shard -> OptionalDouble.empty(), random.nextInt(2));
            Decision decision =
                    Decider.decide(situation, Balancers.named("naive").orElseThrow());
            assertEquals(
                    decision, Decider.decide(situation, Balancers.named("naive").orElseThrow()), "pure");
            ShardTable after =
                    table.with(decision.change().shards(), decision.change().goneShards());
            TreeMap<ExecutorId, Executor> known = new TreeMap<>(executors);
            known.putAll(decision.change().executors());
            decision.change().goneExecutors().forEach(known::remove);
            drains = events.drains().orElse(drains);
            assertEquals(
                    decision.change().drains(), events.drains().filter(wanted -> !wanted.equals(situation.drains())));
            checkStep(table, after, events, known);
            checkDrains(table, after, drains, known);
            table = after;
            executors = known;
        }
    }

    private static void checkStep(
            ShardTable before, ShardTable after, Situation.Events events, TreeMap<ExecutorId, Executor> known) {
        assertEquals(SHARDS, after.size(), "no shard is lost");
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
        });
    }

    private static void checkDrains(
            ShardTable before, ShardTable after, Drains drains, TreeMap<ExecutorId, Executor> known) {
        boolean anybody =
                known.values().stream().anyMatch(e -> e.status() == Executor.Status.ACTIVE && !drains.drained(e));
        after.forEach(now -> {
            Shard was = before.find(now.key()).orElseThrow();
            if (drains.drained(now.key())) {
                boolean goes =
                        switch (now.state()) {
                            case Shard.State.Unassigned() -> true;
                            case Shard.State.Assigned assigned -> false;
                            case Shard.State.Releasing(ExecutorId owner, Optional<ExecutorId> next) -> next.isEmpty();
                        };
                assertTrue(goes, () -> "drained and not on its way: " + now);
            } else if (anybody) {
                assertTrue(now.owner().isPresent(), () -> "nobody owns " + now);
            }
            now.owner()
                    .filter(owner -> !Optional.of(owner).equals(was.owner()))
                    .ifPresent(owner -> assertFalse(
                            drains.drained(Optional.ofNullable(known.get(owner)).orElseThrow()),
                            () -> "given to a drained host: " + was + " -> " + now));
            if (anybody && now.state() instanceof Shard.State.Assigned(ExecutorId owner)) {
                assertFalse(
                        drains.drained(Optional.ofNullable(known.get(owner)).orElseThrow()),
                        () -> "left on a drained host: " + now);
            }
        });
    }

    private static Optional<Drains> draw(SplittableRandom random, Drains drains) {
        Drain drain = new Drain("test", "", Instant.EPOCH);
        List<ShardKey> keys = List.of(new ShardKey(Integer.toString(random.nextInt(SHARDS))));
        List<String> hosts = List.of("h" + random.nextInt(HOSTS));
        return switch (random.nextInt(8)) {
            case 0 -> Optional.of(drains.withShards(keys, drain));
            case 1 -> Optional.of(drains.withoutShards(keys));
            case 2 -> Optional.of(drains.withHosts(hosts, drain));
            case 3 -> Optional.of(drains.withoutHosts(hosts));
            default -> Optional.empty();
        };
    }

    private static Situation.Events draw(
            SplittableRandom random, ShardTable table, TreeMap<ExecutorId, Executor> executors, Drains drains) {
        TreeMap<ExecutorId, Executor> registered = new TreeMap<>();
        TreeSet<ExecutorId> replaced = new TreeSet<>();
        TreeSet<ExecutorId> lost = new TreeSet<>();
        TreeSet<ShardKey> freed = new TreeSet<>();
        TreeMap<ShardKey, Long> raised = new TreeMap<>();
        ExecutorId id = new ExecutorId("e" + random.nextInt(5));
        Executor known = executors.get(id);
        switch (random.nextInt(6)) {
            case 0, 1 -> {
                Executor executor = new Executor(
                        id,
                        "p" + random.nextInt(1000),
                        "",
                        "h" + random.nextInt(HOSTS),
                        new TreeMap<>(),
                        Executor.Status.ACTIVE);
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
        return new Situation.Events(
                registered, replaced, lost, freed, new TreeSet<>(), new TreeSet<>(), draw(random, drains), raised);
    }
}
