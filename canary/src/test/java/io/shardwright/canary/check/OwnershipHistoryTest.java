package io.shardwright.canary.check;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardwright.canary.check.Violation.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Times are small numbers; a claim is {@code executor, epoch, asked at, answered at}. */
final class OwnershipHistoryTest {

    private static Claim claim(String executor, long epoch, long from, long until) {
        return new Claim("ns/7", executor, "p-" + executor, epoch, from, until);
    }

    private static List<Kind> kinds(Claim... claims) {
        OwnershipHistory history = new OwnershipHistory();
        List<Kind> found = new ArrayList<>();
        for (Claim claim : claims) {
            history.add(claim).forEach(violation -> found.add(violation.kind()));
        }
        return found;
    }

    @Test
    void anOrdinaryMoveIsClean() {
        assertEquals(
                List.of(), kinds(claim("b", 4, 0, 1), claim("b", 4, 5, 6), claim("a", 5, 8, 9), claim("a", 5, 20, 21)));
    }

    @Test
    void anAnswerBetweenTwoAnswersOfAnotherOwnerIsADoubleOwner() {
        assertEquals(List.of(Kind.DOUBLE_OWNER), kinds(claim("b", 4, 0, 1), claim("a", 5, 2, 3), claim("b", 4, 4, 5)));
    }

    @Test
    void theSandwichIsFoundInAnyOrderOfArrivalAndReportedOnce() {
        List<Claim> claims = new ArrayList<>(
                List.of(claim("b", 4, 0, 1), claim("b", 4, 4, 5), claim("b", 4, 6, 7), claim("a", 5, 2, 3)));
        for (int seed = 0; seed < 24; seed++) {
            Collections.shuffle(claims, new Random(seed));
            List<Kind> found = kinds(claims.toArray(Claim[]::new));
            assertEquals(
                    1, found.stream().filter(kind -> kind == Kind.DOUBLE_OWNER).count(), claims + ": " + found);
        }
    }

    @Test
    void windowsThatTouchProveNothing() {
        // b may have let go at the moment 2, and a begun then; b's last window began before a's ended.
        assertEquals(List.of(), kinds(claim("b", 4, 0, 2), claim("a", 5, 2, 4), claim("b", 4, 4, 6)));
    }

    @Test
    void aSlowAnswerOfTheOldOwnerAcrossTheMoveProvesNothing() {
        assertEquals(List.of(), kinds(claim("b", 4, 0, 1), claim("b", 4, 2, 10), claim("a", 5, 5, 6)));
    }

    @Test
    void theOldOwnerAtALaterAndHigherEpochIsClean() {
        assertEquals(List.of(), kinds(claim("b", 4, 0, 1), claim("a", 5, 2, 3), claim("b", 6, 4, 5)));
    }

    @Test
    void overlapOfWhatBothOwnedThroughoutIsADoubleOwnerWithoutAnyWindowInside() {
        // b owned from 2 to 9, a from 1 to 10; no window of one lies inside the span of the other.
        assertEquals(
                List.of(Kind.DOUBLE_OWNER),
                kinds(claim("b", 4, 0, 2), claim("a", 5, 0, 2), claim("b", 4, 9, 12), claim("a", 5, 8, 12)).stream()
                        .filter(kind -> kind == Kind.DOUBLE_OWNER)
                        .toList());
    }

    @Test
    void oneEpochOfTwoExecutorsIsADoubleOwnerWhenever() {
        assertEquals(List.of(Kind.DOUBLE_OWNER), kinds(claim("b", 4, 0, 1), claim("a", 4, 100, 101)));
    }

    @Test
    void aRestartedProcessMayKeepTheEpochOfItsExecutor() {
        Claim before = new Claim("ns/7", "b", "p1", 4, 0, 1);
        Claim after = new Claim("ns/7", "b", "p2", 4, 5, 6);
        assertEquals(List.of(), kinds(before, after));
    }

    @Test
    void twoProcessesOfOneExecutorAtOneMomentAreADoubleOwner() {
        Claim first = new Claim("ns/7", "b", "p1", 4, 0, 1);
        Claim second = new Claim("ns/7", "b", "p2", 4, 5, 6);
        Claim firstAgain = new Claim("ns/7", "b", "p1", 4, 8, 9);
        assertEquals(List.of(Kind.DOUBLE_OWNER), kinds(first, second, firstAgain));
    }

    @Test
    void aLowerEpochAfterAHigherOneIsAFall() {
        assertEquals(List.of(Kind.EPOCH_FALL), kinds(claim("a", 5, 0, 1), claim("b", 4, 2, 3)));
    }

    @Test
    void aLowerEpochThatMayHaveBeenBeforeIsNoFall() {
        assertEquals(List.of(), kinds(claim("a", 5, 0, 3), claim("b", 4, 2, 4)));
    }

    @Test
    void shardsAreJudgedApart() {
        OwnershipHistory history = new OwnershipHistory();
        history.add(new Claim("ns/1", "b", "pb", 4, 0, 1));
        history.add(new Claim("ns/2", "a", "pa", 4, 2, 3));
        assertEquals(List.of(), history.add(new Claim("ns/1", "b", "pb", 4, 4, 5)));
    }

    @Test
    void aForgottenShardBeginsAnew() {
        OwnershipHistory history = new OwnershipHistory();
        history.add(claim("a", 5, 0, 1));
        history.forget("ns/7");
        assertEquals(List.of(), history.add(claim("b", 4, 2, 3)));
        assertEquals(1, history.size());
    }
}
