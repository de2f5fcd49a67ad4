package io.shardwright.sim.mutant;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.shardwright.sim.plan.Shape;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** A simulator that does not notice what is broken on purpose would not notice what is broken by mistake. */
final class MutantsTest {

    private static final int SEEDS = 200;

    @TestFactory
    Stream<DynamicTest> everyMutantIsCaughtByTheInvariantItBreaks() {
        return Mutants.all().stream()
                .map(mutant -> dynamicTest(mutant.id() + " " + mutant.broken(), () -> {
                    Hunt.Detection detection = Hunt.of(mutant, Shape.DEFAULT, 1, SEEDS);
                    assertTrue(
                            detection.caught(),
                            () -> "after " + detection.seeds() + " seeds: " + detection.violation()
                                    + "; expected one of " + mutant.alarms());
                }));
    }
}
