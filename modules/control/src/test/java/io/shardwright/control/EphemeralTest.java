package io.shardwright.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.domain.ShardKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    void shardsSurviveTheLossOfEveryExecutor() {
        cluster.join("a");
        lookup("user-1");
        cluster.time.advance(Duration.ofSeconds(20));
        assertEquals(Map.of("-", 1), cluster.counts());
        cluster.join("b");
        assertEquals(Map.of("b", 1), cluster.counts());
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
