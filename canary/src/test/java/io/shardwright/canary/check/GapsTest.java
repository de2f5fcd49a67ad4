package io.shardwright.canary.check;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class GapsTest {

    private final Gaps gaps = new Gaps();

    @Test
    void aGapLastsFromTheFirstFailureToTheNextAnswer() {
        gaps.failed("7", 100);
        gaps.failed("7", 400);
        assertEquals(Set.of("7"), gaps.open());
        assertEquals(Optional.of(Duration.ofNanos(800)), gaps.owned("7", 900));
        assertEquals(Optional.empty(), gaps.owned("7", 950));
        assertEquals(Map.of("7", Duration.ofNanos(800)), gaps.longest(5000));
    }

    @Test
    void anAnswerWithoutAFailureIsNoGap() {
        assertEquals(Optional.empty(), gaps.owned("7", 900));
        assertEquals(Duration.ZERO, gaps.worst(5000));
    }

    @Test
    void aGapThatStillLastsCounts() {
        gaps.failed("7", 100);
        gaps.owned("7", 200);
        gaps.failed("7", 1000);
        assertEquals(Duration.ofNanos(4000), gaps.worst(5000));
        assertEquals(1, gaps.longerThan(Duration.ofNanos(3999), 5000));
        assertEquals(0, gaps.longerThan(Duration.ofNanos(4000), 5000));
    }

    @Test
    void aShardThatIsGoneHasNoGap() {
        gaps.failed("7", 100);
        gaps.forget("7");
        assertEquals(Duration.ZERO, gaps.worst(5000));
    }
}
