package io.shardwright.sim.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Faults of one kind at one place that overlap: the end of one must not undo another. */
final class Overlaps {

    private final TreeMap<String, List<Double>> amounts = new TreeMap<>();

    /** A fault begins; returns the amounts of all that go on there, this one included. */
    List<Double> begin(String what, double amount) {
        List<Double> all = amounts.computeIfAbsent(what, key -> new ArrayList<>());
        all.add(amount);
        return all;
    }

    /** A fault that began ends; returns the amounts of those that go on. */
    List<Double> end(String what, double amount) {
        List<Double> all = amounts.getOrDefault(what, List.of());
        all.remove((Double) amount);
        return all;
    }

    /** Returns the largest, or 0 where there is none. */
    static double most(List<Double> amounts) {
        return amounts.stream().mapToDouble(Double::doubleValue).max().orElse(0);
    }

    /** Returns the smallest, or 0 where there is none. */
    static double least(List<Double> amounts) {
        return amounts.stream().mapToDouble(Double::doubleValue).min().orElse(0);
    }
}
