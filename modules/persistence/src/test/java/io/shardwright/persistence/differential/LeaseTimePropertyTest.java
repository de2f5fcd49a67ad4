package io.shardwright.persistence.differential;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shardwright.persistence.Backend;
import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.differential.LeaseLife.Schedule;
import io.shardwright.persistence.memory.MemoryStore;
import io.shardwright.persistence.mvcc.EmbeddedSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

/**
 * Leases end in time on the memory store and on etcd: never early, and late by no more than one look for ended leases.
 * All leases of a try live at the same time, so that real time passes once.
 */
final class LeaseTimePropertyTest {

    private static final EmbeddedSettings AS_ETCD = EmbeddedSettings.DEFAULTS.withMinLeaseTtlSeconds(2);

    private static final int LEASES = 40;

    @Provide
    Arbitrary<List<Schedule>> schedules() {
        Arbitrary<List<Duration>> gaps = Arbitraries.integers()
                .between(1, 25)
                .map(tenths -> Duration.ofMillis(100L * tenths))
                .list()
                .ofMaxSize(2);
        return Combinators.combine(Arbitraries.longs().between(1, 3), gaps)
                .as(Schedule::new)
                .list()
                .ofSize(LEASES);
    }

    @Property(tries = 1, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.OFF)
    void aLeaseOfEtcdEndsInTime(@ForAll("schedules") List<Schedule> schedules) {
        try (RealEtcd etcd = RealEtcd.start()) {
            live(etcd.backend(), etcd.store(), schedules, Duration.ofSeconds(4));
        }
    }

    @Property(tries = 50, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.OFF)
    void aLeaseOfTheMemoryStoreEndsInTime(@ForAll("schedules") List<Schedule> schedules) {
        liveInMemory(AS_ETCD, schedules);
    }

    @Property(tries = 5, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.OFF)
    void leasesThatNeverEndOrEndEarlyAreFound(@ForAll("schedules") List<Schedule> schedules) {
        EmbeddedSettings neverLooks = new EmbeddedSettings(
                AS_ETCD.limits(),
                AS_ETCD.minLeaseTtlSeconds(),
                Duration.ofDays(1),
                AS_ETCD.retainedRevisions(),
                AS_ETCD.retainedBytes());
        assertThrows(AssertionError.class, () -> liveInMemory(neverLooks, schedules));
        assertThrows(
                AssertionError.class,
                () -> liveInMemory(AS_ETCD.withMinLeaseTtlSeconds(1), schedules),
                "etcd grants no lease that short");
    }

    private static void liveInMemory(EmbeddedSettings settings, List<Schedule> schedules) {
        try (Backend virtual = Backend.virtual();
                Store memory = MemoryStore.open(settings, virtual.clock(), virtual.loop())) {
            live(virtual, memory, schedules, Duration.ofMillis(10));
        }
    }

    private static void live(Backend backend, Store store, List<Schedule> schedules, Duration slack) {
        List<LeaseLife> lives = IntStream.range(0, schedules.size())
                .mapToObj(i -> new LeaseLife(backend, store, schedules.get(i), Bytes.utf8("lease-" + i), slack))
                .toList();
        backend.loop().execute(() -> lives.forEach(LeaseLife::begin));
        Duration atMost =
                lives.stream().map(LeaseLife::atMost).max(Duration::compareTo).orElseThrow();
        backend.waitUntil(() -> lives.stream().allMatch(LeaseLife::isOver), atMost);
        List<String> faults = new ArrayList<>();
        CompletableFuture<Void> told = new CompletableFuture<>();
        backend.loop().execute(() -> {
            lives.forEach(life -> faults.addAll(life.faults()));
            told.complete(null);
        });
        backend.waitUntil(told::isDone, Duration.ofSeconds(10));
        assertEquals(List.of(), faults);
    }
}
