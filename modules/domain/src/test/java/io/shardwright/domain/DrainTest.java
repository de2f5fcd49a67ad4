package io.shardwright.domain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.domain.balance.Balancers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What drains do to decisions. */
class DrainTest {

    private static final Drain FIRST = new Drain("ann", "disk", Instant.EPOCH);
    private static final Drain SECOND = new Drain("bob", "", Instant.EPOCH.plusSeconds(1));

    private ShardTable table = ShardTable.initial(new Namespace.Kind.Fixed(4), 0);
    private final TreeMap<ExecutorId, Executor> executors = new TreeMap<>();
    private Drains drains = Drains.NONE;

    private static ShardKey key(int number) {
        return new ShardKey(Integer.toString(number));
    }

    private static ExecutorId id(String name) {
        return new ExecutorId(name);
    }

    private void executor(String name, String host) {
        executors.put(id(name), new Executor(id(name), "p", "", host, new TreeMap<>(), Executor.Status.ACTIVE));
    }

    private Decision decide(Drains wanted, ShardKey... freed) {
        Situation.Events events = new Situation.Events(
                new TreeMap<>(),
                new TreeSet<>(),
                new TreeSet<>(),
                new TreeSet<>(List.of(freed)),
                new TreeSet<>(),
                new TreeSet<>(),
                Optional.of(wanted),
                new TreeMap<>());
        Decision decision = Decider.decide(
                new Situation(table, executors, drains, events, shard -> OptionalDouble.empty(), 0),
                Balancers.named("naive").orElseThrow());
        drains = decision.change().drains().orElse(drains);
        table = table.with(decision.change().shards(), decision.change().goneShards());
        return decision;
    }

    private List<String> ofEach() {
        List<String> states = new ArrayList<>();
        table.forEach(shard -> states.add(
                switch (shard.state()) {
                    case Shard.State.Unassigned() -> "-";
                    case Shard.State.Assigned(ExecutorId owner) -> owner.value();
                    case Shard.State.Releasing(ExecutorId owner, Optional<ExecutorId> next) ->
                        owner + ">" + next.map(ExecutorId::value).orElse("-");
                }));
        return states;
    }

    @Test
    void aDrainedShardIsTakenFromItsOwnerStaysFreeAndComesBackAtAHigherEpoch() {
        executor("a", "h1");
        decide(Drains.NONE);
        assertEquals(List.of("a", "a", "a", "a"), ofEach());
        Decision drained = decide(Drains.NONE.withShards(List.of(key(2)), FIRST));
        assertEquals("it is drained", drained.transitions().get(0).reason());
        assertEquals(List.of("a", "a", "a>-", "a"), ofEach());
        decide(drains, key(2));
        assertEquals(List.of("a", "a", "-", "a"), ofEach());
        assertTrue(decide(drains).change().isEmpty(), "nothing more to do");
        decide(drains.withoutShards(List.of(key(2))));
        assertEquals(List.of("a", "a", "a", "a"), ofEach());
        assertEquals(2, table.find(key(2)).orElseThrow().epoch());
    }

    @Test
    void aShardOnItsWayThatIsDrainedGoesToNobody() {
        executor("a", "h1");
        decide(Drains.NONE);
        executor("b", "h2");
        decide(Drains.NONE);
        assertEquals(2, ofEach().stream().filter("a>b"::equals).count());
        ShardKey moving = key(ofEach().indexOf("a>b"));
        decide(Drains.NONE.withShards(List.of(moving), FIRST));
        assertEquals("a>-", ofEach().get(Integer.parseInt(moving.value())));
    }

    @Test
    void theExecutorsOnADrainedHostHandOverAndGetNothing() {
        executor("a", "h1");
        executor("b", "h2");
        decide(Drains.NONE);
        assertEquals(2, ofEach().stream().filter("a"::equals).count());
        decide(Drains.NONE.withHosts(List.of("h1"), FIRST));
        assertEquals(2, ofEach().stream().filter("a>b"::equals).count());
        decide(drains, key(0), key(1), key(2), key(3));
        assertEquals(4, ofEach().stream().filter("b"::equals).count());
        decide(drains.withoutHosts(List.of("h1")));
        assertEquals(2, ofEach().stream().filter("b>a"::equals).count(), "it gets its share back");
    }

    @Test
    void whereEveryHostIsDrainedTheShardsStayAndNothingNewIsGiven() {
        executor("a", "h1");
        decide(Drains.NONE.withShards(List.of(key(3)), FIRST));
        assertEquals(List.of("a", "a", "a", "-"), ofEach());
        decide(drains.withHosts(List.of("h1"), FIRST).withoutShards(List.of(key(3))));
        assertEquals(List.of("a", "a", "a", "-"), ofEach());
        executor("b", "h2");
        decide(drains);
        assertEquals(List.of("a>b", "a>b", "a>b", "b"), ofEach());
    }

    @Test
    void theFirstDrainOfAThingStaysAndOnlyItsEndIsCounted() {
        Drains once = Drains.NONE.withShards(List.of(key(1)), FIRST).withHosts(List.of("h"), FIRST);
        assertEquals(once, once.withShards(List.of(key(1)), SECOND).withHosts(List.of("h"), SECOND));
        assertEquals(Drains.NONE, once.withoutShards(List.of(key(1), key(2))).withoutHosts(List.of("h", "i")));
    }

    @Test
    void whatCannotBeDrainedIsNamedWithItsRule() {
        assertThrows(InvalidField.class, () -> new Drain("x".repeat(129), "", Instant.EPOCH));
        assertThrows(InvalidField.class, () -> new Drain("", "a\nb", Instant.EPOCH));
        InvalidField empty = assertThrows(InvalidField.class, () -> Drains.NONE.withHosts(List.of(""), FIRST));
        assertEquals("hosts", empty.field());
        List<ShardKey> many = new ArrayList<>();
        for (int i = 0; i <= 10_000; i++) {
            many.add(key(i));
        }
        InvalidField tooMany = assertThrows(InvalidField.class, () -> Drains.NONE.withShards(many, FIRST));
        assertEquals("must be at most 10000", tooMany.rule());
    }
}
