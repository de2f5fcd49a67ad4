package io.shardwright.client.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.domain.Outcome;
import io.shardwright.proto.v1.Beat;
import io.shardwright.proto.v1.ExecutorInfo;
import io.shardwright.proto.v1.RoutingDelta;
import io.shardwright.proto.v1.RoutingEvent;
import io.shardwright.proto.v1.RoutingSnapshot;
import io.shardwright.proto.v1.ShardRoute;
import io.shardwright.proto.v1.WatchRoutingRequest;
import io.shardwright.testkit.SeededRandom;
import io.shardwright.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RoutingFollowerTest {

    private final VirtualTime time = new VirtualTime();
    private final List<WatchRoutingRequest> opened = new ArrayList<>();
    private Consumer<RoutingEvent> send = event -> {};
    private Consumer<Outcome.Fault> cut = fault -> {};
    private final RoutingFollower follower = follower(1);

    private RoutingFollower follower(long seed) {
        return new RoutingFollower(
                "orders",
                new RoutingFollower.Ports(time, time, new SeededRandom(seed), (request, onEvent, onEnd) -> {
                    opened.add(request);
                    send = onEvent;
                    cut = onEnd;
                    return () -> {};
                }),
                new RoutingFollower.Listener() {
                    @Override
                    public void changed(RoutingTable before, RoutingTable now) {}

                    @Override
                    public void interrupted(String why) {}
                });
    }

    @BeforeEach
    void open() {
        follower.start();
    }

    @Test
    void aSnapshotIsVisibleOnlyWhenItsLastPartArrived() {
        send.accept(snapshot("A", 10, true, false, "0", "e1", 1));
        assertFalse(follower.hasTable());
        send.accept(snapshot("A", 10, false, true, "1", "e2", 4));
        assertEquals("e1", owner("0"));
        assertEquals("e2", owner("1"));
        assertEquals(10, follower.table().revision());
    }

    @Test
    void aLookupReturnsThePrebuiltAnswer() {
        send.accept(snapshot("A", 10, true, true, "0", "e1", 1));
        assertSame(follower.table().ownerOf("0"), follower.table().ownerOf("0"));
        assertEquals(
                "host:e1",
                follower.table().ownerOf("0").orElseThrow().executor().address());
        assertTrue(follower.table().ownerOf("nobody").isEmpty());
    }

    @Test
    void deltasChangeTheTableAndBeatsMoveTheRevision() {
        send.accept(snapshot("A", 10, true, true, "0", "e1", 1));
        send.accept(beat("A", 12));
        send.accept(delta("A", 12, 13, "0", "e2", 2));
        assertEquals("e2", owner("0"));
        assertEquals(13, follower.table().revision());
    }

    @Test
    void aGapReopensTheStreamFromWhatWeHave() {
        send.accept(snapshot("A", 10, true, true, "0", "e1", 1));
        send.accept(delta("A", 11, 12, "0", "e2", 2));
        assertEquals("e1", owner("0"), "a change that does not continue ours is not applied");
        time.advance(Duration.ofSeconds(1));
        assertEquals(2, opened.size());
        assertEquals("A", opened.getLast().getKnownIncarnation());
        assertEquals(10, opened.getLast().getKnownRevision());
        send.accept(delta("A", 11, 12, "0", "e2", 2));
        time.advance(Duration.ofSeconds(1));
        assertEquals("", opened.getLast().getKnownIncarnation(), "after the second gap it asks for everything");
    }

    @Test
    void aDeltaOfAnotherProcessIsAGap() {
        send.accept(snapshot("A", 10, true, true, "0", "e1", 1));
        send.accept(delta("B", 10, 11, "0", "e2", 2));
        assertEquals("e1", owner("0"));
        time.advance(Duration.ofSeconds(1));
        assertEquals(2, opened.size());
    }

    @Test
    void anOlderSnapshotOfTheSameProcessIsRefusedAndOfAnotherTaken() {
        send.accept(snapshot("A", 10, true, true, "0", "e1", 1));
        send.accept(snapshot("A", 9, true, true, "0", "e9", 1));
        assertEquals("e1", owner("0"));
        time.advance(Duration.ofSeconds(1));
        send.accept(snapshot("B", 3, true, true, "0", "e3", 1));
        assertEquals("e3", owner("0"));
        assertEquals(3, follower.table().revision());
    }

    @Test
    void aStreamCutAtEveryMessageEndsWithTheRightTable() {
        send.accept(snapshot("A", 10, true, true, "0", "e1", 1));
        for (int revision = 10; revision < 40; revision++) {
            cut.accept(new Outcome.Fault(Outcome.Fault.Kind.UNAVAILABLE, "cut"));
            time.advance(Duration.ofSeconds(11));
            assertEquals(revision, opened.getLast().getKnownRevision());
            send.accept(delta("A", revision, revision + 1, "0", "e" + revision, revision));
        }
        assertEquals("e39", owner("0"));
    }

    /** Revisions 10 to 14: each gives shard r % 3 to executor r. */
    private static List<RoutingEvent> answerOfAServer(WatchRoutingRequest request) {
        List<RoutingEvent> answer = new ArrayList<>();
        long known = request.getKnownRevision();
        if (!request.getKnownIncarnation().equals("A")) {
            known = 10;
            answer.add(snapshot("A", 10, true, false, "0", "e8", 1));
            answer.add(snapshot("A", 10, false, false, "1", "e10", 1));
            answer.add(snapshot("A", 10, false, true, "2", "e9", 1));
        }
        answer.add(beat("A", known));
        for (long from = known; from < 14; from++) {
            long to = from + 1;
            answer.add(delta("A", from, to, Long.toString(to % 3), "e" + to, to));
        }
        return answer;
    }

    @Test
    void aStreamCutTwiceAtAnyMessagesEndsWithTheRightTable() {
        int messages = answerOfAServer(WatchRoutingRequest.getDefaultInstance()).size();
        follower.close();
        for (int first = 0; first <= messages; first++) {
            for (int second = 0; second <= messages; second++) {
                RoutingFollower cutTwice = follower(1);
                cutTwice.start();
                for (int arrive : new int[] {first, second}) {
                    // What does not arrive was sent, and is lost with the stream.
                    answerOfAServer(opened.getLast()).stream().limit(arrive).forEach(send);
                    pauseOfAttempt();
                }
                answerOfAServer(opened.getLast()).forEach(send);
                String where = "cut after " + first + " and " + second;
                assertEquals("e12", owner(cutTwice, "0"), where);
                assertEquals("e13", owner(cutTwice, "1"), where);
                assertEquals("e14", owner(cutTwice, "2"), where);
                assertEquals(14, cutTwice.table().revision(), where);
                cutTwice.close();
            }
        }
        assertEquals(1 + 3 * (messages + 1) * (messages + 1), opened.size(), "no stream was given up for a gap");
    }

    @Test
    void pausesBetweenAttemptsGrowUpToABound() {
        List<Duration> pauses = pausesOfAttempts(1, 20);
        for (int i = 1; i < pauses.size(); i++) {
            Duration before = pauses.get(i - 1);
            // From the bound on they are drawn between its half and the whole of it.
            assertTrue(
                    pauses.get(i).compareTo(before) >= 0 || before.compareTo(Duration.ofSeconds(5)) >= 0,
                    pauses.toString());
        }
        assertTrue(Collections.max(pauses).compareTo(Duration.ofSeconds(10)) <= 0, pauses.toString());
        assertTrue(pauses.getFirst().compareTo(Duration.ofMillis(50)) <= 0, pauses.toString());
        assertTrue(pauses.getLast().compareTo(Duration.ofSeconds(5)) >= 0, pauses.toString());
    }

    @Test
    void pausesDifferFromClientToClientAndFromAttemptToAttempt() {
        List<Duration> one = pausesOfAttempts(1, 20);
        List<Duration> other = pausesOfAttempts(2, 20);
        for (int i = 10; i < 20; i++) {
            assertNotEquals(one.get(i), other.get(i), one + " and " + other);
            assertNotEquals(one.get(i), one.get(i - 1), one.toString());
        }
    }

    @Test
    void pausesStartAnewAfterATableAndAfterABeat() {
        pausesOfAttempts(20);
        send.accept(snapshot("A", 10, true, true, "0", "e1", 1));
        assertTrue(pauseOfAttempt().compareTo(Duration.ofMillis(50)) <= 0);
        pausesOfAttempts(20);
        send.accept(beat("A", 10));
        assertTrue(pauseOfAttempt().compareTo(Duration.ofMillis(50)) <= 0);
    }

    /** A client that is refused each time: how long it waits before it asks again. */
    private List<Duration> pausesOfAttempts(long seed, int attempts) {
        follower.close();
        RoutingFollower refused = follower(seed);
        refused.start();
        List<Duration> pauses = pausesOfAttempts(attempts);
        refused.close();
        return pauses;
    }

    private List<Duration> pausesOfAttempts(int attempts) {
        List<Duration> pauses = new ArrayList<>();
        for (int i = 0; i < attempts; i++) {
            pauses.add(pauseOfAttempt());
        }
        return pauses;
    }

    private Duration pauseOfAttempt() {
        int before = opened.size();
        long cutAt = time.nanoTime();
        cut.accept(new Outcome.Fault(Outcome.Fault.Kind.UNAVAILABLE, "refused"));
        while (opened.size() == before) {
            assertTrue(time.runNext(), "nobody asks again");
        }
        return Duration.ofNanos(time.nanoTime() - cutAt);
    }

    @Test
    void aCutInsideASnapshotKeepsTheOldTable() {
        send.accept(snapshot("A", 10, true, true, "0", "e1", 1));
        send.accept(snapshot("B", 20, true, false, "0", "e2", 2));
        cut.accept(new Outcome.Fault(Outcome.Fault.Kind.UNAVAILABLE, "cut"));
        time.advance(Duration.ofSeconds(1));
        assertEquals("e1", owner("0"));
        send.accept(snapshot("B", 20, false, true, "1", "e2", 2));
        assertEquals("e1", owner("0"), "a last part without its first is not a table");
    }

    @Test
    @Tag("R108")
    void aSilentStreamIsOpenedAgainAndTheAgeGrows() {
        send.accept(snapshot("A", 10, true, true, "0", "e1", 1));
        time.advance(Duration.ofSeconds(14));
        assertEquals(1, opened.size());
        assertEquals(Duration.ofSeconds(14), follower.age());
        time.advance(Duration.ofSeconds(2));
        assertEquals(2, opened.size());
    }

    @Test
    void aNewAddressOfAnExecutorReachesItsRoutes() {
        send.accept(snapshot("A", 10, true, true, "0", "e1", 1));
        RoutingEvent moved = RoutingEvent.newBuilder()
                .setIncarnation("A")
                .setRevision(11)
                .setDelta(RoutingDelta.newBuilder()
                        .setFromRevision(10)
                        .addExecutors(
                                ExecutorInfo.newBuilder().setExecutorId("e1").setAddress("elsewhere")))
                .build();
        send.accept(moved);
        assertEquals(
                "elsewhere",
                follower.table().ownerOf("0").orElseThrow().executor().address());
    }

    @Test
    void aTableOfManyShardsFindsEachAndForgetsTheRemoved() {
        RoutingSnapshot.Builder all =
                RoutingSnapshot.newBuilder().setFirst(true).setLast(true);
        for (int i = 0; i < 10_000; i++) {
            all.addShards(ShardRoute.newBuilder()
                    .setShardKey("k" + i)
                    .setOwner("e" + i % 7)
                    .setEpoch(1));
        }
        send.accept(RoutingEvent.newBuilder()
                .setIncarnation("A")
                .setRevision(1)
                .setSnapshot(all)
                .build());
        RoutingTable before = follower.table();
        send.accept(RoutingEvent.newBuilder()
                .setIncarnation("A")
                .setRevision(2)
                .setDelta(RoutingDelta.newBuilder().setFromRevision(1).addRemovedShardKeys("k77"))
                .build());
        assertEquals(9_999, follower.table().size());
        assertTrue(follower.table().ownerOf("k77").isEmpty());
        assertTrue(before.ownerOf("k77").isPresent(), "a table never changes");
        for (int i = 0; i < 10_000; i++) {
            assertTrue(i == 77 || follower.table().ownerOf("k" + i).isPresent());
        }
    }

    private String owner(String key) {
        return owner(follower, key);
    }

    private static String owner(RoutingFollower follower, String key) {
        return follower.table().ownerOf(key).orElseThrow().executor().id();
    }

    private static RoutingEvent snapshot(
            String incarnation, long revision, boolean first, boolean last, String key, String owner, long epoch) {
        return RoutingEvent.newBuilder()
                .setIncarnation(incarnation)
                .setRevision(revision)
                .setSnapshot(RoutingSnapshot.newBuilder()
                        .setFirst(first)
                        .setLast(last)
                        .addExecutors(
                                ExecutorInfo.newBuilder().setExecutorId(owner).setAddress("host:" + owner))
                        .addShards(ShardRoute.newBuilder()
                                .setShardKey(key)
                                .setOwner(owner)
                                .setEpoch(epoch)))
                .build();
    }

    private static RoutingEvent delta(
            String incarnation, long from, long revision, String key, String owner, long epoch) {
        return RoutingEvent.newBuilder()
                .setIncarnation(incarnation)
                .setRevision(revision)
                .setDelta(RoutingDelta.newBuilder()
                        .setFromRevision(from)
                        .addExecutors(
                                ExecutorInfo.newBuilder().setExecutorId(owner).setAddress("host:" + owner))
                        .addShards(ShardRoute.newBuilder()
                                .setShardKey(key)
                                .setOwner(owner)
                                .setEpoch(epoch)))
                .build();
    }

    private static RoutingEvent beat(String incarnation, long revision) {
        return RoutingEvent.newBuilder()
                .setIncarnation(incarnation)
                .setRevision(revision)
                .setBeat(Beat.newBuilder().setIncarnation(incarnation).setRevision(revision))
                .build();
    }
}
