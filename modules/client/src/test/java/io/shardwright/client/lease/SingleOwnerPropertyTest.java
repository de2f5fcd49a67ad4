package io.shardwright.client.lease;

import io.shardwright.testkit.SeededRandom;
import io.shardwright.testkit.VirtualTime;
import java.time.Duration;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * One shard is never admitted by two executors at the same time, whatever the network does, while clock rates stay
 * within the tolerance.
 */
class SingleOwnerPropertyTest {

    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final List<String> SHARDS = List.of("a", "b", "c");

    /** Bad weather: long tails, losses, and times in which nothing passes. */
    private static final class Storm implements FakeNetwork.Weather {
        private final SeededRandom random;
        private boolean cut;

        Storm(SeededRandom random) {
            this.random = random;
        }

        @Override
        public Duration delay() {
            return Duration.ofMillis(random.nextInt(10) == 0 ? random.nextInt(4000) : random.nextInt(60));
        }

        @Override
        public boolean lost() {
            return cut || random.nextInt(8) == 0;
        }
    }

    @Property(tries = 150)
    void admittedIntervalsNeverOverlap(@ForAll long seed) {
        SeededRandom random = new SeededRandom(seed);
        VirtualTime time = new VirtualTime();
        FakeManager manager = new FakeManager(time, LEASE);
        Storm[] storms = new Storm[4];
        TestExecutor[] executors = new TestExecutor[2];
        for (int i = 0; i < 2; i++) {
            storms[2 * i] = new Storm(random);
            storms[2 * i + 1] = new Storm(random);
            // Rates within the tolerance of 1 %; the slow one is the dangerous one.
            double rate = 0.99 + random.nextInt(21) / 1000.0;
            TestExecutor.Skewed clock = new TestExecutor.Skewed(time, time, rate);
            executors[i] = new TestExecutor(
                    "e" + i,
                    clock,
                    clock,
                    new FakeNetwork(time, manager, storms[2 * i], storms[2 * i + 1]),
                    Duration.ZERO,
                    random.nextInt(1000));
            executors[i].stopTakes = Duration.ofMillis(random.nextInt(500));
            executors[i].agent.start();
        }
        int incarnations = 0;
        for (int step = 0; step < 120; step++) {
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> manager.give(SHARDS.get(random.nextInt(3)), "e" + random.nextInt(2));
                case 3 -> storms[random.nextInt(4)].cut = true;
                case 4, 5 -> {
                    for (Storm storm : storms) {
                        storm.cut = false;
                    }
                }
                case 6 -> {
                    if (random.nextInt(5) == 0) {
                        manager.failOver("L" + incarnations++);
                    }
                }
                default -> manager.expire();
            }
            long end = time.nanoTime() + random.nextInt(1000) * 1_000_000L;
            time.schedule(Duration.ofNanos(end - time.nanoTime()), () -> {});
            while (time.nanoTime() < end && time.runNext()) {
                // An overlap begins at an event of one of the two: a start, or an extension of what had ended.
                check(executors, seed);
                manager.expire();
                time.runUntilIdle();
                check(executors, seed);
            }
        }
    }

    private static void check(TestExecutor[] executors, long seed) {
        for (String shard : SHARDS) {
            if (executors[0].ownsAny(shard) && executors[1].ownsAny(shard)) {
                throw new AssertionError("shard " + shard + " has two owners, seed " + seed + "\n" + executors[0].log
                        + "\n" + executors[1].log);
            }
        }
    }
}
