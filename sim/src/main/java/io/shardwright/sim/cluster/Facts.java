package io.shardwright.sim.cluster;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** How often something worth knowing happened in a run. */
public final class Facts {

    private final TreeMap<String, Long> counts = new TreeMap<>();

    void count(String what) {
        counts.merge(what, 1L, Long::sum);
    }

    /** Adds the counts of another run. */
    public void add(Facts other) {
        other.counts.forEach((what, count) -> counts.merge(what, count, Long::sum));
    }

    /** Returns the counts by name. */
    public SortedMap<String, Long> counts() {
        return Collections.unmodifiableSortedMap(counts);
    }
}
