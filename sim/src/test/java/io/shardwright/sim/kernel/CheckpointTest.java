package io.shardwright.sim.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

final class CheckpointTest {

    private static final Checkpoint FIRST = new Checkpoint(10_000, 1_500_000_000L, 1);
    private static final Checkpoint SECOND = new Checkpoint(20_000, 3_000_000_001L, 2);
    private static final Checkpoint END = new Checkpoint(23_456, 60_000_000_000L, 3);

    private static Checkpoint other(Checkpoint of) {
        return new Checkpoint(of.steps(), of.time(), of.digest() + 100);
    }

    @Test
    void theFirstCheckpointThatDiffersIsNamed() {
        assertEquals(
                "differs between event 10000 and event 20000, simulated time 1.500000000 s to 3.000000001 s",
                Checkpoint.firstDifference(List.of(FIRST, SECOND, END), List.of(FIRST, other(SECOND), other(END))));
    }

    @Test
    void aDifferenceBeforeTheFirstCheckpointIsCountedFromTheBeginning() {
        assertEquals(
                "differs between event 0 and event 10000, simulated time 0.000000000 s to 1.500000000 s",
                Checkpoint.firstDifference(List.of(FIRST, END), List.of(other(FIRST), other(END))));
    }

    @Test
    void aRunThatEndedEarlierDiffersBeforeItsEnd() {
        Checkpoint early = new Checkpoint(15_000, 2_000_000_000L, 9);
        assertEquals(
                "differs between event 10000 and event 15000, simulated time 1.500000000 s to 3.000000001 s",
                Checkpoint.firstDifference(List.of(FIRST, SECOND, END), List.of(FIRST, early)));
    }
}
