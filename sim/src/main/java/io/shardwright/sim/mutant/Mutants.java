package io.shardwright.sim.mutant;

import java.util.List;

/**
 * All mutants, by the numbers of the requirements.
 *
 * <p>Not here: M18 (quotas), which breaks what does not exist yet; M19 (a balancer without hysteresis) and M21 (the
 * proxy), which come with their parts; M22 (a set in salted order), which only a second JVM can see and a test of
 * replay catches; M23 (a fake that forgets to extend leases), which the store's conformance suite catches.
 */
public final class Mutants {

    private Mutants() {}

    /** Returns them all. */
    public static List<Mutant> all() {
        return List.of(
                new Mutant(
                        "M1", "state is written without the guard", List.of("S7", "S3", "S6"), StateMutants::noGuard),
                new Mutant("M2", "an executor never stops", List.of("S1", "S6"), ExecutorMutants::neverStops),
                new Mutant(
                        "M3",
                        "an executor counts its lease from the answer",
                        List.of("S1"),
                        ExecutorMutants::countsFromTheAnswer),
                new Mutant(
                        "M4",
                        "the leader counts on the wall clock",
                        List.of("S1", "S6", "L2"),
                        ElectionMutants::wallClock),
                new Mutant(
                        "M5",
                        "a new leader does not restart leases",
                        List.of("S1", "S6"),
                        ElectionMutants::leasesNotRestarted),
                new Mutant("M6", "no margin for clock drift", List.of("S1"), ExecutorMutants::noDriftMargin),
                new Mutant("M7", "a move is told before it is stored", List.of("S4"), StateMutants::toldBeforeStored),
                new Mutant("M8", "the epoch is kept at a move", List.of("S2", "S3", "S4"), StateMutants::epochKept),
                new Mutant("M9a", "storage without a fence", List.of("S2"), ExecutorMutants::noFence),
                new Mutant(
                        "M9b",
                        "the fence is looked at outside of the write's transaction",
                        List.of("S2"),
                        ExecutorMutants::fenceOutsideOfTheWrite),
                new Mutant(
                        "M10a",
                        "unknown is taken for failure",
                        List.of("S1", "S4", "S5", "S6", "S11"),
                        StateMutants::unknownTakenForFailure),
                new Mutant(
                        "M10b",
                        "unknown is taken for success",
                        List.of("S4", "S5", "S6"),
                        StateMutants::unknownTakenForSuccess),
                new Mutant(
                        "M11",
                        "a write is repeated blindly",
                        List.of("S3", "S4", "S6", "S11"),
                        StateMutants::blindRetry),
                new Mutant(
                        "M12a",
                        "a watch goes on from now",
                        List.of("S11", "L1", "L4", "L6"),
                        StateMutants::watchFromNow),
                new Mutant(
                        "M12b",
                        "a compacted watch is taken for a quiet one",
                        List.of("S11", "L1", "L4"),
                        StateMutants::compactionSwallowed),
                new Mutant(
                        "M13a",
                        "older waiters are ignored",
                        List.of("S6", "S7", "L1"),
                        ElectionMutants::olderWaitersIgnored),
                new Mutant(
                        "M13b",
                        "a leader believes for ever",
                        List.of("S1", "S6", "S7", "L1"),
                        ElectionMutants::believesForEver),
                new Mutant(
                        "M14a",
                        "timers of a former term still act",
                        List.of("S7", "S13", "L6", "L7"),
                        StateMutants::timersOutliveTheirTerm),
                new Mutant(
                        "M14b",
                        "a client keeps a timer when it is closed",
                        List.of("S13"),
                        ExecutorMutants::timerOutlivesClient),
                new Mutant(
                        "M15a",
                        "a push of another process is applied",
                        List.of("S8"),
                        ExecutorMutants::pushOfAnotherProcessApplied),
                new Mutant("M15b", "an older push is applied", List.of("S8"), ExecutorMutants::olderPushApplied),
                new Mutant(
                        "M16b",
                        "an ephemeral shard is forgotten after it got another owner",
                        List.of("S4", "S5"),
                        StateMutants::ephemeralForgotten),
                new Mutant(
                        "M16a",
                        "a shard is forgotten when its owner is replaced while it releases",
                        List.of("S5", "L2"),
                        StateMutants::releasingForgotten),
                new Mutant(
                        "M17a",
                        "drains are kept in the leader's memory only",
                        List.of("S6", "S10"),
                        StateMutants::drainsNotStored),
                new Mutant(
                        "M17b",
                        "a drained shard is given back to who let it go",
                        List.of("S10"),
                        StateMutants::drainedGivenBack),
                new Mutant(
                        "M20",
                        "failed calls are repeated at once",
                        List.of("L6", "S13"),
                        ExecutorMutants::retriesAtOnce));
    }
}
