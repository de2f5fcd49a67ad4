package io.shardwright.election;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How long a lease may be believed in: 10 s were asked for, the drift is 1 %. */
@Tag("R179")
class LeaseBeliefTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private static LeaseBelief granted(long seconds) {
        return new LeaseBelief(Replicas.SETTINGS, 0, seconds);
    }

    @Test
    void beliefLastsTheTtlThatWasAskedForOrGrantedWhicheverIsSmaller() {
        assertEquals(99 * SECOND / 10, granted(10).until());
        assertEquals(99 * SECOND / 10, granted(15).until());
        assertEquals(297 * SECOND / 100, granted(3).until());
    }

    @Test
    void anAnswerThatWasOvertakenShortensNothing() {
        LeaseBelief belief = granted(10);
        belief.extend(6 * SECOND, 5 * SECOND, 10);
        belief.extend(7 * SECOND, 3 * SECOND, 10);
        assertEquals(149 * SECOND / 10, belief.until());
    }

    @Test
    void aLeaderThatOnceStoppedBelievingDoesNotBeginAgainWithALateAnswer() {
        LeaseBelief belief = granted(10);
        belief.lead();
        assertTrue(belief.holds(98 * SECOND / 10));
        belief.extend(10 * SECOND, 9 * SECOND, 10);
        assertFalse(belief.holds(10 * SECOND));
    }

    @Test
    void aCandidateMayStillWinWithALateAnswer() {
        LeaseBelief belief = granted(10);
        belief.extend(10 * SECOND, 9 * SECOND, 10);
        assertTrue(belief.holds(10 * SECOND));
    }

    @Test
    void whatWasEndedIsNotBelievedAgain() {
        LeaseBelief belief = granted(10);
        belief.end();
        belief.extend(2 * SECOND, SECOND, 10);
        assertFalse(belief.holds(2 * SECOND));
    }
}
