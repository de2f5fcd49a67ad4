package io.shardwright.sim.command;

import io.shardwright.sim.cluster.Facts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How often a batch of the default profile must have reached what it is for. A batch that did not is invalid: the plans
 * or the cluster are too tame to find anything (A5, coverage facts).
 */
final class Coverage {

    /** Below so many seeds chance decides, and nothing is asked. */
    static final long FEWEST_SEEDS = 100;

    /** Per 1,000 seeds; about a tenth of what is usual, so that a batch of 100 seeds does not miss one by chance. */
    private static final SortedMap<String, Long> FLOORS = floors();

    /** A fact that was not reached often enough. */
    record Missed(String fact, long count, long floor) {}

    private Coverage() {}

    private static SortedMap<String, Long> floors() {
        TreeMap<String, Long> floors = new TreeMap<>();
        // Useful work.
        floors.put("executor registered", 2_000L);
        floors.put("renewal", 200_000L);
        floors.put("routing table changed", 50_000L);
        floors.put("ephemeral routing table changed", 20_000L);
        floors.put("storage took a write", 100_000L);
        floors.put("shard moved", 50_000L);
        floors.put("lookup answered", 50_000L);
        floors.put("ephemeral shard created", 20_000L);
        floors.put("ephemeral shard forgotten", 20_000L);
        // What the invariants are for.
        floors.put("lease ended with shards", 1_000L);
        floors.put("executor forgotten", 500L);
        floors.put("executor id in use", 200L);
        floors.put("registration failed", 500L);
        floors.put("renewal failed", 5_000L);
        floors.put("routing stream interrupted", 5_000L);
        floors.put("message lost", 5_000L);
        floors.put("storage refused a write of an older epoch", 5L);
        // What goes wrong in the middle of something else.
        floors.put("leader changed", 1_000L);
        floors.put("leader of another version took over", 50L);
        floors.put("replica died between storing and telling", 50L);
        floors.put("replica held back: its address leads elsewhere", 500L);
        floors.put("renewal reached a former leader", 100L);
        floors.put("lease ended while an answer was under way", 500L);
        floors.put("pause longer than a lease, with shards", 30L);
        floors.put("shard moved twice within a lease", 5_000L);
        floors.put("owner died while it released a shard", 100L);
        floors.put("write of unknown outcome had happened", 2_000L);
        floors.put("write of unknown outcome happened later", 2_000L);
        floors.put("write of unknown outcome never happened", 2_000L);
        floors.put("watch fell behind a compaction", 50L);
        floors.put("etcd leader lost during a campaign", 5L);
        floors.put("message delayed by a fault", 5_000L);
        floors.put("message held by a cut", 10_000L);
        floors.put("message waited for a narrow link", 500L);
        floors.put("message waited for a slow reader", 2_000L);
        floors.put("connection reset by a fault", 250L);
        floors.put("connection to etcd reset", 20L);
        floors.put("call of etcd lost", 30L);
        floors.put("answer of etcd lost", 10L);
        floors.put("lookup failed", 2_000L);
        floors.put("application hung while it stopped a shard", 1_000L);
        floors.put("client closed in peace", 1_000L);
        // What an operator does.
        floors.put("drain acknowledged", 500L);
        floors.put("undrain acknowledged", 500L);
        floors.put("drained shard let go", 100L);
        floors.put("shard left a drained host", 500L);
        floors.put("leadership transferred", 300L);
        floors.put("leader changed while something was drained", 100L);
        for (String kind : List.of("KILL", "LOSE", "STOP", "PAUSE", "SLOW", "CUT", "CUT_ONE_WAY", "LOSS", "DELAY")) {
            floors.put("fault " + kind, 200L);
        }
        for (String kind : List.of(
                "RESET",
                "WALL_STEP",
                "ETCD_LEADER",
                "ETCD_MEMBER",
                "ETCD_ANSWERS",
                "ETCD_FULL",
                "ETCD_COMPACT",
                "SLOW_SHARDS",
                "FAILING_STARTS",
                "TWIN",
                "UPGRADE",
                "CONFIGURE",
                "STRANGER",
                "BANDWIDTH",
                "SLOW_READER",
                "RENAME",
                "HANGING_STOP",
                "TRANSFER",
                "DRAIN_SHARD",
                "DRAIN_EPHEMERAL",
                "DRAIN_HOST")) {
            floors.put("fault " + kind, 100L);
        }
        return floors;
    }

    /** Returns the floors for a number of seeds, empty where they do not apply. */
    static Map<String, Long> floors(long seeds) {
        TreeMap<String, Long> scaled = new TreeMap<>();
        if (seeds >= FEWEST_SEEDS) {
            FLOORS.forEach((fact, floor) -> scaled.put(fact, Math.max(1, floor * seeds / 1_000)));
        }
        return scaled;
    }

    /** Returns the facts that were not reached often enough. */
    static List<Missed> missed(Facts facts, Map<String, Long> floors) {
        List<Missed> missed = new ArrayList<>();
        floors.forEach((fact, floor) -> {
            long count = facts.counts().getOrDefault(fact, 0L);
            if (count < floor) {
                missed.add(new Missed(fact, count, floor));
            }
        });
        return missed;
    }
}
