package io.shardwright.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.control.FaultyStore.Fate;
import io.shardwright.domain.Namespace;
import io.shardwright.domain.NamespaceName;
import io.shardwright.domain.Outcome;
import io.shardwright.domain.ShardKey;
import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.KeyRange;
import io.shardwright.persistence.RangeRequest;
import io.shardwright.persistence.RangeResponse;
import io.shardwright.persistence.Txn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is stored when, and what follows when the store fails or forgets to answer. */
class StoredStateTest {

    private static final List<Namespace> TWELVE = List.of(Cluster.fixedNamespace(12));

    private final Cluster cluster = Cluster.fixed(12);

    @Test
    @Tag("R79")
    void aRegistrationThatCannotBeStoredIsNotAcknowledged() {
        cluster.store.full = true;
        Reply.Refusal refusal = cluster.refused((Call<Answers.Registered> call) ->
                cluster.plane.register(Cluster.NS, Cluster.executor("a", "p"), List.of(), call));
        assertInstanceOf(Reply.Refusal.StoreUnavailable.class, refusal);
        assertTrue(cluster.view().executors().isEmpty());
        cluster.store.full = false;
        cluster.join("a");
        assertEquals(Map.of("a", 12), cluster.counts());
    }

    @Test
    @Tag("R80")
    @Tag("R12")
    void aChangeThatCannotBeStoredIsToldToNobodyAndIsMadeWhenTheStoreRecovers() {
        ModelExecutor a = cluster.join("a");
        ModelExecutor b = cluster.join("b");
        cluster.time.advance(Duration.ofSeconds(5));
        a.renew();
        cluster.store.full = true;
        int told = a.deliveries.size();
        for (int i = 0; i < 4; i++) {
            cluster.time.advance(Duration.ofSeconds(5));
            a.renew();
        }
        assertEquals(told, a.deliveries.size(), "b is lost but the loss is not stored");
        assertEquals(Map.of("a", 6, "b", 6), cluster.counts());
        cluster.store.full = false;
        cluster.time.advance(Duration.ofSeconds(1));
        assertEquals(Map.of("a", 12), cluster.counts());
        assertEquals(12, a.set.size());
        assertEquals(6, b.set.size());
    }

    @ParameterizedTest
    @EnumSource(
            value = Fate.class,
            names = {"APPLIED_LOST", "NOT_APPLIED_LOST", "APPLIED_LATE"})
    void anAnswerThatWasLostIsResolvedBeforeAnythingElseIsDecided(Fate fate) {
        ModelExecutor a = cluster.join("a");
        cluster.store.next(fate);
        ModelExecutor b = cluster.join("b");
        cluster.time.advance(Duration.ofSeconds(3));
        assertEquals(Map.of("a", 6, "b", 6), cluster.counts());
        assertEquals(6, a.set.size());
        assertEquals(6, b.set.size());
        Map<String, Integer> seen = cluster.counts();
        cluster.crashAndRestart(TWELVE);
        assertEquals(seen, cluster.counts(), "what was told is what is stored");
    }

    @Test
    void aDoubtThatLastsIsSaidOnceAndResolvedWhenTheStoreAnswers() {
        cluster.join("a");
        Fate[] silence = new Fate[8];
        Arrays.fill(silence, Fate.NOT_APPLIED_LOST);
        cluster.store.next(silence);
        cluster.plane.register(Cluster.NS, Cluster.executor("b", "b-process"), List.of(), reply -> {});
        cluster.time.advance(Duration.ofMillis(700));
        assertEquals(List.of(), troubles(), "a change of leaders of etcd takes as long");
        cluster.time.advance(Duration.ofSeconds(8));
        assertEquals(1, troubles().size(), troubles().toString());
        assertTrue(troubles().get(0).contains("does not say whether it took a change"), troubles()::toString);
        assertTrue(troubles().get(0).contains("the answer was lost"), troubles()::toString);
        assertEquals(2, cluster.view().executors().size(), "it took the change in the end");
    }

    @Test
    void aLeaderThatFindsWhatItDidNotWriteSaysSoStepsDownAndTheNextOneReadsAnew() {
        ModelExecutor a = cluster.join("a");
        // A store that lost a change, and somebody who writes by hand, look the same.
        Bytes key = Bytes.utf8("/shardwright/state/executors/orders/a");
        cluster.store.range(RangeRequest.of(KeyRange.single(key)), outcome -> {
            var read = assertInstanceOf(Outcome.Success.class, outcome);
            var kv = ((RangeResponse) read.value()).kvs().get(0);
            cluster.store.byHand(new Txn.Op.Put(key, kv.value(), 0));
        });
        cluster.time.runUntilIdle();
        cluster.plane.deregister(Cluster.NS, a.caller, reply -> {});
        cluster.time.advance(Duration.ofSeconds(1));
        assertEquals(
                List.of(new ControlEvent.ForeignState(Cluster.NS)),
                cluster.events.stream()
                        .filter(ControlEvent.ForeignState.class::isInstance)
                        .toList());
        cluster.crashAndRestart(TWELVE);
        assertEquals(1, cluster.view().executors().size(), "a did not leave: that was not stored");
    }

    private List<String> troubles() {
        return cluster.events.stream()
                .filter(ControlEvent.StoreTrouble.class::isInstance)
                .map(event -> ((ControlEvent.StoreTrouble) event).message())
                .toList();
    }

    @Test
    void aCrashBetweenStoringAndTellingContinuesFromWhatIsStored() {
        ModelExecutor a = cluster.join("a");
        cluster.store.next(Fate.APPLIED_LOST);
        // The process dies with the answer: its successor finds the registration of b and the shards on their way.
        cluster.plane.register(Cluster.NS, Cluster.executor("b", "b-process"), List.of(), reply -> {});
        cluster.time.runUntilIdle();
        assertEquals(12, a.set.size(), "nothing was told");
        cluster.crashAndRestart(TWELVE);
        assertEquals(2, cluster.view().executors().size());
        a.renew();
        ModelExecutor b = cluster.join("b");
        cluster.time.advance(Duration.ofSeconds(1));
        assertEquals(Map.of("a", 6, "b", 6), cluster.counts());
        assertEquals(6, b.set.size());
    }

    @Test
    @Tag("R101")
    void aRestartKeepsAssignmentsAndEpochsAndRestartsEveryLease() {
        ModelExecutor a = cluster.join("a");
        cluster.join("b");
        cluster.time.advance(Duration.ofSeconds(14));
        TreeMap<ShardKey, Long> held = new TreeMap<>(a.set);
        cluster.crashAndRestart(TWELVE);
        cluster.time.advance(Duration.ofMillis(14_900));
        assertEquals(
                Map.of("a", 6, "b", 6), cluster.counts(), "28.9 s after their last word, 14.9 s after the restart");
        Answers.Renewed answer = a.renew();
        assertTrue(answer.confirmed(), "the executor's claims are what is stored");
        assertEquals(held, a.set);
    }

    /** A start asks nobody whether it lives and waits for nobody: whoever is silent has a whole lease to speak up. */
    @Test
    @Tag("R102")
    void afterARestartWhoeverSpeaksStaysAndWhoeverIsSilentIsKeptForALeaseAndOnlyThenLetGo() {
        ModelExecutor a = cluster.join("a");
        cluster.join("silent");
        cluster.crashAndRestart(TWELVE);
        for (int i = 0; i < 14; i++) {
            cluster.time.advance(Duration.ofSeconds(1));
            a.renew();
        }
        assertEquals(Map.of("a", 6, "silent", 6), cluster.counts(), "14 s after the restart");
        for (int i = 0; i < 3; i++) {
            cluster.time.advance(Duration.ofSeconds(1));
            a.renew();
        }
        assertEquals(Map.of("a", 12), cluster.counts(), "17 s after the restart");
    }

    @Test
    @Tag("R181")
    void aProcessThatLostItsTermWritesNothingMoreAndRefusesCalls() {
        ControlPlane old = cluster.plane;
        cluster.join("a");
        cluster.crashAndRestart(TWELVE);
        Reply.Refusal refusal = cluster.refused((Call<Answers.Registered> call) ->
                old.register(Cluster.NS, Cluster.executor("x", "p"), List.of(), call));
        assertInstanceOf(Reply.Refusal.NotLeading.class, refusal);
        assertEquals(1, cluster.view().executors().size());
    }

    @Test
    @Tag("R5")
    void aShardCountThatDiffersFromTheStoredOneRefusesTheStartAndNamesBoth() {
        cluster.start(List.of(Cluster.fixedNamespace(24)));
        ControlPlane.Started.Refused refused =
                assertInstanceOf(ControlPlane.Started.Refused.class, cluster.starts.get(cluster.starts.size() - 1));
        assertTrue(refused.message().contains("12") && refused.message().contains("24"), refused.message());
    }

    @Test
    @Tag("R90")
    void aShorterLeaseAfterARestartDoesNotCutWhatExecutorsWereTold() {
        cluster.join("a");
        ModelExecutor b = cluster.join("b");
        Namespace shorter = new Namespace(Cluster.NS, new Namespace.Kind.Fixed(12), Duration.ofSeconds(2), "naive");
        cluster.crashAndRestart(List.of(shorter));
        for (int i = 0; i < 14; i++) {
            cluster.time.advance(Duration.ofSeconds(1));
            b.renew();
        }
        assertEquals(Map.of("a", 6, "b", 6), cluster.counts(), "a may run until 15 s after the take-over");
        cluster.time.advance(Duration.ofSeconds(1));
        b.renew();
        cluster.time.advance(Duration.ofMillis(100));
        assertEquals(Map.of("b", 12), cluster.counts());
    }

    @Test
    void losingAnExecutorOfALargeNamespaceStaysWithinTheLimitsOfATransaction() {
        Cluster large = Cluster.fixed(100_000);
        ModelExecutor a = large.join("a");
        large.join("b");
        large.time.advance(Duration.ofSeconds(1));
        assertEquals(Map.of("a", 50_000, "b", 50_000), large.counts());
        large.time.advance(Duration.ofSeconds(9));
        a.renew();
        large.store.writes.clear();
        large.time.advance(Duration.ofMillis(5_100));
        assertEquals(Map.of("a", 100_000), large.counts());
        assertTrue(large.store.writes.size() <= 4, "391 segments and one executor: " + large.store.writes.size());
        List<Integer> sizes = new ArrayList<>();
        large.store.writes.forEach(
                txn -> sizes.add(Math.max(txn.compares().size(), txn.success().size())));
        sizes.forEach(size -> assertTrue(size <= 128, sizes::toString));
    }

    @Test
    void aNamespaceThatIsDeletedAndCreatedAgainContinuesAboveItsEpochs() {
        ModelExecutor a = cluster.join("a");
        long epoch = cluster.shard("0").epoch();
        assertInstanceOf(
                Reply.Refusal.NamespaceInUse.class,
                cluster.refused((Call<NamespaceName> call) -> cluster.plane.deleteNamespace(Cluster.NS, call)));
        cluster.ok((Call<Answers.Leaving> call) -> cluster.plane.deregister(Cluster.NS, a.caller, call));
        cluster.time.advance(Duration.ofMillis(100));
        cluster.ok((Call<NamespaceName> call) -> cluster.plane.deleteNamespace(Cluster.NS, call));
        assertTrue(cluster.plane.view(Cluster.NS).isEmpty());
        List<Integer> left = new ArrayList<>();
        cluster.store.range(
                RangeRequest.of(KeyRange.prefix(Bytes.utf8("/shardwright/state/"))),
                outcome -> left.add(outcome.toString().contains("orders") ? 1 : 0));
        cluster.time.runUntilIdle();
        assertEquals(List.of(0), left);
        cluster.ok((Call<Answers.Created> call) -> cluster.plane.createNamespace(Cluster.fixedNamespace(12), call));
        cluster.join("a");
        assertTrue(cluster.shard("0").epoch() > epoch, cluster.shard("0") + " after epoch " + epoch);
    }

    @Test
    void anExecutorThatRegistersWhileItsLossCannotBeStoredHasAFullLease() {
        ModelExecutor a = cluster.join("a");
        ModelExecutor b = cluster.join("b");
        cluster.time.advance(Duration.ofSeconds(10));
        a.renew();
        cluster.store.next(Fate.NO_SPACE_LATE);
        cluster.time.advance(Duration.ofMillis(5_100));
        assertInstanceOf(
                Reply.Refusal.NotRegistered.class,
                cluster.refused((Call<Answers.Renewed> call) ->
                        cluster.plane.renew(Cluster.NS, b.caller, 1, b.claims(), call)));
        b.register();
        assertEquals(6, b.set.size());
        for (int i = 0; i < 2; i++) {
            cluster.time.advance(Duration.ofSeconds(7));
            a.renew();
            assertEquals(Map.of("a", 6, "b", 6), cluster.counts(), "what was promised to b lasts 15 s");
        }
    }

    @Test
    @Tag("R90")
    void aSecondRestartStillWaitsForTheLongerLeaseThatWasTold() {
        cluster.join("a");
        ModelExecutor b = cluster.join("b");
        List<Namespace> shorter =
                List.of(new Namespace(Cluster.NS, new Namespace.Kind.Fixed(12), Duration.ofSeconds(2), "naive"));
        cluster.crashAndRestart(shorter);
        cluster.crashAndRestart(shorter);
        for (int i = 0; i < 14; i++) {
            cluster.time.advance(Duration.ofSeconds(1));
            b.renew();
        }
        assertEquals(Map.of("a", 6, "b", 6), cluster.counts());
    }

    @Test
    void creatingOneNamespaceManyTimesAtOnceCreatesItOnceAndEndsNoTerm() {
        NamespaceName name = new NamespaceName("race");
        Namespace wanted = new Namespace(name, new Namespace.Kind.Fixed(4), Cluster.LEASE, "naive");
        List<Reply<Answers.Created>> replies = new ArrayList<>();
        List<Reply<NamespaceName>> deleted = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            cluster.plane.createNamespace(wanted, replies::add);
        }
        cluster.plane.deleteNamespace(name, deleted::add);
        cluster.plane.createNamespace(wanted, replies::add);
        cluster.time.runUntilIdle();
        assertEquals(1, deleted.size());
        assertEquals(
                List.of(true, false, false, false, false, true),
                replies.stream()
                        .map(reply -> assertInstanceOf(Reply.Ok.class, reply).value())
                        .map(created -> ((Answers.Created) created).created())
                        .toList());
        assertTrue(cluster.plane.serving());
    }

    @Test
    void theEndOfTheStoreEndsTheTermSoThatNoLeaseIsConfirmedAnyMore() {
        ModelExecutor a = cluster.join("a");
        cluster.store.close();
        cluster.time.runUntilIdle();
        assertInstanceOf(
                Reply.Refusal.NotLeading.class,
                cluster.refused((Call<Answers.Renewed> call) ->
                        cluster.plane.renew(Cluster.NS, a.caller, 1, a.claims(), call)));
    }
}
