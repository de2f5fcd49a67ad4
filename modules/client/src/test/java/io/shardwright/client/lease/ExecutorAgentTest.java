package io.shardwright.client.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.domain.Outcome;
import io.shardwright.domain.Scheduler;
import io.shardwright.proto.v1.Assignment;
import io.shardwright.proto.v1.AssignmentDelivery;
import io.shardwright.proto.v1.RenewRequest;
import io.shardwright.proto.v1.ShardActivity;
import io.shardwright.proto.v1.ShardClaim;
import io.shardwright.proto.v1.ShardEpoch;
import io.shardwright.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExecutorAgentTest {

    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final Duration END = Duration.ofMillis(14_850);

    private final VirtualTime time = new VirtualTime();
    private final FakeManager manager = new FakeManager(time, LEASE);
    private final FakeNetwork.Calm up = new FakeNetwork.Calm();
    private final FakeNetwork.Calm down = new FakeNetwork.Calm();
    private final FakeNetwork network = new FakeNetwork(time, manager, up, down);
    private final TestExecutor executor = new TestExecutor("e1", time, time, network, Duration.ZERO, 1);

    private void startWith(String... keys) {
        executor.agent.start();
        time.advance(Duration.ofMillis(10));
        for (String key : keys) {
            manager.give(key, "e1");
        }
        time.advance(Duration.ofMillis(10));
    }

    private void cut() {
        up.cut = true;
        down.cut = true;
    }

    private void heal() {
        up.cut = false;
        down.cut = false;
    }

    @Test
    @Tag("R78")
    @Tag("R84")
    void registersAndRunsWhatIsPushed() {
        startWith("7");
        assertTrue(executor.owns("7", 1));
        assertFalse(executor.owns("7", 2), "an epoch that was never granted");
        assertEquals(List.of("registered", "start 7@1"), executor.log);
    }

    @Test
    @Tag("R109")
    void registrationIsRepeatedUntilItIsAnswered() {
        cut();
        executor.agent.start();
        time.advance(Duration.ofSeconds(20));
        assertTrue(executor.log.contains("registration failed"));
        heal();
        time.advance(Duration.ofSeconds(6));
        assertTrue(executor.log.contains("registered"));
    }

    @Test
    @Tag("R78")
    @Tag("R82")
    void renewsEveryThirdOfTheLeaseWithGrowingSequenceAndEpochs() {
        startWith("7");
        time.advance(Duration.ofSeconds(31));
        List<Long> sequences =
                manager.renewals.stream().map(RenewRequest::getSequence).toList();
        assertTrue(sequences.size() >= 6 && sequences.size() <= 7, sequences.toString());
        assertEquals(sequences.stream().sorted().distinct().toList(), sequences);
        ShardClaim claim = manager.renewals.getLast().getClaims(0);
        assertEquals(1, claim.getEpoch());
        assertEquals(ShardActivity.SHARD_ACTIVITY_RUNNING, claim.getActivity());
        assertTrue(executor.owns("7", 1));
    }

    @Test
    @Tag("R176")
    @Tag("R178")
    void threeRenewalsAreSentInALeaseEvenIfEachHangs() {
        startWith("7");
        down.cut = true;
        int before = manager.renewals.size();
        time.advance(LEASE);
        assertTrue(manager.renewals.size() - before >= 3, manager.renewals.size() - before + " renewals");
        heal();
        time.advance(LEASE);
        assertTrue(executor.owns("7", 1), "the manager heard them all");
    }

    @Test
    @Tag("R91")
    void ownershipEndsAtTheLeaseEndCountedFromTheSendTime() {
        down.delay = Duration.ofSeconds(1);
        executor.agent.start();
        manager.give("7", "e1");
        time.advance(Duration.ofMillis(1001));
        assertTrue(executor.owns("7", 1), "answered after one second");
        cut();
        time.advance(END.minusMillis(1001).minusNanos(1));
        assertTrue(executor.owns("7", 1));
        time.advance(Duration.ofNanos(1));
        assertFalse(executor.owns("7", 1), "15 s less 1 %, counted from the send, not from the arrival");
        assertTrue(executor.log.contains("stop 7@1 LEASE_ENDED"));
        assertTrue(executor.log.contains("lease ended 1"));
    }

    @Test
    void aReaderSeesTheEndWithoutAnyTimerRunning() {
        startWith("7");
        Ownership seen = executor.running("7");
        assertTrue(seen.isOwned(seen.runUntil() - 1));
        assertFalse(seen.isOwned(seen.runUntil()));
        assertFalse(seen.isOwned(seen.runUntil() + 1));
    }

    @Test
    @Tag("R103")
    void shardsStartAgainAfterTheNextAnswerOnly() {
        startWith("7");
        cut();
        time.advance(LEASE);
        assertFalse(executor.ownsAny("7"));
        heal();
        time.advance(Duration.ofSeconds(11));
        assertTrue(executor.ownsAny("7"));
        assertEquals(
                2,
                executor.log.stream().filter(line -> line.startsWith("start 7")).count());
    }

    @Test
    @Tag("R92")
    void aPushDoesNotExtendTheLease() {
        startWith("7");
        long end = executor.running("7").runUntil();
        up.cut = true;
        time.advance(Duration.ofSeconds(10));
        manager.give("8", "e1");
        time.advance(Duration.ofSeconds(1));
        assertTrue(executor.owns("8", 1), "new shard runs");
        assertEquals(end, executor.running("7").runUntil());
        assertEquals(end, executor.running("8").runUntil(), "only until the current lease end");
        time.advance(Duration.ofSeconds(4));
        assertFalse(executor.ownsAny("7"));
        assertFalse(executor.ownsAny("8"));
    }

    @Test
    @Tag("R85")
    void anOlderPushIsIgnored() {
        startWith("7");
        network.inject.accept(push("A", manager.revision() - 1));
        time.advance(Duration.ofMillis(10));
        assertTrue(executor.owns("7", 1));
    }

    @Test
    void anEmptyAssignmentStopsEverything() {
        startWith("7", "8");
        network.inject.accept(push("A", manager.revision() + 1));
        time.runUntilIdle();
        assertFalse(executor.ownsAny("7"));
        assertFalse(executor.ownsAny("8"));
    }

    @Test
    void anAbsentAssignmentSaysNothing() {
        startWith("7");
        network.inject.accept(AssignmentDelivery.getDefaultInstance());
        time.runUntilIdle();
        assertTrue(executor.owns("7", 1));
    }

    @Test
    @Tag("R86")
    @Tag("R87")
    void aPushOfAnotherProcessIsIgnoredAndAnsweredByARenewalAtOnce() {
        startWith("7");
        int before = manager.renewals.size();
        network.inject.accept(push("B", 1_000_000));
        time.advance(Duration.ofMillis(2));
        assertTrue(executor.owns("7", 1));
        assertEquals(before + 1, manager.renewals.size());
    }

    @Test
    @Tag("R88")
    void aNewLeaderWithALowerRevisionIsFollowed() {
        startWith("7");
        manager.wipe("B");
        time.advance(Duration.ofSeconds(5));
        assertTrue(executor.log.contains("forgotten"));
        assertEquals(1, manager.registers.getLast().getClaimsCount(), "registers with its claims");
        assertFalse(executor.ownsAny("7"), "the new set is empty");
        manager.give("9", "e1");
        time.advance(Duration.ofSeconds(1));
        assertTrue(executor.owns("9", 1));
    }

    @Test
    void aFailOverKeepsShardsRunning() {
        startWith("7");
        manager.failOver("B");
        network.cutStream.accept(new Outcome.Fault(Outcome.Fault.Kind.UNAVAILABLE, "leader died"));
        time.advance(Duration.ofSeconds(40));
        assertTrue(executor.owns("7", 1));
        assertEquals("B", executor.agent.incarnation());
        assertEquals(
                1,
                executor.log.stream().filter(line -> line.startsWith("start")).count());
    }

    @Test
    void aShardTakenAwayIsStoppedAndThenReleased() {
        startWith("7");
        executor.stopTakes = Duration.ofSeconds(2);
        manager.give("7", "e2");
        time.advance(Duration.ofMillis(5));
        assertFalse(executor.ownsAny("7"), "admits no work while it stops");
        assertTrue(manager.released.isEmpty(), "not before the stop ended");
        time.advance(Duration.ofSeconds(3));
        assertEquals(List.of(shard("7", 1)), manager.released);
    }

    @Test
    void aReleaseIsRepeatedUntilItIsAnswered() {
        startWith("7");
        manager.give("7", "e2");
        time.advance(Duration.ofMillis(1));
        down.cut = true;
        time.advance(Duration.ofSeconds(3));
        down.cut = false;
        time.advance(Duration.ofSeconds(3));
        assertTrue(manager.released.size() >= 2, manager.released.toString());
    }

    @Test
    void aStoppingShardThatIsAssignedAgainWaitsForItsStop() {
        startWith("7");
        executor.holdStops = true;
        network.inject.accept(push("A", manager.revision() + 1));
        network.inject.accept(push("A", manager.revision() + 2, shard("7", 2)));
        time.advance(Duration.ofSeconds(1));
        assertEquals(List.of("registered", "start 7@1", "stop 7@1 REASSIGNED"), executor.log);
        executor.finishStop("7");
        time.runUntilIdle();
        assertTrue(executor.owns("7", 2));
        assertFalse(executor.owns("7", 1));
    }

    @Test
    void aNewEpochStopsTheOldRunAndStartsAnew() {
        startWith("7");
        network.inject.accept(push("A", manager.revision() + 1, shard("7", 5)));
        time.runUntilIdle();
        assertEquals(List.of("registered", "start 7@1", "stop 7@1 NEW_EPOCH", "start 7@5"), executor.log);
        assertTrue(executor.owns("7", 5));
    }

    @Test
    void aReleasedEpochIsNeverStartedAgain() {
        startWith("7");
        long revision = manager.revision();
        network.inject.accept(push("A", revision + 1));
        time.runUntilIdle();
        // Listed once more, by a server that has not heard of the release.
        network.inject.accept(push("A", revision + 2, shard("7", 1)));
        time.runUntilIdle();
        assertEquals(1, executor.log.stream().filter("start 7@1"::equals).count());
        assertFalse(executor.ownsAny("7"));
        time.advance(Duration.ofSeconds(1));
        assertTrue(manager.released.contains(shard("7", 1)));
    }

    @Test
    @Tag("R89")
    void aShorterLeaseNeverMovesADeadlineEarlier() {
        startWith("7");
        long end = executor.running("7").runUntil();
        Grants grants = new Grants(0.01);
        grants.answer(new Grants.Answer(1, 0, LEASE.toNanos(), "A", 5, List.of(new Held("7", 1))));
        grants.answer(new Grants.Answer(2, 1, 1_000_000_000L, "A", 5, List.of(new Held("7", 1))));
        assertEquals(END.toNanos(), grants.grant("7").orElseThrow().runUntil());
        assertTrue(end > 0);
    }

    @Test
    @Tag("R87")
    void anAnswerToAnEarlierRequestDoesNotChooseTheLeader() {
        Grants grants = new Grants(0.01);
        grants.answer(new Grants.Answer(2, 10, LEASE.toNanos(), "B", 3, List.of(new Held("7", 2))));
        Grants.Change late =
                grants.answer(new Grants.Answer(1, 0, LEASE.toNanos(), "A", 900, List.of(new Held("8", 1))));
        assertEquals(new Grants.Change.Foreign(), late);
        assertEquals("B", grants.incarnation());
        assertTrue(grants.covers("7", 2));
    }

    @Test
    void aPushThatOvertakesTheAnswerOfItsProcessIsAppliedAfterIt() {
        Grants grants = new Grants(0.01);
        grants.answer(new Grants.Answer(1, 0, LEASE.toNanos(), "A", 5, List.of(new Held("7", 1), new Held("8", 1))));
        grants.push("B", 9, List.of(new Held("7", 1), new Held("9", 4)));
        grants.push("B", 8, List.of(new Held("8", 1)));
        Grants.Change change = grants.answer(
                new Grants.Answer(2, 10, LEASE.toNanos(), "B", 8, List.of(new Held("7", 1), new Held("8", 1))));
        assertEquals(new Grants.Change.Applied(List.of(new Held("8", 1))), change);
        assertEquals(9, grants.revision());
        assertFalse(grants.covers("8", 1), "wanted back at revision 9");
        assertEquals(10 + END.toNanos(), grants.grant("9").orElseThrow().runUntil(), "no longer than the lease");
    }

    @Test
    void aPushOfAProcessThatIsNotFollowedAfterAllIsForgotten() {
        Grants grants = new Grants(0.01);
        grants.answer(new Grants.Answer(1, 0, LEASE.toNanos(), "A", 5, List.of(new Held("7", 1))));
        grants.push("B", 900, List.of(new Held("8", 1)));
        grants.push("C", 6, List.of(new Held("7", 1)));
        grants.answer(new Grants.Answer(2, 10, LEASE.toNanos(), "B", 6, List.of(new Held("7", 1))));
        assertTrue(grants.covers("7", 1), "one set is kept, the one that came last");
        grants.push("C", 950, List.of(new Held("9", 1)));
        grants.clear();
        grants.answer(new Grants.Answer(3, 20, LEASE.toNanos(), "C", 7, List.of(new Held("7", 1))));
        assertTrue(grants.covers("7", 1), "a set from before the loss of the id");
    }

    @Test
    @Tag("B5")
    void anotherProcessUnderTheSameIdIsReportedAndWaitedFor() {
        FakeNetwork other = new FakeNetwork(time, manager, new FakeNetwork.Calm(), new FakeNetwork.Calm());
        TestExecutor second = new TestExecutor("e1", time, time, other, Duration.ZERO, 2);
        startWith("7");
        second.agent.start();
        time.advance(Duration.ofSeconds(20));
        assertTrue(second.log.contains("id in use"));
        assertFalse(second.log.contains("registered"));
        cut();
        time.advance(Duration.ofSeconds(40));
        assertTrue(second.log.contains("registered"), "takes over when the first is gone");
        assertFalse(executor.ownsAny("7"));
        heal();
        time.advance(Duration.ofSeconds(10));
        assertTrue(executor.log.contains("id in use"), executor.log.toString());
        assertFalse(executor.ownsAny("7"));
    }

    @Test
    @Tag("B6")
    void aFailedStartIsReportedAndTriedAgain() {
        executor.failStarts = 3;
        startWith("7");
        time.advance(Duration.ofSeconds(5));
        assertTrue(executor.owns("7", 1));
        assertEquals(4, executor.log.stream().filter("start 7@1"::equals).count());
    }

    @Test
    void aFailedShardIsClaimedAsFailed() {
        executor.failStarts = Integer.MAX_VALUE;
        startWith("7");
        time.advance(Duration.ofSeconds(10));
        assertTrue(manager.renewals.stream()
                .flatMap(renewal -> renewal.getClaimsList().stream())
                .anyMatch(claim -> claim.getActivity() == ShardActivity.SHARD_ACTIVITY_FAILED));
    }

    @Test
    void loadsGoWithRenewalsAndAreAbsentWhenNotMeasured() {
        executor.loads.put("7", 2.5);
        startWith("7", "8");
        time.advance(Duration.ofSeconds(6));
        List<ShardClaim> claims = manager.renewals.getLast().getClaimsList();
        assertEquals(2.5, claims.get(0).getLoad());
        assertFalse(claims.get(1).hasLoad());
    }

    @Test
    void anIdleShardIsStoppedClaimedAsIdleAndForgotten() {
        TestExecutor lazy = new TestExecutor("e1", time, time, network, Duration.ofSeconds(4), 3);
        lazy.agent.start();
        time.advance(Duration.ofMillis(10));
        manager.give("7", "e1");
        manager.give("8", "e1");
        for (int i = 0; i < 10; i++) {
            time.advance(Duration.ofSeconds(1));
            assertTrue(lazy.owns("8", 1), "asked for every second");
        }
        assertTrue(lazy.log.contains("stop 7@1 IDLE"), lazy.log.toString());
        assertTrue(manager.owner("7").isEmpty(), "the manager forgot it");
        assertEquals("e1", manager.owner("8").orElseThrow());
    }

    @Test
    void aLateAnswerDoesNotRunAnIdleShardAgainAtItsEpoch() {
        TestExecutor lazy = new TestExecutor("e1", time, time, network, Duration.ofSeconds(4), 3);
        lazy.agent.start();
        time.advance(Duration.ofMillis(10));
        manager.give("7", "e1");
        time.advance(Duration.ofSeconds(6));
        assertTrue(manager.owner("7").isEmpty(), "the manager forgot it");
        for (int minutes : new int[] {0, 10, 9}) {
            time.advance(Duration.ofMinutes(minutes));
            // Made before the shard was forgotten: the manager drops an idle shard from its answers before it stores
            // that, so an older answer can carry the same revision.
            network.inject.accept(push("A", lazy.agent.revision(), shard("7", 1)));
            time.advance(Duration.ofMillis(10));
            assertFalse(lazy.ownsAny("7"), "forgotten at this epoch");
        }
        assertEquals(1, lazy.log.stream().filter("start 7@1"::equals).count(), lazy.log.toString());
        network.inject.accept(push("A", lazy.agent.revision(), shard("7", 2)));
        time.advance(Duration.ofMillis(10));
        assertTrue(lazy.owns("7", 2), "somebody asked for it again: a new epoch");
    }

    @Test
    void closeHandsOverStopsAndLeavesWhileItRenews() {
        startWith("7", "8");
        executor.stopTakes = Duration.ofSeconds(8);
        List<ExecutorAgent.Closed> closed = new ArrayList<>();
        int renewals = manager.renewals.size();
        executor.agent.close(Duration.ofSeconds(20), closed::add);
        time.advance(Duration.ofMillis(5));
        assertFalse(executor.ownsAny("7"));
        time.advance(Duration.ofSeconds(7));
        assertTrue(manager.renewals.size() > renewals, "slow stops stay covered by the lease");
        assertTrue(closed.isEmpty());
        time.advance(Duration.ofSeconds(2));
        assertEquals(List.of(new ExecutorAgent.Closed(0, 0)), closed);
        assertTrue(manager.released.containsAll(List.of(shard("7", 1), shard("8", 1))));
        time.advance(Duration.ofMinutes(1));
        assertEquals(0, time.waiting(), "no timer outlives its agent");
    }

    @Test
    void aGoodbyeThatTravelsSlowlyIsHeardBeforeTheReleases() {
        startWith("7");
        List<ExecutorAgent.Closed> closed = new ArrayList<>();
        up.delay = Duration.ofMillis(500);
        executor.agent.close(Duration.ofSeconds(20), closed::add);
        up.delay = Duration.ofMillis(1);
        time.advance(Duration.ofSeconds(1));
        assertEquals(List.of(shard("7", 1)), manager.released, "the shard was not given to who leaves once more");
        assertEquals(List.of(new ExecutorAgent.Closed(0, 0)), closed);
    }

    @Test
    void aGoodbyeThatIsNotAnsweredDoesNotKeepTheReleasesForEver() {
        startWith("7");
        up.delay = Duration.ofMinutes(5);
        executor.agent.close(Duration.ofMinutes(1), closed -> {});
        up.delay = Duration.ofMillis(1);
        time.advance(Duration.ofSeconds(20));
        assertTrue(manager.released.contains(shard("7", 1)), manager.released.toString());
    }

    @Test
    void closeEndsAtItsDeadlineWithWhatIsOpen() {
        startWith("7");
        executor.holdStops = true;
        List<ExecutorAgent.Closed> closed = new ArrayList<>();
        executor.agent.close(Duration.ofSeconds(5), closed::add);
        time.advance(Duration.ofSeconds(5));
        assertEquals(List.of(new ExecutorAgent.Closed(1, 0)), closed);
        assertEquals(ExecutorAgent.Phase.CLOSED, executor.agent.phase());
    }

    /** The loop of an agent; what waits in it is the agent's own. */
    private record OwnTimers(VirtualTime world, Set<Runnable> waiting) implements Scheduler {
        @Override
        public void execute(Runnable task) {
            world.execute(task);
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            Runnable once = new Runnable() {
                @Override
                public void run() {
                    waiting.remove(this);
                    task.run();
                }
            };
            waiting.add(once);
            Timer timer = world.schedule(delay, once);
            return () -> {
                waiting.remove(once);
                timer.cancel();
            };
        }
    }

    /** With a shard that idles, one that does not stop, or replicas that do not answer, or with nothing to wait for. */
    @ParameterizedTest
    @ValueSource(strings = {"at rest", "idle", "hanging stop", "cut"})
    void aClosedAgentLeavesNoTimer(String when) {
        Set<Runnable> waiting = new HashSet<>();
        TestExecutor lazy =
                new TestExecutor("e1", time, new OwnTimers(time, waiting), network, Duration.ofSeconds(4), 3);
        lazy.agent.start();
        time.advance(Duration.ofMillis(10));
        manager.give("7", "e1");
        time.advance(Duration.ofSeconds(when.equals("idle") ? 6 : 1));
        lazy.holdStops = when.equals("hanging stop");
        if (when.equals("cut")) {
            cut();
        }
        assertFalse(waiting.isEmpty(), "an open agent waits for something");
        List<ExecutorAgent.Closed> closed = new ArrayList<>();
        lazy.agent.close(Duration.ofSeconds(20), closed::add);
        while (closed.isEmpty()) {
            time.advance(Duration.ofMillis(1));
        }
        assertTrue(waiting.isEmpty(), waiting.size() + " timers");
        time.advance(Duration.ofMinutes(30));
        assertTrue(waiting.isEmpty(), waiting.size() + " timers were set after the end");
    }

    @Test
    @Tag("R84")
    void aStreamCutAtEveryMessageLosesNothing() {
        startWith("first");
        int renewals = manager.renewals.size();
        int changes = 4;
        for (int arrive = 0; arrive <= changes; arrive++) {
            String left = "left-" + arrive;
            List<Runnable> pushes = List.of(
                    () -> manager.give(left, "e1"),
                    () -> manager.give(left + "+", "e1"),
                    () -> manager.give(left, "e2"),
                    () -> manager.give(left + "++", "e1"));
            pushes.subList(0, arrive).forEach(push -> {
                push.run();
                time.advance(Duration.ofMillis(2));
            });
            // Sent, and on their way when the stream breaks; with the last arrival there are none.
            pushes.subList(arrive, changes).forEach(Runnable::run);
            network.cutStream.accept(new Outcome.Fault(Outcome.Fault.Kind.UNAVAILABLE, "cut"));
            time.advance(Duration.ofMillis(200));
            assertTrue(executor.ownsAny("first"));
            assertFalse(executor.ownsAny(left), "cut after " + arrive);
            assertTrue(executor.ownsAny(left + "+"), "cut after " + arrive);
            assertTrue(executor.ownsAny(left + "++"), "cut after " + arrive);
        }
        assertEquals(renewals, manager.renewals.size(), "the stream alone made good what it lost");
    }

    @Test
    @Tag("R84")
    void aChangeWhileThereIsNoStreamArrivesWithTheNext() {
        startWith("first");
        int renewals = manager.renewals.size();
        network.cutStream.accept(new Outcome.Fault(Outcome.Fault.Kind.UNAVAILABLE, "cut"));
        manager.give("7", "e1");
        assertFalse(executor.ownsAny("7"));
        time.advance(Duration.ofMillis(200));
        assertTrue(executor.ownsAny("7"));
        assertEquals(renewals, manager.renewals.size());
    }

    @Test
    void aSilentStreamIsOpenedAgain() {
        startWith("7");
        int before = network.opened;
        time.advance(LEASE.multipliedBy(2).plusSeconds(10));
        assertTrue(network.opened > before);
        assertTrue(executor.owns("7", 1));
    }

    private static ShardEpoch shard(String key, long epoch) {
        return ShardEpoch.newBuilder().setShardKey(key).setEpoch(epoch).build();
    }

    private static AssignmentDelivery push(String incarnation, long revision, ShardEpoch... shards) {
        return AssignmentDelivery.newBuilder()
                .setAssignment(Assignment.newBuilder()
                        .setIncarnation(incarnation)
                        .setRevision(revision)
                        .addAllShards(List.of(shards)))
                .build();
    }
}
