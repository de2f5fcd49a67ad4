package io.shardwright.election;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.election.Replicas.Replica;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Two processes that advertise one address, and one whose predecessor left an entry behind. */
final class SameAddressTest {

    private final Replicas replicas = new Replicas();

    @ParameterizedTest(name = "leases of {0} s")
    @ValueSource(ints = {2, 3, 10, 60})
    @Tag("R31")
    @Tag("R32")
    void ofTwoLiveProcessesTheOneThatCameLaterStopsWithAnError(int seconds) {
        replicas.settings = Replicas.SETTINGS.withTtl(Duration.ofSeconds(seconds));
        Replica first = replicas.start("a");
        Replica later = replicas.startAt("b", "a");
        replicas.advance(Duration.ofSeconds(seconds * 2L + 10));
        assertTrue(later.refusal.contains("a advertises a.example:9002 too"), later.refusal);
        assertTrue(later.refusal.contains("grpc.advertised-host"), later.refusal);
        assertEquals("", first.refusal);
        assertTrue(first.leads());
        assertEquals(1, replicas.entries().size(), "the one that stopped waits no longer");
    }

    @Test
    @Tag("R32")
    void aLeaderThatIsNotTheFirstOfItsAddressAnyMoreEndsItsTermToo() {
        Replica first = replicas.start("a");
        Replica later = replicas.startAt("b", "a");
        first.resign();
        replicas.advance(Duration.ofSeconds(1));
        assertTrue(later.leads());
        Replica third = replicas.startAt("c", "a");
        replicas.advance(Duration.ofSeconds(40));
        assertTrue(later.leads(), "whoever came before the other goes on");
        assertFalse(third.refusal.isEmpty());
    }

    @Test
    @Tag("R33")
    void theEntryOfADeadPredecessorIsWaitedOut() {
        Replica old = replicas.start("a");
        replicas.advance(Duration.ofSeconds(30));
        old.process.kill();
        Replica restarted = replicas.startAt("b", "a");
        replicas.advance(Replicas.TTL.minusSeconds(4));
        assertFalse(restarted.leads());
        replicas.advance(Duration.ofSeconds(6));
        assertTrue(restarted.leads());
        assertEquals("", restarted.refusal);
    }

    @ParameterizedTest(name = "{0} s before, {1} s after the restart")
    @CsvSource({"60, 2", "2, 60"})
    @Tag("R34")
    void anotherLengthOfTheLeaseAfterTheRestartChangesNothing(int before, int after) {
        replicas.settings = Replicas.SETTINGS.withTtl(Duration.ofSeconds(before));
        Replica old = replicas.start("a");
        replicas.advance(Duration.ofSeconds(90));
        old.process.kill();
        replicas.settings = Replicas.SETTINGS.withTtl(Duration.ofSeconds(after));
        Replica restarted = replicas.startAt("b", "a");
        replicas.advance(Duration.ofSeconds(before + 3L));
        assertEquals("", restarted.refusal);
        assertTrue(restarted.leads());
    }

    @Test
    @Tag("R35")
    void anExtensionByANewLeaderOfTheStoreProvesNothing() {
        Replica old = replicas.start("a");
        replicas.advance(Duration.ofSeconds(30));
        old.process.kill();
        Replica restarted = replicas.startAt("b", "a");
        replicas.advance(Duration.ofSeconds(5));
        replicas.store.restartLeases(Duration.ofSeconds(2));
        replicas.advance(Duration.ofSeconds(7));
        assertFalse(restarted.leads(), "the extension did happen");
        replicas.advance(Duration.ofSeconds(10));
        assertEquals("", restarted.refusal);
        assertTrue(restarted.leads());
    }

    @Test
    @Tag("R35")
    void manyExtensionsProveNothingWhereTheStoreTellsOfItsNewLeaders() {
        Replica old = replicas.start("a");
        replicas.advance(Duration.ofSeconds(30));
        old.process.kill();
        Replica restarted = replicas.startAt("b", "a");
        for (int change = 1; change <= 5; change++) {
            replicas.advance(Duration.ofSeconds(4));
            restarted.calls.leaderTerm = change;
            replicas.store.restartLeases(Duration.ofSeconds(2));
        }
        replicas.advance(Duration.ofSeconds(15));
        assertEquals("", restarted.refusal);
        assertTrue(restarted.leads());
    }
}
