package io.shardwright.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.domain.Executor;
import io.shardwright.domain.Shard;
import io.shardwright.domain.ShardKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Leases, epochs and moves of a fixed namespace. */
class OwnershipTest {

    private final Cluster cluster = Cluster.fixed(12);

    @Test
    void anExecutorThatLeavesIsNotReportedAsLostWhetherItHasShardsOrNot() {
        ModelExecutor a = cluster.join("a");
        ModelExecutor b = cluster.join("b");
        cluster.time.advance(Duration.ofSeconds(1));
        cluster.ok((Call<Answers.Leaving> call) -> cluster.plane.deregister(Cluster.NS, b.caller, call));
        cluster.time.advance(Duration.ofSeconds(1));
        drainEverything();
        a.renew();
        cluster.time.advance(Duration.ofSeconds(1));
        a.renew();
        assertEquals(Map.of("-", 12), cluster.counts(), "a has nothing");
        cluster.ok((Call<Answers.Leaving> call) -> cluster.plane.deregister(Cluster.NS, a.caller, call));
        cluster.time.advance(Duration.ofSeconds(1));
        cluster.join("c");
        cluster.time.advance(Cluster.LEASE.plusSeconds(1));
        assertEquals(
                List.of("b left", "a left", "c lost"),
                cluster.events.stream()
                        .filter(ControlEvent.ExecutorGone.class::isInstance)
                        .map(ControlEvent.ExecutorGone.class::cast)
                        .map(gone -> gone.executor() + (gone.lost() ? " lost" : " left"))
                        .toList());
    }

    private void drainEverything() {
        List<ShardKey> keys = new ArrayList<>();
        cluster.view().table().forEach(shard -> keys.add(shard.key()));
        cluster.ok((Call<Answers.Drained> call) -> cluster.plane.drainShards(Cluster.NS, keys, "", "", call));
    }

    @Test
    void anExecutorThatRegistersWhileAShardLacksAnOwnerGetsItsShareAllTheSame() {
        cluster.join("a");
        ShardKey key = new ShardKey("0");
        cluster.ok((Call<Answers.Drained> call) -> cluster.plane.drainShards(Cluster.NS, List.of(key), "", "", call));
        cluster.time.advance(Duration.ofSeconds(1));
        cluster.plane.undrainShards(Cluster.NS, List.of(key), reply -> {});
        cluster.join("b"); // in the same pass
        cluster.time.advance(Duration.ofSeconds(1));
        assertEquals(Map.of("a", 6, "b", 6), cluster.counts());
    }

    @Test
    @Tag("R1")
    void theFirstExecutorGetsEveryShardAndAJoinerItsShare() {
        cluster.join("a");
        assertEquals(Map.of("a", 12), cluster.counts());
        ModelExecutor b = cluster.join("b");
        cluster.time.advance(Duration.ofMillis(100));
        assertEquals(Map.of("a", 6, "b", 6), cluster.counts());
        assertEquals(6, b.set.size(), "pushed to the joiner at once");
    }

    @Test
    @Tag("R82")
    void aRenewalWhoseClaimsMatchIsConfirmedAndWritesNothing() {
        ModelExecutor a = cluster.join("a");
        int writes = cluster.store.writes.size();
        for (int i = 0; i < 100; i++) {
            cluster.time.advance(Duration.ofSeconds(5));
            assertTrue(a.renew().confirmed());
        }
        assertEquals(writes, cluster.store.writes.size());
        assertEquals(Map.of("a", 12), cluster.counts());
    }

    @Test
    @Tag("R83")
    void aRenewalWithWrongClaimsIsStillRenewedAndCorrected() {
        ModelExecutor a = cluster.join("a");
        ModelExecutor b = cluster.join("b");
        cluster.time.advance(Duration.ofSeconds(10));
        b.renew();
        Claim notMine = new Claim(a.set.firstKey(), a.set.firstEntry().getValue(), Claim.Activity.RUNNING, 1);
        Answers.Renewed answer = b.renew(List.of(notMine));
        assertFalse(answer.confirmed());
        assertEquals(6, answer.delivery().shards().size());
        cluster.time.advance(Duration.ofSeconds(10));
        assertEquals(Map.of("b", 12), cluster.counts(), "a is silent for 20 s, b was renewed 10 s ago");
    }

    @Test
    void anEmptySetIsAStatementAndNotAConfirmation() {
        ModelExecutor a = cluster.join("a");
        cluster.ok((Call<Answers.Leaving> call) -> cluster.plane.deregister(Cluster.NS, a.caller, call));
        a.releases = false;
        Delivery last = a.deliveries.get(a.deliveries.size() - 1);
        assertEquals(List.of(), last.shards());
        assertTrue(a.set.isEmpty());
    }

    @Test
    @Tag("R81")
    void aDeadExecutorLosesItsShardsAtTheEndOfItsLeaseAndNotBefore() {
        ModelExecutor a = cluster.join("a");
        ModelExecutor b = cluster.join("b");
        cluster.time.advance(Duration.ofSeconds(5));
        a.renew();
        b.renew();
        TreeMap<String, Shard> before = new TreeMap<>();
        cluster.view().table().forEach(shard -> before.put(shard.key().value(), shard));
        cluster.time.advance(Duration.ofSeconds(10));
        a.renew();
        cluster.time.advance(Duration.ofMillis(4_999));
        assertEquals(Map.of("a", 6, "b", 6), cluster.counts());
        cluster.time.advance(Duration.ofMillis(2));
        assertEquals(Map.of("a", 12), cluster.counts());
        cluster.view().table().forEach(shard -> {
            Shard was = Objects.requireNonNull(before.get(shard.key().value()));
            long expected = was.ownedBy(b.caller.id()) ? was.epoch() + 1 : was.epoch();
            assertEquals(expected, shard.epoch(), "only the dead executor's shards move, each with the next epoch");
        });
    }

    @Test
    @Tag("R161")
    void aMoveWaitsForTheReleaseOfTheOldOwner() {
        ModelExecutor a = cluster.join("a");
        a.releases = false;
        ModelExecutor b = cluster.join("b");
        cluster.time.advance(Duration.ofSeconds(1));
        assertEquals(Map.of("a", 12), cluster.counts(), "asked to let go, still the owner");
        assertTrue(b.set.isEmpty());
        assertEquals(6, a.set.size());
        Shard moving = releasingShard();
        cluster.ok((Call<Answers.Released> call) -> cluster.plane.release(
                Cluster.NS, a.caller, List.of(new Delivery.Entry(moving.key(), moving.epoch())), call));
        assertEquals(moving.epoch() + 1, cluster.shard(moving.key().value()).epoch());
        assertTrue(b.set.containsKey(moving.key()));
        Answers.ShardDetails details = cluster.ok(
                (Call<Answers.ShardDetails> call) -> cluster.plane.inspectShard(Cluster.NS, moving.key(), call));
        assertTrue(details.reason().startsWith("b had no shards; its share is 6"), details.reason());
        assertTrue(details.reason().endsWith("its owner let it go"), details.reason());
    }

    @Test
    void aShardThatIsNotReleasedMovesWhenTheLastAnswerThatListedItHasRunOut() {
        ModelExecutor a = cluster.join("a");
        a.releases = false;
        cluster.time.advance(Duration.ofSeconds(5));
        a.renew();
        ModelExecutor b = cluster.join("b");
        for (int i = 0; i < 2; i++) {
            cluster.time.advance(Duration.ofSeconds(5));
            a.renew();
            b.renew();
        }
        assertEquals(Map.of("a", 12), cluster.counts());
        cluster.time.advance(Duration.ofMillis(4_980));
        assertEquals(Map.of("a", 12), cluster.counts(), "the renewal at 5 s listed them until 20 s");
        cluster.time.advance(Duration.ofMillis(40));
        assertEquals(Map.of("a", 6, "b", 6), cluster.counts(), "although a itself keeps renewing");
    }

    @Test
    void aLateReleaseOfAnEarlierEpochFreesNothing() {
        ModelExecutor a = cluster.join("a");
        ShardKey key = a.set.firstKey();
        long epoch = a.set.firstEntry().getValue();
        Delivery.Entry old = new Delivery.Entry(key, epoch);
        cluster.ok((Call<Answers.Released> call) -> cluster.plane.release(Cluster.NS, a.caller, List.of(old), call));
        assertEquals(epoch + 1, cluster.shard(key.value()).epoch(), "the only executor gets it back, at a new epoch");
        Answers.Released again = cluster.ok(
                (Call<Answers.Released> call) -> cluster.plane.release(Cluster.NS, a.caller, List.of(old), call));
        assertEquals(List.of(key), again.notHeld());
        assertEquals(epoch + 1, cluster.shard(key.value()).epoch());
    }

    @Test
    void anExecutorThatLeavesHandsItsShardsOverAndIsForgotten() {
        ModelExecutor a = cluster.join("a");
        ModelExecutor b = cluster.join("b");
        cluster.time.advance(Duration.ofMillis(100));
        b.releases = false;
        Answers.Leaving leaving =
                cluster.ok((Call<Answers.Leaving> call) -> cluster.plane.deregister(Cluster.NS, b.caller, call));
        assertEquals(6, leaving.toRelease().size());
        assertEquals(Map.of("a", 6, "b", 6), cluster.counts(), "still its shards");
        cluster.ok((Call<Answers.Released> call) ->
                cluster.plane.release(Cluster.NS, b.caller, leaving.toRelease(), call));
        assertEquals(Map.of("a", 12), cluster.counts());
        assertEquals(1, cluster.view().executors().size());
        assertEquals(12, a.set.size());
        assertInstanceOf(Reply.Refusal.NotRegistered.class, b.ends.get(0));
    }

    @Test
    @Tag("B5")
    void aSecondLiveProcessUnderOneIdIsRefusedAndARestartedOneGetsItsShardsBack() {
        ModelExecutor first = cluster.join("a", "p1");
        ModelExecutor b = cluster.join("b");
        cluster.time.advance(Duration.ofSeconds(5));
        first.renew();
        TreeMap<ShardKey, Long> held = new TreeMap<>(first.set);
        Reply.Refusal refusal = cluster.refused((Call<Answers.Registered> call) ->
                cluster.plane.register(Cluster.NS, Cluster.executor("a", "p2"), List.of(), call));
        Reply.Refusal.IdInUse inUse = assertInstanceOf(Reply.Refusal.IdInUse.class, refusal);
        assertEquals(Cluster.LEASE, inUse.retryAfter());
        cluster.time.advance(Duration.ofSeconds(9));
        b.renew();
        cluster.time.advance(inUse.retryAfter().minusSeconds(9));
        ModelExecutor second = cluster.join("a", "p2");
        assertEquals(held.keySet(), second.set.keySet(), "its shards come back");
        held.forEach((key, epoch) -> assertEquals(epoch + 1, second.set.get(key)));
        Reply.Refusal old = cluster.refused(
                (Call<Answers.Renewed> call) -> cluster.plane.renew(Cluster.NS, first.caller, 99, List.of(), call));
        assertInstanceOf(Reply.Refusal.IdInUse.class, old);
    }

    @Test
    void aLateOrRepeatedRenewalDoesNotProlongTheLease() {
        ModelExecutor a = cluster.join("a");
        a.renew();
        cluster.time.advance(Duration.ofSeconds(14));
        cluster.ok((Call<Answers.Renewed> call) -> cluster.plane.renew(Cluster.NS, a.caller, 1, a.claims(), call));
        cluster.time.advance(Duration.ofSeconds(2));
        assertEquals(Map.of("-", 12), cluster.counts());
    }

    @Test
    @Tag("B1")
    @Tag("R167")
    void anEpochFromTheFutureRaisesTheStoredOneAboveIt() {
        ModelExecutor a = cluster.join("a");
        ShardKey key = a.set.firstKey();
        a.renew(List.of(new Claim(key, 500, Claim.Activity.RUNNING, 1)));
        cluster.time.runUntilIdle();
        assertEquals(501, cluster.shard(key.value()).epoch());
        assertEquals(501L, a.set.get(key), "pushed to the owner");
    }

    @Test
    void anAbsurdEpochFromAnExecutorDoesNotLockTheOwnerOut() {
        ModelExecutor a = cluster.join("a");
        ModelExecutor b = cluster.join("b");
        ShardKey key = a.set.firstKey();
        b.renew(List.of(new Claim(key, Claim.MAX_EPOCH, Claim.Activity.RUNNING, 1)));
        b.renew(List.of(new Claim(key, Claim.MAX_RAISE, Claim.Activity.RUNNING, 1)));
        cluster.time.runUntilIdle();
        assertEquals(Claim.MAX_RAISE + 1, cluster.shard(key.value()).epoch());
        assertTrue(a.renew().confirmed(), "the owner follows and can claim what it holds");
    }

    @Test
    @Tag("B7")
    void whenMostExecutorsFallSilentAtOnceNothingMovesForOneMoreLease() {
        ModelExecutor a = cluster.join("a");
        cluster.join("b");
        cluster.join("c");
        cluster.time.advance(Duration.ofMillis(100));
        Map<String, Integer> before = cluster.counts();
        for (int i = 0; i < 5; i++) {
            cluster.time.advance(Duration.ofSeconds(5));
            a.renew();
        }
        assertEquals(before, cluster.counts(), "25 s after the last word of b and c");
        assertTrue(cluster.events.stream().anyMatch(ControlEvent.LossHeldBack.class::isInstance));
        for (int i = 0; i < 2; i++) {
            cluster.time.advance(Duration.ofSeconds(5));
            a.renew();
        }
        assertEquals(Map.of("a", 12), cluster.counts());
    }

    private Shard releasingShard() {
        Shard[] found = new Shard[1];
        cluster.view().table().forEach(shard -> {
            if (shard.state() instanceof Shard.State.Releasing) {
                found[0] = shard;
            }
        });
        return found[0];
    }

    @Test
    void aGoodbyeThatComesWhileTheNextProcessOfTheIdIsStoredIsNotTakenForItsOwn() {
        Cluster cluster = Cluster.fixed(12);
        ModelExecutor old = cluster.join("a", "old");
        cluster.time.advance(Cluster.LEASE.plusMillis(1));
        cluster.store.next(FaultyStore.Fate.APPLIED_LOST); // being stored takes a while
        List<Reply<Answers.Registered>> registered = new ArrayList<>();
        cluster.plane.register(Cluster.NS, Cluster.executor("a", "new"), List.of(), registered::add);
        cluster.time.runUntilIdle();
        assertEquals(List.of(), registered, "still being stored");
        Answers.Leaving goodbye =
                cluster.ok((Call<Answers.Leaving> call) -> cluster.plane.deregister(Cluster.NS, old.caller, call));
        cluster.time.advance(Duration.ofSeconds(1));

        assertEquals(List.of(), goodbye.toRelease());
        assertEquals(
                Executor.Status.ACTIVE,
                Optional.ofNullable(cluster.view().executors().get(old.caller.id()))
                        .map(Executor::status)
                        .orElseThrow());
        assertEquals(12, cluster.counts().get("a"));
    }
}
