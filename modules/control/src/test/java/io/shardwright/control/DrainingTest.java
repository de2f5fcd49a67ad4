package io.shardwright.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.control.FaultyStore.Fate;
import io.shardwright.domain.Namespace;
import io.shardwright.domain.NamespaceName;
import io.shardwright.domain.ShardKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Shards and hosts that operators keep free of work. */
class DrainingTest {

    private static final List<Namespace> TWELVE = List.of(Cluster.fixedNamespace(12));

    private final Cluster cluster = Cluster.fixed(12);

    private static List<ShardKey> keys(String... keys) {
        return List.of(keys).stream().map(ShardKey::new).toList();
    }

    private List<String> drain(String... keys) {
        return cluster.ok((Call<Answers.Drained> call) ->
                        cluster.plane.drainShards(Cluster.NS, keys(keys), "ann", "broken", call))
                .changed();
    }

    private List<String> undrain(String... keys) {
        return cluster.ok((Call<Answers.Drained> call) -> cluster.plane.undrainShards(Cluster.NS, keys(keys), call))
                .changed();
    }

    private List<String> drainHosts(String... hosts) {
        return cluster.ok((Call<Answers.Drained> call) ->
                        cluster.plane.drainHosts(Cluster.NS, List.of(hosts), "ann", "kernel", call))
                .changed();
    }

    private Answers.DrainList listed() {
        return cluster.ok((Call<Answers.DrainList> call) -> cluster.plane.listDrains(Cluster.NS, call));
    }

    private Reply.Refusal lookup(String key) {
        return cluster.refused((Call<Answers.Owner> call) -> cluster.plane.lookup(Cluster.NS, new ShardKey(key), call));
    }

    @Test
    void aDrainedShardIsReleasedRefusedToRoutersAndComesBackWhenItIsTakenBack() {
        ModelExecutor a = cluster.join("a");
        long epoch = cluster.shard("3").epoch();
        assertEquals(List.of("3"), drain("3"));
        var refusal = assertInstanceOf(Reply.Refusal.ShardDrained.class, lookup("3"));
        assertEquals("ann", refusal.drain().by());
        cluster.time.advance(Duration.ofSeconds(1));
        assertEquals(11, a.set.size(), "the executor was told");
        assertEquals(Optional.empty(), cluster.shard("3").owner());
        cluster.join("b");
        cluster.time.advance(Duration.ofSeconds(2));
        assertEquals(Optional.empty(), cluster.shard("3").owner(), "nobody gets it");
        assertEquals(List.of("3"), undrain("3", "4"), "only what was drained");
        cluster.time.advance(Duration.ofSeconds(1));
        assertTrue(cluster.shard("3").owner().isPresent());
        assertTrue(cluster.shard("3").epoch() > epoch);
    }

    @Test
    void drainsAreIdempotentAndTheFirstOneStays() {
        assertEquals(List.of("1", "2"), drain("2", "1"));
        cluster.ok(
                (Call<Answers.Drained> call) -> cluster.plane.drainShards(Cluster.NS, keys("2"), "bob", "later", call));
        assertEquals(
                List.of("ann", "ann"),
                listed().shards().stream().map(shard -> shard.drain().by()).toList());
        assertEquals(List.of(), drain("1"));
    }

    @Test
    void aShardThatAFixedNamespaceDoesNotHaveCannotBeDrained() {
        Reply.Refusal refusal = cluster.refused(
                (Call<Answers.Drained> call) -> cluster.plane.drainShards(Cluster.NS, keys("3", "99"), "", "", call));
        assertEquals(new Reply.Refusal.NoSuchShard(Cluster.NS, new ShardKey("99")), refusal);
        assertEquals(List.of(), listed().shards(), "nothing is half done");
    }

    @Test
    void badTextIsRefusedByNameAndOthersThatWaitAreServed() {
        cluster.join("a");
        var refusal = assertInstanceOf(
                Reply.Refusal.Invalid.class,
                cluster.refused((Call<Answers.Drained> call) ->
                        cluster.plane.drainShards(Cluster.NS, keys("1"), "x".repeat(200), "", call)));
        assertEquals("drained_by", refusal.field());
        assertEquals(List.of("1"), drain("1"));
    }

    @Test
    void aDrainedHostHandsOverAndTheListSaysWhenItIsSafeToKill() {
        ModelExecutor a = cluster.join("a");
        cluster.join("b");
        cluster.time.advance(Duration.ofSeconds(1));
        assertEquals(Map.of("a", 6, "b", 6), cluster.counts());
        assertEquals(List.of("host-a"), drainHosts("host-a"));
        Answers.DrainedHost before = listed().hosts().get(0);
        assertEquals(1, before.executors());
        cluster.time.advance(Duration.ofSeconds(1));
        a.renew();
        assertEquals(Map.of("b", 12), cluster.counts());
        Answers.DrainedHost after = listed().hosts().get(0);
        assertEquals(
                "host-a 1 0 kernel",
                after.host() + " " + after.executors() + " " + after.shards() + " "
                        + after.drain().reason());
        cluster.ok((Call<Answers.Drained> call) -> cluster.plane.undrainHosts(Cluster.NS, List.of("host-a"), call));
        cluster.time.advance(Duration.ofSeconds(1));
        assertEquals(Map.of("a", 6, "b", 6), cluster.counts());
    }

    @Test
    void anExecutorThatRegistersFromADrainedHostGetsNothingUntilItIsTakenBack() {
        drainHosts("host-b");
        cluster.join("a");
        ModelExecutor b = cluster.join("b");
        cluster.time.advance(Duration.ofSeconds(1));
        assertEquals(0, b.set.size());
        assertEquals(Map.of("a", 12), cluster.counts());
    }

    @ParameterizedTest
    @EnumSource(
            value = Fate.class,
            names = {"ANSWERED", "APPLIED_LOST", "NOT_APPLIED_LOST", "APPLIED_LATE"})
    void anAcknowledgedDrainSurvivesTheServer(Fate fate) {
        cluster.join("a");
        cluster.store.next(fate);
        assertEquals(List.of("3"), drain("3"));
        drainHosts("host-x");
        cluster.time.advance(Duration.ofSeconds(1));
        Answers.DrainList before = listed();
        cluster.crashAndRestart(TWELVE);
        assertEquals(before.shards().get(0).drain(), listed().shards().get(0).drain());
        assertEquals(before.hosts(), listed().hosts());
        assertInstanceOf(Reply.Refusal.ShardDrained.class, lookup("3"));
        assertEquals(Optional.empty(), cluster.shard("3").owner());
    }

    @Test
    void aDrainThatIsNotStoredIsNotAcknowledged() {
        cluster.join("a");
        cluster.store.full = true;
        assertInstanceOf(
                Reply.Refusal.StoreUnavailable.class,
                cluster.refused((Call<Answers.Drained> call) ->
                        cluster.plane.drainShards(Cluster.NS, keys("3"), "", "", call)));
        cluster.store.full = false;
        cluster.time.advance(Duration.ofSeconds(1));
        assertEquals(List.of(), listed().shards());
        assertTrue(cluster.shard("3").owner().isPresent());
    }

    @Test
    void aDrainedShardIsNotCountedAsOneThatLacksAnOwner() {
        cluster.join("a");
        drain("3");
        cluster.time.advance(Duration.ofSeconds(5));
        Answers.NamespaceDetails details =
                cluster.ok((Call<Answers.NamespaceDetails> call) -> cluster.plane.describeNamespace(Cluster.NS, call));
        assertEquals(0, details.unassigned());
        assertEquals(Duration.ZERO, details.oldestUnassigned());
        Answers.ShardDetails shard = cluster.ok(
                (Call<Answers.ShardDetails> call) -> cluster.plane.inspectShard(Cluster.NS, new ShardKey("3"), call));
        assertEquals("broken", shard.drain().orElseThrow().reason());
    }

    @Test
    void theEndOfANamespaceEndsItsDrains() {
        drain("3");
        cluster.ok((Call<NamespaceName> call) -> cluster.plane.deleteNamespace(Cluster.NS, call));
        cluster.ok((Call<Answers.Created> call) -> cluster.plane.createNamespace(Cluster.fixedNamespace(12), call));
        assertEquals(List.of(), listed().shards());
    }

    @Test
    void anEphemeralShardThatIsDrainedIsNotCreated() {
        Cluster ephemeral = Cluster.ephemeral();
        ephemeral.join("a");
        ephemeral.ok(
                (Call<Answers.Drained> call) -> ephemeral.plane.drainShards(Cluster.NS, keys("user-1"), "", "", call));
        assertInstanceOf(
                Reply.Refusal.ShardDrained.class,
                ephemeral.refused((Call<Answers.Owner> call) ->
                        ephemeral.plane.lookup(Cluster.NS, new ShardKey("user-1"), call)));
        assertTrue(ephemeral.view().table().find(new ShardKey("user-1")).isEmpty());
        ephemeral.ok((Call<Answers.Drained> call) -> ephemeral.plane.undrainShards(Cluster.NS, keys("user-1"), call));
        ephemeral.ok((Call<Answers.Owner> call) -> ephemeral.plane.lookup(Cluster.NS, new ShardKey("user-1"), call));
    }
}
