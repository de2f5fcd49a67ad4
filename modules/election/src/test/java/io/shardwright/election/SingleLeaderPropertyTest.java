package io.shardwright.election;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.election.FaultyStore.Call;
import io.shardwright.election.FaultyStore.Fate;
import io.shardwright.election.Replicas.Replica;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;

/** Three replicas with clocks of different rates, pauses, cuts, lost answers, deaths and hand-overs. */
class SingleLeaderPropertyTest {

    private static final Duration RUN = Duration.ofSeconds(90);
    private static final double DRIFT = Replicas.SETTINGS.clockDrift();

    /** What happens to a replica, and when. */
    record Trouble(int replica, Kind kind, int atMillis, int forMillis, Call call, Fate fate) {}

    enum Kind {
        PAUSE,
        CUT,
        LOSE,
        BREAK_WATCHES,
        KILL,
        RESIGN,
        LOST
    }

    @Provide
    Arbitrary<List<Trouble>> troubles() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, 2),
                        Arbitraries.of(Kind.class),
                        Arbitraries.integers().between(0, (int) RUN.toMillis()),
                        Arbitraries.integers().between(1, 25_000),
                        Arbitraries.of(Call.class),
                        Arbitraries.of(Fate.class))
                .as(Trouble::new)
                .list()
                .ofMaxSize(14);
    }

    @Provide
    Arbitrary<Double> rates() {
        return Arbitraries.of(1 - DRIFT, 1.0, 1 + DRIFT);
    }

    @Property(tries = 250)
    @Tag("R179")
    @Tag("R180")
    void twoReplicasNeverBelieveAtTheSameTimeAndOneLeadsWhenTroubleIsOver(
            @ForAll("troubles") List<Trouble> troubles,
            @ForAll("rates") double slow,
            @ForAll("rates") double other,
            @ForAll long seed) {
        Replicas replicas = new Replicas(Replicas.SETTINGS, seed);
        List<Replica> present = new ArrayList<>(
                List.of(replicas.prepare("a", slow), replicas.prepare("b", other), replicas.prepare("c", 1)));
        List<Replica> all = new ArrayList<>(present);
        present.forEach(Replica::campaign);
        for (Trouble trouble : troubles) {
            replicas.time.schedule(Duration.ofMillis(trouble.atMillis()), () -> apply(trouble, replicas, present, all));
        }
        run(replicas, all, RUN.plusSeconds(26));
        run(replicas, all, Duration.ofSeconds(25));
        assertEquals(1, present.stream().filter(Replica::believes).count(), "leaders in the end");
        assertEquals(3, replicas.entries().size(), "entries in the end");
    }

    private static void apply(Trouble trouble, Replicas replicas, List<Replica> present, List<Replica> all) {
        Replica it = present.get(trouble.replica());
        Duration length = Duration.ofMillis(trouble.forMillis());
        switch (trouble.kind()) {
            case PAUSE -> {
                it.process.pause();
                replicas.time.schedule(length, it.process::resume);
            }
            case CUT -> {
                it.calls.cut = true;
                replicas.time.schedule(length, () -> it.calls.cut = false);
            }
            case LOSE -> it.calls.next(trouble.call(), trouble.fate(), trouble.fate());
            case BREAK_WATCHES -> it.calls.breakWatches();
            case KILL -> {
                it.process.kill();
                replace(it, trouble.replica(), replicas, present, all);
            }
            case RESIGN -> {
                it.resign();
                replace(it, trouble.replica(), replicas, present, all);
            }
            case LOST -> it.process.execute(() -> it.term.ifPresent(it.election::lost));
        }
    }

    private static void replace(Replica old, int place, Replicas replicas, List<Replica> present, List<Replica> all) {
        Replica next = replicas.prepare(old.name, 1);
        present.set(place, next);
        all.add(next);
        next.campaign();
    }

    private static void run(Replicas replicas, List<Replica> all, Duration length) {
        long end = replicas.time.nanoTime() + length.toNanos();
        replicas.time.schedule(length, () -> {});
        while (replicas.time.nanoTime() < end && replicas.time.runNext()) {
            List<String> believers =
                    all.stream().filter(Replica::believes).map(r -> r.name).toList();
            assertTrue(believers.size() <= 1, () -> believers + " believe at " + replicas.time.nanoTime());
        }
    }
}
