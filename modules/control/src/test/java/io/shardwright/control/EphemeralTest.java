package io.shardwright.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.domain.Shard;
import io.shardwright.domain.ShardKey;
import io.shardwright.persistence.TxnRules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Shards that exist from the first request for their key on. */
class EphemeralTest {

    private final Cluster cluster = Cluster.ephemeral();

    private Answers.Owner lookup(String key) {
        return cluster.ok((Call<Answers.Owner> call) -> cluster.plane.lookup(Cluster.NS, new ShardKey(key), call));
    }

    @Test
    void theFirstRequestCreatesTheShardOnTheLeastLoadedExecutor() {
        cluster.join("a");
        cluster.join("b");
        for (int i = 0; i < 10; i++) {
            assertTrue(lookup("user-" + i).owner().isPresent());
        }
        assertEquals(Map.of("a", 5, "b", 5), cluster.counts());
        long epoch = lookup("user-3").shard().epoch();
        assertEquals(epoch, lookup("user-3").shard().epoch(), "asking again changes nothing");
    }

    @Test
    void withoutExecutorsNothingIsCreated() {
        assertInstanceOf(
                Reply.Refusal.NoExecutors.class,
                cluster.refused(
                        (Call<Answers.Owner> call) -> cluster.plane.lookup(Cluster.NS, new ShardKey("user-1"), call)));
        assertEquals(0, cluster.view().table().size());
    }

    @Test
    void aShardThatIsReportedIdleIsForgottenAndComesBackWithAHigherEpoch() {
        ModelExecutor a = cluster.join("a");
        ShardKey key = new ShardKey("user-1");
        long epoch = lookup("user-1").shard().epoch();
        a.renew(List.of(new Claim(key, epoch, Claim.Activity.IDLE, 0)));
        cluster.time.runUntilIdle();
        assertEquals(Optional.empty(), cluster.view().table().find(key));
        assertTrue(lookup("user-1").shard().epoch() > epoch);
    }

    @Test
    void whatIsReportedWhileAWriteIsUnderWayIsDecidedRightAfterIt() {
        ModelExecutor a = cluster.join("a");
        ShardKey key = new ShardKey("user-1");
        long epoch = lookup("user-1").shard().epoch();
        cluster.store.next(FaultyStore.Fate.NOT_APPLIED_LOST);
        cluster.plane.lookup(Cluster.NS, new ShardKey("user-2"), reply -> {});
        cluster.time.runUntilIdle();
        a.renew(List.of(new Claim(key, epoch, Claim.Activity.IDLE, 0)));
        assertTrue(cluster.view().table().find(key).isPresent());
        cluster.time.advance(Duration.ofMillis(60));
        assertEquals(Optional.empty(), cluster.view().table().find(key));
    }

    @Test
    void shardsTheirOwnersAndEpochsOutliveTheServer() {
        cluster.join("a");
        cluster.join("b");
        for (int i = 0; i < 10; i++) {
            lookup("user-" + i);
        }
        List<Shard> before = shards();
        cluster.crashAndRestart(List.of(cluster.view().namespace()));
        assertEquals(10, before.size());
        assertEquals(before, shards());
    }

    private List<Shard> shards() {
        List<Shard> shards = new ArrayList<>();
        cluster.view().table().forEach(shards::add);
        return shards;
    }

    @Test
    void shardsSurviveTheLossOfEveryExecutor() {
        cluster.join("a");
        lookup("user-1");
        cluster.time.advance(Duration.ofSeconds(20));
        assertEquals(Map.of("-", 1), cluster.counts());
        cluster.join("b");
        assertEquals(Map.of("b", 1), cluster.counts());
    }

    @Test
    void aNewShardIsRefusedWhereItsSegmentWouldNotFitOneRequestAndNothingElseIsHurt() {
        cluster.settings = new ControlSettings("/shardwright/", 128, 64 * 1024, 0.5);
        cluster.crashAndRestart(List.of(cluster.view().namespace()));
        cluster.store.writes.clear();
        // Long ids, and all shards of one segment: the most that a segment can take.
        List<ModelExecutor> executors = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            executors.add(cluster.join("%0120d".formatted(i), "process-" + i));
        }
        List<String> keys = IntStream.range(0, 400_000)
                .mapToObj("user-%06d"::formatted)
                .filter(key -> cluster.view().table().segmentOf(new ShardKey(key)) == 7)
                .limit(400)
                .toList();
        List<Reply<Answers.Owner>> replies = new ArrayList<>();
        keys.forEach(key -> cluster.plane.lookup(Cluster.NS, new ShardKey(key), replies::add));
        cluster.time.advance(Duration.ofSeconds(1));
        List<Reply.Refusal> refusals = replies.stream()
                .filter(Reply.Refused.class::isInstance)
                .map(reply -> ((Reply.Refused<Answers.Owner>) reply).refusal())
                .toList();
        int created = cluster.view().table().size();
        assertTrue(created > 200 && created + refusals.size() == keys.size(), created + " and " + refusals.size());
        Reply.Refusal.NamespaceFull full = assertInstanceOf(Reply.Refusal.NamespaceFull.class, refusals.get(0));
        assertEquals(64 * 1024, full.maxRequestBytes());
        assertInstanceOf(
                Reply.Refusal.NamespaceFull.class,
                cluster.refused((Call<Answers.Owner> call) ->
                        cluster.plane.lookup(Cluster.NS, new ShardKey(keys.get(399)), call)),
                "also when it asks alone");
        assertTrue(lookup("elsewhere").owner().isPresent(), "another segment has room");
        assertEquals(lookup(keys.get(0)).shard(), cluster.shard(keys.get(0)), "what exists is found");

        // Every owner but one goes: all shards of the full segment move, and the segment is stored.
        ModelExecutor last = executors.get(39);
        for (int i = 0; i < 4; i++) {
            cluster.time.advance(Duration.ofSeconds(10));
            last.renew();
        }
        assertEquals(Map.of(last.caller.id().value(), created + 1), cluster.counts());
        cluster.store.writes.forEach(txn ->
                assertTrue(TxnRules.size(txn) < 64 * 1024 + 16 * 1024, () -> "a transaction of " + TxnRules.size(txn)));
        assertTrue(cluster.plane.serving());
    }

    @Test
    void roomThatIdleShardsGiveBackIsUsedAgain() {
        cluster.settings = new ControlSettings("/shardwright/", 128, 64 * 1024, 0.5);
        cluster.crashAndRestart(List.of(cluster.view().namespace()));
        ModelExecutor a = cluster.join("a");
        List<ShardKey> keys = IntStream.range(0, 400_000)
                .mapToObj("user-%06d"::formatted)
                .map(ShardKey::new)
                .filter(key -> cluster.view().table().segmentOf(key) == 7)
                .limit(400)
                .toList();
        keys.forEach(key -> cluster.plane.lookup(Cluster.NS, key, reply -> {}));
        cluster.time.advance(Duration.ofSeconds(1));
        ShardKey refused = keys.stream()
                .filter(key -> cluster.view().table().find(key).isEmpty())
                .findFirst()
                .orElseThrow();
        ShardKey idle = a.set.firstKey();
        List<Claim> claims = new ArrayList<>();
        a.set.forEach((key, epoch) -> claims.add(new Claim(
                key, epoch, key.equals(idle) ? Claim.Activity.IDLE : Claim.Activity.RUNNING, Claim.NOT_MEASURED)));
        a.renew(claims);
        cluster.time.advance(Duration.ofSeconds(1));
        assertTrue(lookup(refused.value()).owner().isPresent());
    }

    @Test
    void manyRequestsAtOnceCostFewTransactions() {
        cluster.join("a");
        int before = cluster.store.writes.size();
        for (int i = 0; i < 500; i++) {
            cluster.plane.lookup(Cluster.NS, new ShardKey("user-" + i), reply -> {});
        }
        cluster.time.runUntilIdle();
        assertEquals(500, cluster.view().table().size());
        assertTrue(
                cluster.store.writes.size() - before <= 4, "transactions: " + (cluster.store.writes.size() - before));
    }
}
