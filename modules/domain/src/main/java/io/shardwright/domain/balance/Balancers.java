package io.shardwright.domain.balance;

import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The balancers that a namespace can select by name. */
public final class Balancers {

    /** Balancer of a namespace that names none. */
    public static final String DEFAULT = NaiveBalancer.NAME;

    private static final SortedMap<String, Balancer> BY_NAME = new TreeMap<>();

    static {
        Balancer naive = new NaiveBalancer();
        BY_NAME.put(naive.name(), naive);
    }

    private Balancers() {}

    /** Returns the balancer of that name. */
    public static Optional<Balancer> named(String name) {
        return Optional.ofNullable(BY_NAME.get(name));
    }

    /** Returns all names, sorted. */
    public static SortedSet<String> names() {
        return new TreeSet<>(BY_NAME.keySet());
    }
}
