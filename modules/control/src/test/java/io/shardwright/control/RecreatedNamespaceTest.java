package io.shardwright.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.control.FaultyStore.Fate;
import io.shardwright.domain.NamespaceName;
import io.shardwright.domain.Outcome;
import io.shardwright.domain.ShardKey;
import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.KeyRange;
import io.shardwright.persistence.RangeRequest;
import io.shardwright.persistence.RangeResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A namespace that is deleted and created again under its name: the fences of its applications outlive it, so its
 * epochs must go on above what they saw, also where an executor reported an epoch far above the store revision.
 */
class RecreatedNamespaceTest {

    private static final long REPORTED = 1_000_000;
    private static final Bytes KEPT = Bytes.utf8("/shardwright/state/epochs/orders");

    private Cluster cluster = Cluster.fixed(12);

    /** Raises the epoch of a shard as the report of an executor does, and lets every executor leave. */
    private void raiseAndLeave(String shard) {
        ModelExecutor a = cluster.join("a");
        a.renew(List.of(new Claim(new ShardKey(shard), REPORTED, Claim.Activity.RUNNING, 1)));
        cluster.time.runUntilIdle();
        assertEquals(REPORTED + 1, cluster.shard(shard).epoch());
        cluster.ok((Call<Answers.Leaving> call) -> cluster.plane.deregister(Cluster.NS, a.caller, call));
        cluster.time.advance(Duration.ofMillis(100));
    }

    private void delete() {
        cluster.ok((Call<NamespaceName> call) -> cluster.plane.deleteNamespace(Cluster.NS, call));
    }

    private void create() {
        cluster.ok((Call<Answers.Created> call) -> cluster.plane.createNamespace(Cluster.fixedNamespace(12), call));
    }

    private void ownedAboveWhatWasSeen() {
        cluster.join("b");
        cluster.time.advance(Duration.ofMillis(100));
        assertEquals(Map.of("b", 12), cluster.counts());
        assertTrue(
                cluster.shard("3").epoch() > REPORTED + 1, () -> cluster.shard("3") + " after epoch " + (REPORTED + 1));
    }

    private List<Bytes> stored(KeyRange range) {
        List<Bytes> keys = new ArrayList<>();
        cluster.store.range(RangeRequest.of(range), outcome -> {
            var read = assertInstanceOf(Outcome.Success.class, outcome).value();
            ((RangeResponse) read).kvs().forEach(kv -> keys.add(kv.key()));
        });
        cluster.time.runUntilIdle();
        return keys;
    }

    @Test
    void itContinuesAboveAnEpochThatAReportRaisedAboveTheRevision() {
        raiseAndLeave("3");
        delete();
        create();
        ownedAboveWhatWasSeen();
    }

    @Test
    void aNewLeaderBetweenTheEndAndTheBeginningKnowsWhatWasSeen() {
        raiseAndLeave("3");
        delete();
        cluster.crashAndRestart(List.of());
        create();
        ownedAboveWhatWasSeen();
    }

    @Test
    void theConfigurationThatBringsItBackAtAStartKnowsWhatWasSeen() {
        raiseAndLeave("3");
        delete();
        cluster.crashAndRestart(List.of(Cluster.fixedNamespace(12)));
        ownedAboveWhatWasSeen();
    }

    @ParameterizedTest
    @EnumSource(
            value = Fate.class,
            names = {"APPLIED_LOST", "NOT_APPLIED_LOST", "APPLIED_LATE"})
    void anAnswerToTheDeletionThatWasLostChangesNothingOfIt(Fate fate) {
        raiseAndLeave("3");
        cluster.store.next(fate);
        delete();
        cluster.time.advance(Duration.ofSeconds(2));
        cluster.store.next(fate);
        create();
        cluster.time.advance(Duration.ofSeconds(2));
        ownedAboveWhatWasSeen();
    }

    @Test
    void aDeletionThatWasNotStoredLeavesTheNamespaceAsItWas() {
        raiseAndLeave("3");
        cluster.store.full = true;
        assertInstanceOf(
                Reply.Refusal.StoreUnavailable.class,
                cluster.refused((Call<NamespaceName> call) -> cluster.plane.deleteNamespace(Cluster.NS, call)));
        cluster.store.full = false;
        assertEquals(List.of(), stored(KeyRange.single(KEPT)));
        ownedAboveWhatWasSeen();
    }

    @Test
    void nothingIsKeptOfItOnceItIsBack() {
        raiseAndLeave("3");
        delete();
        assertEquals(List.of(KEPT), stored(KeyRange.prefix(Bytes.utf8("/shardwright/state/"))));
        create();
        assertEquals(List.of(), stored(KeyRange.single(KEPT)));
    }

    @Test
    void nothingIsKeptWhereTheRevisionSaysItAll() {
        delete();
        assertEquals(List.of(), stored(KeyRange.prefix(Bytes.utf8("/shardwright/state/"))));
    }

    @Test
    void itCanGoAndComeBackManyTimes() {
        for (int i = 0; i < 3; i++) {
            long before = cluster.shard("3").epoch();
            ModelExecutor a = cluster.join("a");
            a.renew(List.of(new Claim(new ShardKey("3"), before + REPORTED, Claim.Activity.RUNNING, 1)));
            cluster.ok((Call<Answers.Leaving> call) -> cluster.plane.deregister(Cluster.NS, a.caller, call));
            cluster.time.advance(Duration.ofMillis(100));
            delete();
            create();
            assertTrue(cluster.shard("3").epoch() > before + REPORTED, cluster.shard("3")::toString);
        }
    }

    @Test
    void aForgottenShardOfAnEphemeralNamespaceCountsToo() {
        cluster = Cluster.ephemeral();
        ShardKey key = new ShardKey("3");
        ModelExecutor a = cluster.join("a");
        cluster.ok((Call<Answers.Owner> call) -> cluster.plane.lookup(Cluster.NS, key, call));
        a.renew(List.of(new Claim(key, REPORTED, Claim.Activity.RUNNING, 1)));
        cluster.time.runUntilIdle();
        a.renew(List.of(new Claim(key, REPORTED + 1, Claim.Activity.IDLE, 1)));
        cluster.time.runUntilIdle();
        assertTrue(cluster.view().table().find(key).isEmpty());
        cluster.ok((Call<Answers.Leaving> call) -> cluster.plane.deregister(Cluster.NS, a.caller, call));
        cluster.time.advance(Duration.ofMillis(100));
        delete();
        create();
        ownedAboveWhatWasSeen();
    }
}
