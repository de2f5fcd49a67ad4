package io.shardwright.sim.command;

import io.shardwright.sim.cluster.Facts;
import io.shardwright.sim.cluster.Simulation;
import io.shardwright.sim.kernel.Checkpoint;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What came of the seeds that were run. Thread-safe: each thread adds the runs it made. */
final class Tally {

    private final Facts facts = new Facts();
    private final List<Simulation.Result> failures = new ArrayList<>();
    private final List<String> differing = new ArrayList<>();
    private final List<String> brokenOff = new ArrayList<>();
    private long seeds;
    private long replayed;
    private long steps;
    private long simulatedNanos;
    private long cpuNanos;

    /** A run of a seed. */
    synchronized void add(Simulation.Result result, long cpu) {
        seeds++;
        steps += result.steps();
        simulatedNanos += result.nanos();
        cpuNanos += cpu;
        facts.add(result.facts());
        result.violation().ifPresent(violation -> failures.add(result));
    }

    /** A second run of a plan, which should have been the same as the first one. */
    synchronized void compare(Simulation.Result first, SecondJvm.Ran second) {
        replayed++;
        if (!SecondJvm.Ran.of(first).equals(second)) {
            differing.add(String.format(
                    "seed %d ran %d steps to digest %016x here, and %d steps to digest %016x in another JVM; it %s",
                    first.plan().seed(),
                    first.steps(),
                    first.digest(),
                    second.steps(),
                    second.digest(),
                    Checkpoint.firstDifference(first.checkpoints(), second.checkpoints())));
        }
    }

    /** A failed run was clean when it was repeated: what is wrong is that the two differ. */
    synchronized void notRepeated(Simulation.Result failure) {
        failures.remove(failure);
        differing.add(String.format(
                "seed %d violated %s, and did not when it was run again",
                failure.plan().seed(), failure.violation().orElseThrow().id()));
    }

    /** The simulator itself failed. */
    synchronized void brokeOff(String sentence) {
        brokenOff.add(sentence);
    }

    /** Returns a sentence for each time that the simulator itself failed. */
    synchronized List<String> brokenOff() {
        return List.copyOf(brokenOff);
    }

    /** Says whether there is a reason to run more seeds. */
    synchronized boolean goesOn(int failuresWanted) {
        return failed() < failuresWanted && brokenOff.isEmpty();
    }

    private int failed() {
        return failures.size() + differing.size();
    }

    synchronized Figures figures() {
        return new Figures(seeds, failed(), replayed, steps, simulatedNanos, cpuNanos);
    }

    /** Returns the failed runs in the order of their seeds. */
    synchronized List<Simulation.Result> failures() {
        return failures.stream()
                .sorted(Comparator.comparingLong(result -> result.plan().seed()))
                .toList();
    }

    /** Returns the failed runs in the order in which they came, without the first ones. */
    synchronized List<Simulation.Result> failuresAfter(int known) {
        return List.copyOf(failures.subList(known, failures.size()));
    }

    /** Returns a sentence for each run that was not the same twice. */
    synchronized List<String> differing() {
        return List.copyOf(differing);
    }

    /** Returns what happened so far. */
    synchronized Facts facts() {
        Facts copy = new Facts();
        copy.add(facts);
        return copy;
    }

    /** Numbers at one moment. */
    record Figures(long seeds, long failed, long replayed, long steps, long simulatedNanos, long cpuNanos) {

        double simulatedHours() {
            return simulatedNanos / 3.6e12;
        }

        double hoursPerCoreSecond() {
            return cpuNanos == 0 ? 0 : simulatedHours() / (cpuNanos / 1e9);
        }

        double stepsPerCoreSecond() {
            return cpuNanos == 0 ? 0 : steps / (cpuNanos / 1e9);
        }
    }
}
