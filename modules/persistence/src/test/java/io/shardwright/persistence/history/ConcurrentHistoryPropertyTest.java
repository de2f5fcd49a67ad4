package io.shardwright.persistence.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.domain.RandomSource;
import io.shardwright.persistence.Backend;
import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.KeyRange;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.StoreCalls;
import io.shardwright.persistence.etcd.EtcdSettings;
import io.shardwright.persistence.etcd.EtcdStore;
import io.shardwright.persistence.history.Call.Answer;
import io.shardwright.persistence.memory.MemoryStore;
import io.shardwright.testkit.SeededRandom;
import io.shardwright.testkit.TestEtcd;
import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/**
 * Three clients at a time, whose answers must fit into one order of all writes; and doctored answers, which must not.
 */
final class ConcurrentHistoryPropertyTest {

    private static final int CLIENTS = 3;
    private static final List<String> KEYS = List.of("a", "b");

    private record History(List<Call> calls, long base) {}

    @Property(tries = 300, shrinking = ShrinkingMode.OFF)
    void oneOrderExplainsWhatClientsOfTheMemoryStoreSeeThroughFaults(@ForAll long seed) {
        History history = ofMemory(seed);
        assertEquals(List.of(), HistoryCheck.faults(history.calls(), history.base()));
        assertEachDoctoringIsRefused(history);
    }

    @Example
    void oneOrderExplainsWhatClientsOfEtcdSee() {
        Backend backend = Backend.real();
        try (TestEtcd etcd = TestEtcd.start();
                Store one = open(etcd, backend);
                Store two = open(etcd, backend);
                Store three = open(etcd, backend)) {
            Set<Doctoring> tried = EnumSet.noneOf(Doctoring.class);
            for (int round = 0; round < 10; round++) {
                List<String> keys = List.of("a" + round, "b" + round);
                History history = run(backend, List.of(one, two, three), new SeededRandom(round), keys);
                assertEquals(List.of(), HistoryCheck.faults(history.calls(), history.base()));
                tried.addAll(assertEachDoctoringIsRefused(history));
            }
            assertEquals(EnumSet.allOf(Doctoring.class), tried);
        } finally {
            backend.close();
        }
    }

    @Example
    void faultsAreAmongWhatIsExplained() {
        Set<Doctoring> tried = EnumSet.noneOf(Doctoring.class);
        long lost = 0;
        long lostAndSeen = 0;
        for (int seed = 0; seed < 20; seed++) {
            List<Call> calls = ofMemory(seed).calls();
            List<Call> unanswered = calls.stream()
                    .filter(call -> call.answer() instanceof Answer.Lost)
                    .toList();
            lost += unanswered.size();
            lostAndSeen += unanswered.stream()
                    .filter(call -> calls.stream().anyMatch(reader -> sees(reader, call.value())))
                    .count();
            tried.addAll(assertEachDoctoringIsRefused(ofMemory(seed)));
        }
        assertEquals(EnumSet.allOf(Doctoring.class), tried);
        assertTrue(lostAndSeen > 10, lostAndSeen + " lost writes were seen");
        assertTrue(lost - lostAndSeen > 10, "of " + lost + " lost writes " + lostAndSeen + " were seen");
    }

    private static boolean sees(Call reader, String value) {
        return reader.answer() instanceof Answer.Read read
                && read.seen().filter(seen -> seen.value().equals(value)).isPresent();
    }

    /** Returns the doctorings that the history had a place for. */
    private static Set<Doctoring> assertEachDoctoringIsRefused(History history) {
        Set<Doctoring> tried = EnumSet.noneOf(Doctoring.class);
        for (Doctoring doctoring : Doctoring.values()) {
            doctoring.apply(history.calls()).ifPresent(doctored -> {
                assertFalse(HistoryCheck.faults(doctored, history.base()).isEmpty(), doctoring::name);
                tried.add(doctoring);
            });
        }
        return tried;
    }

    private static History ofMemory(long seed) {
        RandomSource random = new SeededRandom(seed);
        try (Backend backend = Backend.virtual();
                Store memory = MemoryStore.open(backend.clock(), backend.loop())) {
            Store lossy = new LossyStore(memory, backend.loop(), random);
            return run(backend, Collections.nCopies(CLIENTS, lossy), random, KEYS);
        }
    }

    private static Store open(TestEtcd etcd, Backend backend) {
        return EtcdStore.open(
                EtcdSettings.of(List.of(URI.create(etcd.endpoint()))).withRequestTimeout(Duration.ofSeconds(20)),
                backend.loop());
    }

    private static History run(Backend backend, List<Store> stores, RandomSource random, List<String> keys) {
        KeyRange range = KeyRange.single(Bytes.utf8(keys.getFirst()));
        Store first = stores.getFirst();
        long base = new StoreCalls(backend, first).read(range).revision();
        Clients clients = new Clients(backend.loop(), stores, random, keys);
        clients.start();
        assertTrue(backend.waitUntil(clients::areDone, Duration.ofSeconds(60)), "the clients did not end");
        return new History(clients.history(), base);
    }
}
