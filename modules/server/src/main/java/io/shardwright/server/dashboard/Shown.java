package io.shardwright.server.dashboard;

import io.shardwright.control.Answers;
import io.shardwright.control.NamespaceView;
import io.shardwright.domain.Executor;
import io.shardwright.domain.ExecutorId;
import io.shardwright.domain.Namespace;
import io.shardwright.domain.Segment;
import io.shardwright.domain.Shard;
import io.shardwright.domain.ShardKey;
import io.shardwright.domain.ShardTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** What the browsers were told of one namespace. For one thread at a time. */
final class Shown {

    private final Map<ShardKey, Double> loads = new HashMap<>();
    private final LinkedHashMap<ShardKey, Double> changedLoads = new LinkedHashMap<>();
    private final Namespace settings;
    private ShardTable table;
    private SortedMap<ExecutorId, Executor> executors;

    Shown(NamespaceView view) {
        this.settings = view.namespace();
        this.table = view.table();
        this.executors = view.executors();
    }

    /** Tells whether this is still the same namespace, not another one under its name. */
    boolean isOf(NamespaceView view) {
        return view.namespace().equals(settings);
    }

    /** Rows to tell. */
    record Rows(List<Shard> changed, List<ShardKey> removed) {
        boolean isEmpty() {
            return changed.isEmpty() && removed.isEmpty();
        }

        private int size() {
            return changed.size() + removed.size();
        }
    }

    /**
     * Takes the rows that differ from {@code now}, segment by segment until there are {@code most}; later calls take
     * the rest, so a change of everything is told in several messages.
     */
    Rows advance(ShardTable now, int most) {
        Rows rows = new Rows(new ArrayList<>(), new ArrayList<>());
        for (int id : now.segmentsChangedSince(table)) {
            if (rows.size() >= most) {
                break;
            }
            compare(table.segment(id), now.segment(id), rows);
            table = table.withSegment(now.segment(id));
        }
        rows.removed().forEach(loads::remove);
        return rows;
    }

    private static void compare(Segment before, Segment after, Rows into) {
        LinkedHashMap<ShardKey, Shard> old = new LinkedHashMap<>();
        before.shards().forEach(shard -> old.put(shard.key(), shard));
        for (Shard shard : after.shards()) {
            if (!shard.equals(old.remove(shard.key()))) {
                into.changed().add(shard);
            }
        }
        into.removed().addAll(old.keySet());
    }

    /** Tells whether the executors differ from {@code now}, and takes them over. */
    boolean advance(SortedMap<ExecutorId, Executor> now) {
        boolean changed = !now.equals(executors);
        executors = now;
        return changed;
    }

    /** Takes reported loads; only those that are new will be told. */
    void report(List<Answers.ReportedLoad> reported) {
        for (Answers.ReportedLoad load : reported) {
            if (table.find(load.key()).isEmpty()) {
                continue; // gone, or not told yet: it is reported again then
            }
            double shown = Message.rounded(load.load());
            Double before = loads.put(load.key(), shown);
            if (before == null || before != shown) {
                changedLoads.put(load.key(), shown);
            }
        }
    }

    /** Returns the loads that were not told yet, and forgets that. */
    Map<ShardKey, Double> takeLoads() {
        Map<ShardKey, Double> changed = new LinkedHashMap<>(changedLoads);
        changedLoads.clear();
        return changed;
    }

    /** All loads that are known. */
    Map<ShardKey, Double> loads() {
        return loads;
    }
}
