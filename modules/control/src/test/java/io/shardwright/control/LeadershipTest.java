package io.shardwright.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.control.FaultyStore.Fate;
import io.shardwright.control.Reply.Refusal;
import io.shardwright.domain.ExecutorId;
import io.shardwright.domain.Namespace;
import io.shardwright.domain.NamespaceName;
import io.shardwright.domain.ShardKey;
import io.shardwright.election.LeaderAddress;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.memory.MemoryStore;
import io.shardwright.testkit.SeededRandom;
import io.shardwright.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a replica answers while it does not lead, while it is not sure, and when it stops leading under a call. */
class LeadershipTest {

    private static final LeaderAddress OTHER = new LeaderAddress("10.0.0.2", 9002);

    private final VirtualTime time = new VirtualTime();
    private final Store memory = MemoryStore.open(time, time);
    private final FaultyStore store = new FaultyStore(memory, time);
    private final HeldElection election = new HeldElection(memory, time);
    private final List<Boolean> serving = new ArrayList<>();
    private final List<ControlPlane.Started> starts = new ArrayList<>();
    private final ControlPlane plane = new ControlPlane(
            new ControlPlane.Ports(time, time, new SeededRandom(1), store),
            election,
            ControlSettings.DEFAULT,
            List.of(Cluster.fixedNamespace(4)),
            new ControlListener() {
                @Override
                public void event(ControlEvent event) {}

                @Override
                public void viewChanged(Optional<NamespaceView> before, Optional<NamespaceView> after) {}

                @Override
                public void servingChanged(boolean now) {
                    serving.add(now);
                }
            });

    @BeforeEach
    void start() {
        plane.start(starts::add);
        time.runUntilIdle();
    }

    private void elect() {
        election.elect();
        time.runUntilIdle();
    }

    private List<Reply<Answers.Registered>> register(String id) {
        List<Reply<Answers.Registered>> replies = new ArrayList<>();
        plane.register(Cluster.NS, Cluster.executor(id, id), List.of(), replies::add);
        return replies;
    }

    private List<Reply<Answers.Renewed>> renew(String id, long sequence) {
        List<Reply<Answers.Renewed>> replies = new ArrayList<>();
        plane.renew(Cluster.NS, new Answers.Caller(new ExecutorId(id), id), sequence, List.of(), replies::add);
        time.runUntilIdle();
        return replies;
    }

    private static Refusal refusal(List<? extends Reply<?>> replies) {
        assertEquals(1, replies.size(), "answered once: " + replies);
        return assertInstanceOf(Reply.Refused.class, replies.get(0)).refusal();
    }

    @Test
    @Tag("R94")
    void aStandbyNamesTheLeaderThatItKnows() {
        election.leader = Optional.of(OTHER);
        List<Reply<Answers.Registered>> replies = register("a");
        time.runUntilIdle();
        assertEquals(
                Optional.of(OTHER),
                assertInstanceOf(Refusal.NotLeading.class, refusal(replies)).leader());
        List<Reply<Answers.Owner>> lookups = new ArrayList<>();
        plane.lookup(Cluster.NS, new ShardKey("1"), lookups::add);
        assertEquals(
                Optional.of(OTHER),
                assertInstanceOf(Refusal.NotLeading.class, refusal(lookups)).leader());
    }

    @Test
    void aTermDoesNotBeginWithAStateFromBeforeIt() {
        elect();
        election.enter();
        time.runUntilIdle();
        register("a"); // while it waits in the queue, the one before it writes
        time.runUntilIdle();
        election.end();
        store.past = OptionalLong.of(election.entered);
        election.win();
        time.advance(Duration.ofSeconds(5));
        assertFalse(plane.serving(), "it was shown the past only");
        store.past = OptionalLong.empty();
        time.advance(Duration.ofSeconds(5));
        assertTrue(plane.serving());
        assertTrue(plane.views().iterator().next().executors().containsKey(new ExecutorId("a")));
    }

    @Test
    @Tag("R127")
    void aServingLeaderIsReadyWhileItBelievesInItsLease() {
        elect();
        election.inTouch = false; // not what counts for a leader
        assertTrue(plane.serving() && plane.ready());
        election.sure = false;
        assertFalse(plane.ready());
    }

    @Test
    @Tag("R129")
    void aLeaderThatIsLoadingIsReadyAsAStandbyIs() {
        store.past = OptionalLong.of(1); // keeps it from finding a state that it may begin with
        elect();
        election.sure = false; // not what counts before it serves
        assertTrue(!plane.serving() && plane.leadingSince().isPresent());
        assertTrue(plane.ready());
        election.inTouch = false;
        assertFalse(plane.ready());
    }

    @Test
    @Tag("R122")
    void aStandbyThatKnowsNoLeaderAndAProcessThatStopsNameNobody() {
        List<Reply<Answers.Registered>> unknown = register("a");
        time.runUntilIdle();
        assertEquals(new Refusal.NotLeading("it waits for its turn to lead"), refusal(unknown));
        election.leader = Optional.of(OTHER);
        plane.stop(() -> {});
        List<Reply<Answers.Registered>> stopping = register("a");
        time.runUntilIdle();
        assertEquals(new Refusal.NotLeading("it is stopping"), refusal(stopping));
    }

    @Test
    @Tag("R97")
    void onlyALeaderThatServesIsMarkedAsReady() {
        election.elect();
        for (int i = 0; i < 100 && !plane.serving(); i++) {
            assertEquals(List.of(), election.ready);
            assertTrue(time.runNext());
        }
        time.runUntilIdle();
        assertEquals(List.of(election.term.orElseThrow()), election.ready);
    }

    @Test
    @Tag("R122")
    @Tag("R179")
    void aCallToALeaderThatIsNotSureAnyMoreDoesNotRunAndEndsTheTerm() {
        elect();
        register("a");
        time.runUntilIdle();
        int writes = store.writes.size();
        election.sure = false;
        assertInstanceOf(Refusal.NotLeading.class, refusal(renew("a", 1)));
        assertEquals(Optional.empty(), election.term, "the term is over without a timer");
        assertEquals(writes, store.writes.size());
        assertFalse(plane.serving());
        assertEquals(List.of(true, false), serving);
    }

    @Test
    @Tag("R179")
    void aLookupByALeaderThatIsNotSureAnyMoreIsRefused() {
        elect();
        election.sure = false;
        List<Reply<Answers.Owner>> lookups = new ArrayList<>();
        plane.lookup(Cluster.NS, new ShardKey("1"), lookups::add);
        time.runUntilIdle();
        assertInstanceOf(Refusal.NotLeading.class, refusal(lookups));
        assertEquals(Optional.empty(), election.term);
    }

    @Test
    @Tag("R179")
    void aLeaseIsNotConfirmedByAProcessThatStoodStillWhileItAnswered() {
        elect();
        register("a");
        time.runUntilIdle();
        election.sureFor = 1;
        Refusal refusal = refusal(renew("a", 1));
        assertInstanceOf(Refusal.LeadershipLost.class, refusal, "it was taken, so it may have run");
    }

    @Test
    @Tag("R104")
    @Tag("R124")
    void aCallThatWasBeingStoredWhenTheTermEndedMayHaveRunAndOneThatWaitedDidNot() {
        elect();
        store.next(Fate.APPLIED_LOST);
        List<Reply<Answers.Registered>> stored = register("a");
        time.runUntilIdle();
        List<Reply<Answers.Registered>> waiting = register("b");
        time.runUntilIdle();
        assertEquals(List.of(), stored, "the outcome of its write is unknown");
        assertEquals(List.of(), waiting);
        election.end();
        assertInstanceOf(Refusal.LeadershipLost.class, refusal(stored));
        assertInstanceOf(Refusal.NotLeading.class, refusal(waiting));
    }

    @Test
    void aDeletionThatWasBeingStoredWhenTheTermEndedIsAnswered() {
        elect();
        store.next(Fate.NOT_APPLIED_LOST);
        List<Reply<NamespaceName>> replies = new ArrayList<>();
        plane.deleteNamespace(Cluster.NS, replies::add);
        time.runUntilIdle();
        assertEquals(List.of(), replies);
        election.end();
        assertInstanceOf(Refusal.LeadershipLost.class, refusal(replies));
    }

    @Test
    void aCreationThatWasBeingStoredWhenTheTermEndedBeginsNothing() {
        elect();
        store.next(Fate.NOT_APPLIED_LOST);
        List<Reply<Answers.Created>> replies = new ArrayList<>();
        Namespace wanted =
                new Namespace(new NamespaceName("late"), new Namespace.Kind.Fixed(2), Cluster.LEASE, "naive");
        plane.createNamespace(wanted, replies::add);
        time.runUntilIdle();
        election.end();
        elect();
        time.advance(Duration.ofSeconds(5));
        assertInstanceOf(Refusal.LeadershipLost.class, refusal(replies));
        assertTrue(plane.serving(), "the failed guard of the old term does not end the new one");
        assertEquals(Optional.empty(), plane.view(new NamespaceName("late")));
    }

    @Test
    @Tag("R99")
    void aTermThatEndsWhileItLoadsNeverServes() {
        election.elect();
        while (election.term.isEmpty()) {
            assertTrue(time.runNext());
        }
        election.end();
        time.advance(Duration.ofSeconds(5));
        assertFalse(plane.serving());
        assertEquals(List.of(), election.ready);
        elect();
        assertTrue(plane.serving());
    }

    @Test
    @Tag("R101")
    void theLeasesThatANewLeaderKeepsCountFromWhenItServes() {
        elect();
        register("a");
        time.runUntilIdle();
        election.end();
        store.full = true;
        List<Namespace> changed =
                List.of(new Namespace(Cluster.NS, new Namespace.Kind.Fixed(4), Duration.ofSeconds(16), "naive"));
        HeldElection next = new HeldElection(memory, time);
        ControlPlane successor = new ControlPlane(
                new ControlPlane.Ports(time, time, new SeededRandom(2), store),
                next,
                ControlSettings.DEFAULT,
                changed,
                new ControlListener() {
                    @Override
                    public void event(ControlEvent event) {}

                    @Override
                    public void viewChanged(Optional<NamespaceView> before, Optional<NamespaceView> after) {}
                });
        successor.start(started -> {});
        time.runUntilIdle();
        next.elect();
        time.advance(Duration.ofSeconds(60));
        assertFalse(successor.serving(), "the new lease cannot be stored for a minute");
        store.full = false;
        time.advance(Duration.ofSeconds(2));
        assertTrue(successor.serving());
        time.advance(Duration.ofSeconds(13));
        assertEquals(1, successor.view(Cluster.NS).orElseThrow().executors().size(), "it had no time to renew");
    }
}
