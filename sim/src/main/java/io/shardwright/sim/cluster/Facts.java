package io.shardwright.sim.cluster;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.SortedMap;
import java.util.TreeMap;

/** How often something worth knowing happened in a run. */
public final class Facts {

    /** Hashed and counted in place, because it is done for every message; each array has one number. */
    private final LinkedHashMap<String, long[]> counts = new LinkedHashMap<>();

    void count(String what) {
        add(what, 1);
    }

    private void add(String what, long more) {
        counts.computeIfAbsent(what, key -> new long[1])[0] += more;
    }

    /** Adds the counts of another run. */
    public void add(Facts other) {
        other.counts.forEach((what, count) -> add(what, count[0]));
    }

    /** Returns the counts by name. */
    public SortedMap<String, Long> counts() {
        TreeMap<String, Long> sorted = new TreeMap<>();
        counts.forEach((what, count) -> sorted.put(what, count[0]));
        return Collections.unmodifiableSortedMap(sorted);
    }
}
