package io.shardwright.sim.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardwright.sim.cluster.Simulation;
import io.shardwright.sim.cluster.Trace;
import io.shardwright.sim.cluster.Wiring;
import io.shardwright.sim.plan.Fault.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.BeforeContainer;

/**
 * Plans of any faults in any combination, where {@link FaultDraw} draws what it takes for likely to hurt. Plans are
 * data, so jqwik shrinks one that fails.
 */
class PlanPropertyTest {

    private static final Duration FAULTY = Duration.ofSeconds(40);

    /** Longer than it takes to come to rest, so that what is left is looked at then and once more at the end. */
    private static final Shape SHAPE = new Shape(2, 3, 1, 1, 8, Duration.ofSeconds(5), FAULTY, Duration.ofSeconds(170));

    private static final List<String> REPLICAS = List.of("replica-0", "replica-1");
    private static final List<String> EXECUTORS = List.of("executor-0", "executor-1", "executor-2", "ephemeral-0");
    private static final List<String> CLIENTS = joined(EXECUTORS, List.of("spectator-0"));
    private static final List<String> MACHINES = joined(REPLICAS, CLIENTS);
    private static final List<String> MEMBERS = List.of("etcd-0", "etcd-1", "etcd-2");

    private static final Logger PRODUCT = Logger.getLogger("io.shardwright");

    /** What the product warns of while everything goes wrong is not news. */
    @BeforeContainer
    static void quiet() {
        PRODUCT.setLevel(Level.OFF);
    }

    private static List<String> joined(List<String> one, List<String> other) {
        return Stream.concat(one.stream(), other.stream()).toList();
    }

    @Provide
    Arbitrary<Plan> plans() {
        Arbitrary<List<Fault>> clocks = Arbitraries.integers()
                .between(-4, 4)
                .list()
                .ofSize(MACHINES.size())
                .map(PlanPropertyTest::clocks);
        Arbitrary<List<Fault>> faults = faults().list().ofMaxSize(12);
        Arbitrary<Long> seeds = Arbitraries.longs().between(1, 1_000_000);
        return Combinators.combine(seeds, clocks, faults).as((seed, rates, others) -> {
            List<Fault> all = new ArrayList<>(rates);
            all.addAll(others);
            return new Plan(seed, SHAPE, all);
        });
    }

    /** Clocks that are off by so many thousandths; within what leases allow for. */
    private static List<Fault> clocks(List<Integer> thousandths) {
        List<Fault> faults = new ArrayList<>();
        for (int i = 0; i < thousandths.size(); i++) {
            if (thousandths.get(i) != 0) {
                faults.add(
                        new Fault(0, 0, Kind.CLOCK_RATE, List.of(MACHINES.get(i)), 1 + thousandths.get(i) / 1_000.0));
            }
        }
        return faults;
    }

    private static Arbitrary<Fault> faults() {
        return Arbitraries.oneOf(
                fault(oneOf(EXECUTORS), 0, 0, Kind.KILL, Kind.STOP, Kind.TWIN, Kind.RENAME, Kind.HANGING_STOP),
                fault(oneOf(REPLICAS), 0, 0, Kind.KILL, Kind.STOP, Kind.TWIN, Kind.STRANGER, Kind.TRANSFER),
                fault(oneOf(MACHINES), 0, 0, Kind.LOSE, Kind.PAUSE),
                fault(oneOf(MACHINES), 100, 50_000, Kind.SLOW),
                fault(links(), 0, 0, Kind.CUT, Kind.CUT_ONE_WAY, Kind.RESET),
                fault(links(), 0, 0.5, Kind.LOSS),
                fault(links(), 50, 3_000, Kind.DELAY),
                fault(links(), 300, 20_000, Kind.BANDWIDTH),
                fault(oneOf(MACHINES), 20, 2_000, Kind.SLOW_READER),
                fault(oneOf(MACHINES), -100_000, 100_000, Kind.WALL_STEP),
                fault(nobody(), 0, 0, Kind.ETCD_LEADER, Kind.ETCD_FULL, Kind.ETCD_COMPACT),
                fault(nobody(), 0.02, 0.42, Kind.ETCD_ANSWERS),
                fault(oneOf(MEMBERS), 0, 0, Kind.ETCD_MEMBER),
                fault(oneOf(EXECUTORS), 1, 30, Kind.SLOW_SHARDS),
                fault(oneOf(EXECUTORS), 0, 1, Kind.FAILING_STARTS),
                whole(oneOf(REPLICAS), 0, 4, Kind.UPGRADE),
                whole(oneOf(REPLICAS), 8, 20, Kind.CONFIGURE),
                whole(nobody(), 0, SHAPE.shards() - 1, Kind.DRAIN_SHARD),
                whole(nobody(), 0, 23, Kind.DRAIN_EPHEMERAL),
                fault(oneOf(EXECUTORS), 0, 0, Kind.DRAIN_HOST));
    }

    private static Arbitrary<List<String>> nobody() {
        return Arbitraries.just(List.of());
    }

    private static Arbitrary<List<String>> oneOf(List<String> machines) {
        return Arbitraries.of(machines).map(List::of);
    }

    /** A replica and whom it talks to, in this direction or the other. */
    private static Arbitrary<List<String>> links() {
        return Combinators.combine(
                        Arbitraries.of(REPLICAS), Arbitraries.of(joined(CLIENTS, MEMBERS)), Arbitraries.of(true, false))
                .as((replica, other, to) -> to ? List.of(replica, other) : List.of(other, replica));
    }

    private static Arbitrary<Fault> whole(Arbitrary<List<String>> targets, int low, int high, Kind kind) {
        return faults(targets, Arbitraries.integers().between(low, high).map(number -> (double) number), kind);
    }

    private static Arbitrary<Fault> fault(Arbitrary<List<String>> targets, double low, double high, Kind... kinds) {
        return faults(targets, Arbitraries.doubles().between(low, high).ofScale(2), kinds);
    }

    /** A fault that ends before the cluster has to come to rest. */
    private static Arbitrary<Fault> faults(Arbitrary<List<String>> targets, Arbitrary<Double> amounts, Kind... kinds) {
        long end = FAULTY.toMillis();
        Arbitrary<Long> starts = Arbitraries.longs().between(500, end - 1);
        Arbitrary<Long> lengths = Arbitraries.longs().between(1, 20_000); // what has no length is never undone
        return Combinators.combine(starts, lengths, Arbitraries.of(kinds), targets, amounts)
                .as((start, length, kind, machines, amount) -> new Fault(
                        start * 1_000_000L, Math.min(length, end - start) * 1_000_000L, kind, machines, amount));
    }

    @Property(tries = 200)
    void aPlanIsTheSameAfterItWasWrittenDownAndRead(@ForAll("plans") Plan plan) {
        assertEquals(plan, Plan.parse(plan.text()));
    }

    @Property(tries = 30)
    void noPlanBreaksAnInvariantAndTheSamePlanIsTheSameRun(@ForAll("plans") Plan plan) {
        Simulation.Result result = Simulation.outcome(plan, new Wiring(), Trace.NONE);

        assertEquals(Optional.empty(), result.violation(), plan::text);
        Simulation.Result again = Simulation.outcome(Plan.parse(plan.text()), new Wiring(), Trace.NONE);
        assertEquals(result.checkpoints(), again.checkpoints(), plan::text);
    }
}
