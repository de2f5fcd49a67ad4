package io.shardwright.election;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.domain.Outcome;
import io.shardwright.election.Replicas.Replica;
import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.KeyRange;
import io.shardwright.persistence.KeyValue;
import io.shardwright.persistence.Txn;
import io.shardwright.persistence.TxnResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who leads, when a leader ends, and what its replicas know of it. */
class LeaseElectionTest {

    private final Replicas replicas = new Replicas();

    @Test
    @Tag("R2")
    void theReplicasLeadInTheOrderInWhichTheyCame() {
        Replica a = replicas.start("a");
        Replica b = replicas.start("b");
        Replica c = replicas.start("c");
        assertEquals(List.of(true, false, false), List.of(a.leads(), b.leads(), c.leads()));
        a.resign();
        replicas.advance(Duration.ofMillis(10));
        assertEquals(List.of(false, true, false), List.of(a.leads(), b.leads(), c.leads()));
        b.resign();
        replicas.advance(Duration.ofMillis(10));
        assertEquals(List.of(false, false, true), List.of(a.leads(), b.leads(), c.leads()));
    }

    @Test
    void aTermIsAsNewAsTheEndOfTheTermBeforeItAndNotAsItsEntryInTheQueue() {
        Replica a = replicas.start("a");
        Replica b = replicas.start("b");
        replicas.advance(Duration.ofMillis(10));
        Term before = a.term.orElseThrow();
        a.ready(); // what the leader before it wrote lies between the entry and the end
        a.resign();
        replicas.advance(Duration.ofMillis(10));
        Term after = b.term.orElseThrow();
        assertEquals(List.of(before.createRevision()), a.entered);
        assertEquals(List.of(after.createRevision()), b.entered);
        assertTrue(after.since() > after.createRevision() + 1, after.toString());
    }

    @Test
    @Tag("R154")
    @Tag("R182")
    void aLeaderThatResignsIsFollowedAtOnceAndSaysSoWhenItsEntryIsGone() {
        Replica a = replicas.start("a");
        Replica b = replicas.start("b");
        replicas.advance(Duration.ofMinutes(1));
        a.resign();
        replicas.time.runUntilIdle();
        assertFalse(a.leads());
        assertEquals(1, a.resigned);
        assertTrue(b.leads(), "in no time but that of the network");
        assertEquals(1, replicas.entries().size());
    }

    @Test
    void aStandbyThatResignsLeavesTheQueue() {
        replicas.start("a");
        Replica b = replicas.start("b");
        b.resign();
        replicas.advance(Duration.ofMillis(10));
        assertEquals(1, b.resigned);
        assertEquals(1, replicas.entries().size());
    }

    @Test
    void aDeadLeaderIsFollowedWhenItsLeaseEndsAndNotBefore() {
        Replica a = replicas.start("a");
        Replica b = replicas.start("b");
        replicas.advance(Duration.ofSeconds(30));
        a.process.kill();
        replicas.advance(Replicas.TTL.multipliedBy(2).dividedBy(3).minusSeconds(1));
        assertFalse(b.leads());
        replicas.advance(Replicas.TTL.dividedBy(3).plusMillis(1_600));
        assertTrue(b.leads());
    }

    @Test
    void aDeadStandbyInBetweenDoesNotBlockTheQueue() {
        Replica a = replicas.start("a");
        Replica b = replicas.start("b");
        Replica c = replicas.start("c");
        b.process.kill();
        replicas.advance(Replicas.TTL.plusSeconds(1));
        a.resign();
        replicas.advance(Duration.ofMillis(10));
        assertTrue(c.leads());
    }

    @Test
    @Tag("R179")
    void aLeaderWhoseKeepAlivesAreSilentStepsDownBeforeItsLeaseEnds() {
        Replica a = replicas.start("a");
        Replica b = replicas.start("b");
        a.calls.cut = true;
        Duration step = Duration.ofMillis(20);
        Duration steppedDown = Duration.ZERO;
        Duration passed = Duration.ZERO;
        while (!b.leads()) {
            replicas.advance(step);
            passed = passed.plus(step);
            if (a.leads()) {
                steppedDown = passed;
            }
            assertTrue(passed.compareTo(Replicas.TTL.plusSeconds(2)) < 0, "nobody leads after " + passed);
            assertFalse(a.leads() && b.leads());
        }
        assertTrue(
                steppedDown.compareTo(Duration.ofMillis(9_880)) >= 0
                        && steppedDown.compareTo(Duration.ofMillis(9_900)) <= 0,
                "10 s less 1 %, from the grant: " + steppedDown);
        assertTrue(passed.compareTo(Replicas.TTL.minusMillis(40)) >= 0, "its lease began 20 ms earlier: " + passed);
    }

    @Test
    @Tag("R179")
    void beliefCountsFromTheSendingOfAKeepAliveAndNotFromItsAnswer() {
        Replica a = replicas.start("a");
        a.calls.next(FaultyStore.Call.KEEP_ALIVE, FaultyStore.Fate.SLOW);
        replicas.advance(Duration.ofMillis(3_400));
        a.calls.cut = true;
        replicas.advance(Duration.ofSeconds(3));
        replicas.advance(Duration.ofMillis(6_800));
        assertTrue(a.believes(), "13.2 s");
        replicas.advance(Duration.ofMillis(100));
        assertFalse(a.believes(), "13.3 s: 3.33 + 9.9 is over");
    }

    @Test
    @Tag("R122")
    @Tag("R179")
    void aProcessThatStoodStillDoesNotBelieveAnyMoreWhateverItsTimersDid() {
        Replica a = replicas.start("a");
        Replica b = replicas.start("b");
        replicas.advance(Duration.ofSeconds(9));
        a.process.pause();
        replicas.advance(Replicas.TTL.plusSeconds(3));
        assertTrue(a.leads(), "no timer ran");
        assertFalse(a.believes());
        assertTrue(b.believes());
        a.process.resume();
        replicas.advance(Duration.ofSeconds(1));
        assertFalse(a.leads());
        assertEquals(2, replicas.entries().size(), "it queues again");
        b.resign();
        replicas.advance(Duration.ofMillis(10));
        assertTrue(a.believes());
        assertNotEquals(a.terms.get(0).createRevision(), a.terms.get(1).createRevision());
    }

    @Test
    void aLeaderThatIsHeardStaysLeaderForHours() {
        Replica a = replicas.start("a");
        replicas.start("b");
        a.calls.keepAlives = 0;
        replicas.advance(Duration.ofHours(2));
        assertTrue(a.believes());
        assertEquals(1, a.terms.size());
        assertTrue(a.calls.keepAlives >= 7_200 / 10 * 3 - 3, "every third of the TTL: " + a.calls.keepAlives);
        assertTrue(a.calls.keepAlives <= 7_200 / 10 * 3 + 3, "not more often: " + a.calls.keepAlives);
    }

    @Test
    @Tag("R181")
    void theGuardHoldsAsLongAsTheEntryAndNeverAgain() {
        Replica a = replicas.start("a");
        replicas.start("b");
        Term term = a.term.orElseThrow();
        assertTrue(guardHolds(term));
        a.resign();
        replicas.advance(Duration.ofMillis(10));
        assertFalse(guardHolds(term));
    }

    @Test
    void aTermThatItsHolderFoundLostEndsAndANewOneBegins() {
        Replica a = replicas.start("a");
        Term first = a.term.orElseThrow();
        a.process.execute(() -> a.election.lost(first));
        replicas.time.runUntilIdle();
        assertFalse(a.leads());
        assertFalse(first.believes(a.process.nanoTime()));
        replicas.advance(Duration.ofSeconds(1));
        Term second = a.term.orElseThrow();
        assertTrue(second.createRevision() > first.createRevision());
        assertEquals(1, replicas.entries().size());
        a.process.execute(() -> a.election.lost(first));
        replicas.advance(Duration.ofSeconds(1));
        assertEquals(Optional.of(second), a.term, "an old term does not end a new one");
    }

    @Test
    void aLeaderWhoseEntryWasDeletedHearsOfItFromItsWatch() {
        Replica a = replicas.start("a");
        KeyValue entry = replicas.entries().get(0);
        replicas.store.txn(
                new Txn(List.of(), List.of(new Txn.Op.Delete(KeyRange.single(entry.key()))), List.of()), outcome -> {});
        replicas.time.runUntilIdle();
        assertFalse(a.leads());
        replicas.advance(Duration.ofSeconds(1));
        assertTrue(a.leads());
    }

    @Test
    void aLeaderWhoseLeaseWasRevokedStepsDownAtItsNextKeepAliveEvenWithoutAWatch() {
        Replica a = replicas.start("a");
        long lease = replicas.entries().get(0).leaseId();
        a.calls.breakWatches();
        replicas.store.leases().revoke(lease, outcome -> {});
        replicas.advance(Duration.ofMillis(3_400));
        assertEquals(2, a.terms.size());
    }

    @Test
    @Tag("R95")
    @Tag("R97")
    @Tag("R106")
    void standbysNameTheLeaderOnceItIsReadyAndUntilItsLeaseEnds() {
        Replica a = replicas.start("a");
        Replica b = replicas.start("b");
        assertEquals(Optional.empty(), b.election.leader(), "not ready yet");
        a.ready();
        assertEquals(Optional.of(new LeaderAddress("a.example", 9002)), b.election.leader());
        assertEquals(Optional.empty(), a.election.leader(), "nobody is sent to where he is");
        Replica late = replicas.start("late");
        assertEquals(Optional.of(new LeaderAddress("a.example", 9002)), late.election.leader());
        a.process.kill();
        replicas.advance(Duration.ofSeconds(8));
        assertEquals(Optional.of(new LeaderAddress("a.example", 9002)), b.election.leader());
        replicas.advance(Duration.ofSeconds(3));
        assertTrue(b.leads());
        assertEquals(Optional.empty(), late.election.leader());
        b.ready();
        assertEquals(Optional.of(new LeaderAddress("b.example", 9002)), late.election.leader());
    }

    @Test
    @Tag("R128")
    void aStandbyThatIsCutOffLosesTouchWithinATtlAndGoesOnNamingTheLeader() {
        Replica a = replicas.start("a");
        Replica b = replicas.start("b");
        a.ready();
        replicas.advance(Duration.ofMinutes(1));
        assertTrue(b.election.inTouch(b.process.nanoTime()));
        b.calls.cut = true;
        replicas.advance(Replicas.TTL);
        assertFalse(b.election.inTouch(b.process.nanoTime()));
        assertEquals(Optional.of(new LeaderAddress("a.example", 9002)), b.election.leader());
        b.calls.cut = false;
        replicas.advance(Duration.ofSeconds(5));
        assertTrue(b.election.inTouch(b.process.nanoTime()));
    }

    @Test
    @Tag("R130")
    void aReplicaThatNeverReachedTheStoreIsNotInTouch() {
        Replica a = replicas.prepare("a", 1);
        assertFalse(a.election.inTouch(a.process.nanoTime()));
        a.calls.cut = true;
        a.campaign();
        replicas.advance(Duration.ofSeconds(3));
        assertFalse(a.election.inTouch(a.process.nanoTime()));
    }

    @Test
    @Tag("R160")
    void anEntryThatCannotBeReadIsWaitedForAndNamesNobody() {
        replicas.store.txn(
                new Txn(
                        List.of(),
                        List.of(new Txn.Op.Put(Bytes.utf8("/shardwright/leader/unknown"), Bytes.utf8("\u0001old"), 0)),
                        List.of()),
                outcome -> {});
        Replica a = replicas.start("a");
        assertFalse(a.leads());
        assertEquals(Optional.empty(), a.election.leader());
        replicas.store.txn(
                new Txn(
                        List.of(),
                        List.of(new Txn.Op.Delete(KeyRange.single(Bytes.utf8("/shardwright/leader/unknown")))),
                        List.of()),
                outcome -> {});
        replicas.time.runUntilIdle();
        assertTrue(a.leads());
    }

    @Test
    @Tag("R98")
    @Tag("R137")
    void aReplicaThatIsHeldBackNamesTheLeaderButNeitherQueuesNorLeads() {
        Replica held = replicas.prepare("held", 1);
        held.election.holdBack();
        held.campaign();
        Replica a = replicas.start("a");
        a.ready();
        assertEquals(Optional.of(new LeaderAddress("a.example", 9002)), held.election.leader());
        a.resign();
        replicas.advance(Duration.ofMinutes(1));
        assertFalse(held.leads());
        assertEquals(List.of(), replicas.entries());
        held.process.execute(held.election::admit);
        replicas.time.runUntilIdle();
        assertTrue(held.leads());
    }

    @Test
    @Tag("R147")
    @Tag("R148")
    void aRollToANewerVersionHandsLeadershipOverOnceAndToANewReplica() {
        Replica leader = replicas.start("a", "1.6.0-rc9");
        Replica old1 = replicas.start("b", "1.6.0-rc9");
        Replica old2 = replicas.start("c", "1.6.0-rc9");
        Replica new1 = replicas.start("d", "1.6.0-rc10");
        assertTrue(leader.leads(), "a leader does not give way before it is stopped");
        old1.resign();
        replicas.start("e", "1.6.0-rc10");
        leader.resign();
        replicas.advance(Duration.ofMillis(10));
        assertTrue(new1.leads());
        old2.resign();
        replicas.start("f", "1.6.0-rc10");
        assertEquals(
                List.of(1, 0, 0, 1),
                List.of(leader.terms.size(), old1.terms.size(), old2.terms.size(), new1.terms.size()));
    }

    @Test
    @Tag("R152")
    @Tag("R153")
    void nobodyGivesWayToAnOlderOrAnEqualOrAnUnknownVersion() {
        for (String behind : List.of("1.5.0", "1.6.0", "", "nightly")) {
            Replicas some = new Replicas();
            Replica leader = some.start("a", "1.6.0");
            Replica standby = some.start("b", "1.6.0");
            some.start("c", behind);
            some.advance(Duration.ofSeconds(30));
            leader.resign();
            some.advance(Duration.ofMillis(10));
            assertTrue(standby.leads(), "before version \"" + behind + "\"");
        }
    }

    private boolean guardHolds(Term term) {
        List<Boolean> held = new ArrayList<>();
        replicas.store.txn(new Txn(List.of(term.guard()), List.of(), List.of()), outcome -> {
            if (outcome instanceof Outcome.Success<TxnResponse>(TxnResponse response)) {
                held.add(response.succeeded());
            }
        });
        replicas.time.runUntilIdle();
        return held.equals(List.of(true));
    }
}
