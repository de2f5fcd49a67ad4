package io.shardwright.election;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.election.FaultyStore.Call;
import io.shardwright.election.FaultyStore.Fate;
import io.shardwright.election.Replicas.Replica;
import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.Txn;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Calls whose answer is lost, watches that break, a store that is away. */
class LeaseElectionFaultsTest {

    private final Replicas replicas = new Replicas();

    static Stream<Arguments> everyCallAndFate() {
        return Arrays.stream(Call.values())
                .flatMap(call -> Arrays.stream(Fate.values())
                        .filter(fate -> fate != Fate.ANSWERED)
                        .map(fate -> Arguments.of(call, fate)));
    }

    @ParameterizedTest
    @MethodSource("everyCallAndFate")
    @Tag("R180")
    void aCandidateWhoseCallsFailLeadsInTheEndAndLeavesNothingInTheQueue(Call call, Fate fate) {
        Replica a = replicas.prepare("a", 1);
        a.calls.next(call, fate, fate, fate);
        a.campaign();
        replicas.advance(Duration.ofSeconds(8));
        assertTrue(a.believes(), "leads");
        replicas.advance(Duration.ofSeconds(30));
        assertEquals(1, a.terms.size(), "and goes on leading");
        assertEquals(1, replicas.entries().size());
    }

    @ParameterizedTest
    @MethodSource("everyCallAndFate")
    @Tag("R14")
    void aLeaderWhoseCallsFailForAMomentGoesOnLeading(Call call, Fate fate) {
        Replica a = replicas.start("a");
        Replica b = replicas.start("b");
        replicas.advance(Duration.ofSeconds(2));
        a.calls.next(call, fate, fate);
        a.ready();
        replicas.advance(Duration.ofSeconds(20));
        assertTrue(a.believes());
        assertEquals(1, a.terms.size());
        assertEquals(Optional.of(new LeaderAddress("a.example", 9002)), b.election.leader(), "marked as ready");
    }

    @ParameterizedTest
    @EnumSource(Fate.class)
    void aRevocationThatIsNotAnsweredDoesNotKeepTheNextFromLeading(Fate fate) {
        Replica a = replicas.start("a");
        Replica b = replicas.start("b");
        a.calls.next(Call.REVOKE, fate);
        a.resign();
        replicas.advance(Duration.ofSeconds(3));
        assertEquals(1, a.resigned, "told once");
        assertTrue(b.leads());
    }

    @Test
    @Tag("R13")
    void anEntryWhoseAnswerWasLostIsFoundAgainAndNotMadeTwice() {
        Replica a = replicas.prepare("a", 1);
        a.calls.next(Call.TXN, Fate.APPLIED_LOST);
        a.campaign();
        replicas.advance(Duration.ofSeconds(1));
        assertTrue(a.leads());
        assertEquals(2, a.terms.get(0).createRevision(), "the first write there is");
        assertEquals(1, replicas.entries().get(0).version());
        assertEquals(1, a.election.failures());
    }

    @Test
    @Tag("R180")
    void aConfirmationThatFailsIsAskedForAgainAtOnce() {
        Replica a = replicas.prepare("a", 1);
        a.calls.next(Call.RANGE, Fate.ANSWERED, Fate.REFUSED);
        a.campaign();
        replicas.time.runUntilIdle();
        assertFalse(a.leads());
        replicas.advance(Duration.ofMillis(200));
        assertTrue(a.leads());
    }

    @Test
    void aResignationEndsAlsoWhenTheStoreIsAway() {
        Replica a = replicas.start("a");
        a.calls.cut = true;
        a.resign();
        replicas.advance(Duration.ofSeconds(5));
        assertEquals(1, a.resigned);
        assertFalse(a.leads());
    }

    @Test
    void aResignationDuringTheCampaignLeavesNoEntryBehind() {
        for (int steps = 0; steps < 12; steps++) {
            Replica a = replicas.prepare("a", 1);
            a.campaign();
            for (int i = 0; i < steps; i++) {
                replicas.time.runNext();
            }
            a.resign();
            replicas.advance(Duration.ofMillis(10));
            assertEquals(1, a.resigned);
            assertEquals(List.of(), replicas.entries(), "after " + steps + " steps");
        }
    }

    @Test
    @Tag("R142")
    void attemptsThatFailAreCountedAndWaitLongerAndDoNotBlockTheQueue() {
        Replica a = replicas.prepare("a", 1);
        a.calls.cut = true;
        a.campaign();
        replicas.advance(Duration.ofMinutes(1));
        long failures = a.election.failures();
        assertTrue(failures >= 20 && failures <= 60, "one in 1.5 to 2.5 s at last: " + failures);
        a.calls.cut = false;
        replicas.advance(Duration.ofSeconds(3));
        assertTrue(a.leads());
        long then = a.election.failures();
        replicas.advance(Duration.ofMinutes(1));
        assertEquals(then, a.election.failures());
        assertEquals(1, replicas.entries().size());
    }

    @Test
    void aStandbyKeepsItsPlaceWhileTheStoreIsAwayForLessThanATtl() {
        Replica a = replicas.start("a");
        Replica b = replicas.start("b");
        Replica c = replicas.start("c");
        b.calls.cut = true;
        replicas.advance(Duration.ofSeconds(6));
        b.calls.cut = false;
        replicas.advance(Duration.ofSeconds(3));
        a.resign();
        replicas.advance(Duration.ofSeconds(1));
        assertTrue(b.leads());
        assertFalse(c.leads());
    }

    @Test
    void aStandbyThatWasAwayForTooLongQueuesAnew() {
        Replica a = replicas.start("a");
        Replica b = replicas.start("b");
        Replica c = replicas.start("c");
        b.calls.cut = true;
        replicas.advance(Replicas.TTL.plusSeconds(2));
        b.calls.cut = false;
        replicas.advance(Duration.ofSeconds(5));
        assertEquals(3, replicas.entries().size());
        a.resign();
        replicas.advance(Duration.ofMillis(10));
        assertTrue(c.leads());
        c.resign();
        replicas.advance(Duration.ofMillis(10));
        assertTrue(b.leads());
    }

    @Test
    void aWatchThatBreaksIsResumedWithoutLosingWhatHappenedMeanwhile() {
        Replica a = replicas.start("a");
        Replica b = replicas.start("b");
        b.calls.breakWatches();
        replicas.time.runUntilIdle();
        a.resign();
        replicas.advance(Duration.ofMillis(200));
        assertTrue(b.leads());
    }

    @Test
    void aWatchWhoseRevisionIsCompactedBeginsAnewWithARead() {
        Replica a = replicas.start("a");
        Replica b = replicas.start("b");
        b.calls.breakWatches();
        a.resign();
        replicas.time.runUntilIdle();
        assertFalse(b.leads(), "its watch is not back yet");
        replicas.store.txn(
                new Txn(List.of(), List.of(new Txn.Op.Put(Bytes.utf8("/other"), Bytes.EMPTY, 0)), List.of()),
                outcome -> {});
        replicas.time.runUntilIdle();
        long newest = replicas.entries().get(0).modRevision() + 2;
        replicas.store.compact(newest, outcome -> {});
        replicas.advance(Duration.ofMillis(200));
        assertTrue(b.leads());
    }

    @Test
    void aChangeThatAWatchSwallowedIsFoundWithinATtl() {
        Replica a = replicas.start("a");
        Replica b = replicas.start("b");
        b.calls.swallow = true;
        a.resign();
        replicas.advance(Duration.ofMillis(10));
        assertFalse(b.leads());
        replicas.advance(Replicas.TTL);
        assertTrue(b.leads());
    }

    @Test
    void theEndOfTheStoreEndsTheTermWhenBeliefRunsOutAndIsSurvived() {
        Replica a = replicas.start("a");
        replicas.store.close();
        replicas.advance(Replicas.TTL);
        assertFalse(a.leads());
        replicas.advance(Duration.ofMinutes(1));
        a.resign();
        replicas.advance(Duration.ofSeconds(5));
        assertEquals(1, a.resigned);
    }
}
