package io.shardwright.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.domain.Namespace;
import io.shardwright.domain.NamespaceName;
import io.shardwright.domain.Shard;
import io.shardwright.domain.ShardKey;
import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.KeyRange;
import io.shardwright.persistence.Txn;
import io.shardwright.testkit.SeededRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a replica that does not lead knows of the shards. */
@Tag("B2")
class StateFollowerTest {

    private static final NamespaceName SESSIONS = new NamespaceName("sessions");

    private final Cluster cluster = Cluster.fixed(600);
    private final HeldElection election = new HeldElection(cluster.store, cluster.time);
    private final TreeMap<NamespaceName, NamespaceView> known = new TreeMap<>();
    private final List<Boolean> following = new ArrayList<>();
    private final List<String> missed = new ArrayList<>();
    private final ControlPlane standby = new ControlPlane(
            new ControlPlane.Ports(cluster.time, cluster.time, new SeededRandom(7), cluster.store),
            election,
            ControlSettings.DEFAULT,
            List.of(),
            new ControlListener() {
                @Override
                public void event(ControlEvent event) {}

                @Override
                public void viewChanged(Optional<NamespaceView> before, Optional<NamespaceView> after) {}

                @Override
                public void followed(Optional<NamespaceView> before, Optional<NamespaceView> after) {
                    before.ifPresent(view ->
                            assertEquals(view, known.remove(view.namespace().name()), "the one told before"));
                    after.ifPresent(view -> known.put(view.namespace().name(), view));
                }

                @Override
                public void missed(String key) {
                    missed.add(key);
                }

                @Override
                public void following(boolean now) {
                    following.add(now);
                    if (!now) {
                        known.clear();
                    }
                }
            });

    @BeforeEach
    void start() {
        cluster.join("a");
        election.contested = true;
        standby.start(started -> {});
        settle();
    }

    private NamespaceView orders() {
        return Optional.ofNullable(known.get(Cluster.NS)).orElseThrow();
    }

    private void settle() {
        cluster.time.advance(Duration.ofMillis(300));
    }

    private void assertSame() {
        TreeMap<NamespaceName, String> expected = new TreeMap<>();
        cluster.plane.views().forEach(view -> expected.put(view.namespace().name(), text(view)));
        TreeMap<NamespaceName, String> told = new TreeMap<>();
        known.forEach((name, view) -> told.put(name, text(view)));
        assertEquals(expected, told);
    }

    private static String text(NamespaceView view) {
        List<Shard> shards = new ArrayList<>();
        view.table().forEach(shards::add);
        return view.namespace() + " " + view.executors() + " " + shards + " " + view.drains();
    }

    @Test
    void aStandbyKnowsWhatIsStoredWhenItStarts() {
        assertEquals(List.of(true), following);
        assertEquals(
                600, orders().table().ownedBy(Cluster.executor("a", "p").id()).size());
        assertSame();
        assertFalse(standby.serving());
    }

    @Test
    void aStandbyHearsOfEveryChangeWithTheRevisionOfTheLeader() {
        ModelExecutor b = cluster.join("b");
        settle();
        assertSame();
        assertEquals(cluster.view().revision(), orders().revision());
        cluster.ok((Call<Answers.Leaving> call) -> cluster.plane.deregister(Cluster.NS, b.caller, call));
        settle();
        assertSame();
        cluster.ok((Call<Answers.Drained> call) ->
                cluster.plane.drainShards(Cluster.NS, List.of(new ShardKey("3")), "ann", "", call));
        settle();
        assertTrue(orders().drains().drained(new ShardKey("3")));
        assertSame();
        Namespace ephemeral = new Namespace(SESSIONS, new Namespace.Kind.Ephemeral(), Cluster.LEASE, "naive");
        cluster.ok((Call<Answers.Created> call) -> cluster.plane.createNamespace(ephemeral, call));
        settle();
        assertSame();
        cluster.ok((Call<Answers.Registered> call) ->
                cluster.plane.register(SESSIONS, Cluster.executor("s", "s"), List.of(), call));
        for (int i = 0; i < 20; i++) {
            ShardKey key = new ShardKey("user-" + i);
            cluster.ok((Call<Answers.Owner> call) -> cluster.plane.lookup(SESSIONS, key, call));
        }
        settle();
        assertSame();
        Answers.Caller s = new Answers.Caller(Cluster.executor("s", "s").id(), "s");
        cluster.ok((Call<Answers.Leaving> call) -> cluster.plane.deregister(SESSIONS, s, call));
        cluster.time.advance(Cluster.LEASE.plusSeconds(1));
        cluster.ok((Call<NamespaceName> call) -> cluster.plane.deleteNamespace(SESSIONS, call));
        settle();
        assertSame();
        assertEquals(List.of(true), following, "never interrupted");
    }

    @Test
    void aStandbyThatTheStoreDoesNotAnswerStopsTellingAndBeginsAnew() {
        election.inTouch = false;
        cluster.time.advance(Duration.ofSeconds(1));
        assertEquals(List.of(true, false), following);
        cluster.join("b");
        election.inTouch = true;
        cluster.time.advance(Duration.ofSeconds(1));
        settle();
        assertEquals(List.of(true, false, true), following);
        assertSame();
    }

    @Test
    void aStandbyWhoseWatchMissesAChangeFindsOutAndBeginsAnew() {
        cluster.store.deaf = true;
        cluster.join("b");
        assertFoundOut();
    }

    private void assertFoundOut() {
        cluster.store.deaf = false;
        cluster.time.advance(Duration.ofSeconds(11));
        assertEquals(List.of(true, false, true), following);
        assertEquals(1, missed.size(), missed.toString());
        assertSame();
    }

    private void assertReadsAgainAndAccusesNobody(String why) {
        cluster.time.advance(Duration.ofSeconds(11));
        assertEquals(List.of(true, false, true), following);
        assertEquals(List.of(), missed, why);
        assertSame();
    }

    @Test
    void aStandbyWhoseWatchMissesADeletionFindsOutAndBeginsAnew() {
        ModelExecutor b = cluster.join("b");
        settle();
        cluster.store.deaf = true;
        cluster.ok((Call<Answers.Leaving> call) -> cluster.plane.deregister(Cluster.NS, b.caller, call));
        settle();
        assertFoundOut();
    }

    @Test
    void aStandbyWhoseWatchCannotBeOpenedReadsAgainAndAccusesNobody() {
        cluster.store.loseWatches();
        cluster.join("b");
        assertReadsAgainAndAccusesNobody("no watch was there to miss anything");
    }

    @Test
    void aStandbyWhoseWatchIsFarBehindReadsAgainAndAccusesNobody() {
        cluster.store.behind = Duration.ofSeconds(30);
        cluster.join("b");
        assertReadsAgainAndAccusesNobody("what it has not come to yet may still come");
    }

    @Test
    void aStandbyWhoseWatchStaysBehindWithAKeyThatKeepsChangingReadsAgain() {
        Bytes key = Bytes.utf8("/shardwright/state/of-another-version");
        cluster.store.behind = Duration.ofSeconds(30);
        for (int i = 0; i < 45; i++) {
            cluster.store.byHand(new Txn.Op.Put(key, Bytes.utf8("" + i), 0));
            cluster.time.advance(Duration.ofSeconds(1));
        }
        assertTrue(following.size() > 3, "what it hears of the key is 30 s old all the time: " + following);
        assertEquals(List.of(), missed);
    }

    @Test
    void aStandbyIgnoresWhatOnlyANewerVersionKnowsIfItWasThereBefore() {
        election.inTouch = false;
        cluster.time.advance(Duration.ofSeconds(1));
        cluster.store.byHand(new Txn.Op.Put(Bytes.utf8("/shardwright/state/of-another-version"), Bytes.utf8("x"), 0));
        election.inTouch = true;
        cluster.time.advance(Duration.ofSeconds(30));
        assertEquals(List.of(true, false, true), following);
        assertEquals(List.of(), missed);
    }

    @Test
    void aStandbyWhoseWatchWasOpenedAgainFindsOutWhatTheNewOneMisses() {
        cluster.store.loseWatches();
        cluster.store.unwatchable = false;
        cluster.store.deaf = true;
        cluster.join("b");
        settle();
        assertFoundOut();
    }

    @Test
    void aStandbyThatWasShownThePastFindsOutAndBeginsAnew() {
        election.inTouch = false;
        cluster.time.advance(Duration.ofSeconds(1));
        cluster.store.past = OptionalLong.of(cluster.view().revision());
        cluster.join("b");
        election.inTouch = true;
        cluster.store.deaf = true; // nor does the watch tell what lies between
        cluster.time.advance(Duration.ofSeconds(1));
        assertFalse(orders().executors().containsKey(Cluster.executor("b", "p").id()));
        cluster.store.past = OptionalLong.empty();
        cluster.store.deaf = false;
        cluster.time.advance(Duration.ofSeconds(11));
        assertSame();
    }

    @Test
    void aStandbyThatIsShownThePastOnlyDoesNotTellForLongWhatItCannotCheck() {
        cluster.store.deaf = true;
        cluster.store.past = OptionalLong.of(cluster.view().revision());
        cluster.join("b");
        cluster.time.advance(Duration.ofSeconds(21));
        assertEquals(List.of(true, false), following.subList(0, 2));
    }

    @Test
    void aStandbyThatIsShownAStateFromBeforeItsEntryWaitsForTheNewer() {
        election.inTouch = false;
        cluster.time.advance(Duration.ofSeconds(1));
        long past = cluster.view().revision();
        cluster.join("b");
        election.enter();
        cluster.store.past = OptionalLong.of(past);
        election.inTouch = true;
        cluster.time.advance(Duration.ofSeconds(3));
        assertEquals(List.of(true, false), following, "nothing is told of the past");
        cluster.store.past = OptionalLong.empty();
        cluster.time.advance(Duration.ofSeconds(2));
        assertEquals(List.of(true, false, true), following);
        assertSame();
    }

    @Test
    void aStandbyThatHearsEverythingIsNeverInterruptedByItsChecks() {
        for (int i = 0; i < 20; i++) {
            cluster.join("e" + i);
            cluster.time.advance(Duration.ofMillis(2_600));
        }
        assertEquals(List.of(true), following);
        assertEquals(List.of(), missed);
        assertSame();
    }

    @Test
    void aStandbyIsNotSilencedByChangesThatAreHeardWhileACheckIsUnderWay() {
        cluster.store.distance = Duration.ofMillis(50);
        for (int i = 0; i < 3_000; i++) {
            cluster.store.byHand(
                    new Txn.Op.Put(Bytes.utf8("/shardwright/state/of-another-version"), Bytes.utf8("" + i), 0));
            cluster.time.advance(Duration.ofMillis(10));
        }
        assertEquals(List.of(true), following);
        assertEquals(List.of(), missed);
    }

    @Test
    void aStandbyIsNotSilencedByDeletionsThatAreHeardWhileACheckIsUnderWay() {
        cluster.store.distance = Duration.ofMillis(50);
        Bytes key = Bytes.utf8("/shardwright/state/of-another-version");
        for (int i = 0; i < 1_500; i++) {
            cluster.store.byHand(new Txn.Op.Put(key, Bytes.utf8("" + i), 0));
            cluster.time.advance(Duration.ofMillis(10));
            cluster.store.byHand(new Txn.Op.Delete(KeyRange.single(key)));
            cluster.time.advance(Duration.ofMillis(10));
        }
        assertEquals(List.of(true), following);
        assertEquals(List.of(), missed);
    }

    @Test
    void aStandbyWhoseChecksAreNotAnsweredTellsOnlyForAsLongAsItsLastWholeCheckAllows() {
        cluster.time.advance(Duration.ofSeconds(1));
        cluster.store.behind = Duration.ofMinutes(5);
        cluster.join("b");
        cluster.time.advance(Duration.ofSeconds(5)); // this check finds that something may be under way
        cluster.store.past = OptionalLong.of(1); // and none after it is answered with the present
        cluster.time.advance(Duration.ofSeconds(16));
        assertEquals(List.of(true, false), following);
    }

    @Test
    void aValueThatAStandbyCannotReadSilencesItUntilItCan() {
        Bytes key = Bytes.utf8("/shardwright/state/executors/orders/x");
        byte[] format9 = {8, 9};
        cluster.store.byHand(new Txn.Op.Put(key, Bytes.of(format9), 0));
        settle();
        assertEquals(List.of(true, false), following);
        cluster.store.byHand(new Txn.Op.Delete(KeyRange.single(key)));
        cluster.time.advance(Duration.ofSeconds(2));
        assertEquals(List.of(true, false, true), following);
        assertSame();
    }

    @Test
    void aReplicaThatIsElectedFollowsNoLongerAndAgainWhenItsTermEnds() {
        election.elect();
        cluster.time.runUntilIdle();
        assertEquals(List.of(true, false), following);
        assertTrue(standby.serving());
        election.end();
        settle();
        assertEquals(List.of(true, false, true), following);
        standby.stop(() -> {});
        settle();
        assertEquals(List.of(true, false, true, false), following);
    }
}
