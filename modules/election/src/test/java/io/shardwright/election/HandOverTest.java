package io.shardwright.election;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.election.Replicas.Replica;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Leadership that is moved on purpose (B10). */
@Tag("B10")
class HandOverTest {

    private final Replicas replicas = new Replicas();
    private final List<HandOver> answers = new ArrayList<>();

    private static Optional<LeaderAddress> of(Replica replica) {
        return Optional.of(new LeaderAddress(replica.name + ".example", 9002));
    }

    private void handOver(Replica from, Optional<LeaderAddress> to) {
        from.process.execute(() -> from.election.handOver(to, answers::add));
    }

    private List<String> order() {
        return replicas.entries().stream()
                .map(entry -> CampaignQueue.replica(entry).identity())
                .toList();
    }

    @Test
    void leadershipGoesToTheNextAndTheOneThatLedQueuesAtTheEnd() {
        Replica a = replicas.start("a");
        Replica b = replicas.start("b");
        replicas.start("c");
        handOver(a, Optional.empty());
        replicas.time.runUntilIdle();
        assertTrue(b.leads(), "in no time but that of the network");
        assertFalse(a.leads());
        assertEquals(new HandOver.To(new QueuedReplica("b", of(b), "1.0.0", false)), answers.getFirst());
        replicas.advance(Duration.ofSeconds(5));
        assertEquals(List.of("b", "c", "a"), order());
    }

    @Test
    void leadershipGoesToTheOneThatIsNamedAndNobodyLeadsInBetween() {
        Replica a = replicas.start("a");
        Replica b = replicas.start("b");
        Replica c = replicas.start("c");
        Replica d = replicas.start("d");
        handOver(a, of(c));
        replicas.advance(Duration.ofSeconds(5));
        assertTrue(c.leads());
        assertEquals(List.of(0, 1, 0), List.of(b.terms.size(), c.terms.size(), d.terms.size()));
        assertEquals(List.of("c", "d"), order().subList(0, 2), "whoever came after it keeps its place");
        assertEquals(List.of("a", "b"), order().subList(2, 4).stream().sorted().toList());
        c.resign();
        replicas.advance(Duration.ofSeconds(5));
        assertTrue(d.leads());
    }

    @Test
    void theTermIsOverBeforeTheStoreIsAskedSoNothingIsConfirmedWhileTheNextOneBegins() {
        Replica a = replicas.start("a");
        replicas.start("b");
        handOver(a, Optional.empty());
        boolean[] ledWhenItWasSent = {true};
        a.calls.beforeTxn = () -> ledWhenItWasSent[0] = a.leads();
        replicas.time.runUntilIdle();
        assertFalse(ledWhenItWasSent[0]);
    }

    @Test
    void nobodyIsHandedLeadershipWhoDoesNotWaitForIt() {
        Replica a = replicas.start("a");
        handOver(a, Optional.empty());
        replicas.time.runUntilIdle();
        Replica b = replicas.start("b");
        handOver(a, Optional.of(new LeaderAddress("elsewhere.example", 9002)));
        handOver(b, of(a));
        replicas.time.runUntilIdle();
        assertEquals(
                List.of(
                        new HandOver.NobodyThere(List.of()),
                        new HandOver.NobodyThere(List.of(new QueuedReplica("b", of(b), "1.0.0", false))),
                        new HandOver.NotLeading()),
                answers);
        assertTrue(a.leads());
    }

    @Test
    void aTransferToTheLeaderItselfChangesNothing() {
        Replica a = replicas.start("a");
        replicas.start("b");
        handOver(a, of(a));
        replicas.time.runUntilIdle();
        assertTrue(a.leads());
        assertEquals(1, a.terms.size());
        assertTrue(answers.getFirst() instanceof HandOver.To(QueuedReplica next)
                && next.identity().equals("a"));
    }

    @Test
    void aReplicaThatIsGoneMeanwhileLeavesLeadershipToWhoeverIsNext() {
        Replica a = replicas.start("a");
        Replica b = replicas.start("b");
        Replica c = replicas.start("c");
        a.calls.swallow = true; // does not hear that c leaves
        c.resign();
        replicas.advance(Duration.ofMillis(10));
        handOver(a, of(c));
        replicas.advance(Duration.ofSeconds(5));
        assertTrue(b.leads());
        assertTrue(answers.getFirst() instanceof HandOver.Uncertain, answers.toString());
    }

    @Test
    void aStoreThatDoesNotAnswerEndsTheTermAllTheSame() {
        Replica a = replicas.start("a");
        Replica b = replicas.start("b");
        a.calls.cut = true;
        handOver(a, Optional.empty());
        replicas.advance(Replicas.TTL.multipliedBy(3));
        assertFalse(a.leads());
        assertTrue(b.leads());
        assertEquals(1, answers.size());
        assertTrue(answers.getFirst() instanceof HandOver.Uncertain, answers.toString());
    }

    @Test
    void everyReplicaKnowsTheQueue() {
        Replica a = replicas.start("a");
        Replica b = replicas.start("b");
        a.ready();
        replicas.advance(Duration.ofMillis(10));
        List<QueuedReplica> expected =
                List.of(new QueuedReplica("a", of(a), "1.0.0", true), new QueuedReplica("b", of(b), "1.0.0", false));
        assertEquals(expected, a.election.queue());
        assertEquals(expected, b.election.queue());
        b.calls.cut = true;
        replicas.advance(Duration.ofSeconds(20));
        assertTrue(b.election.heard(b.process.nanoTime()).orElseThrow().compareTo(Duration.ofSeconds(15)) > 0);
        assertTrue(a.election.heard(a.process.nanoTime()).orElseThrow().compareTo(Duration.ofSeconds(15)) < 0);
    }
}
