package io.shardwright.sim.report;

import java.util.Comparator;
import java.util.List;

/** The order in which people expect machines: etcd, replicas, executors, spectators, storage, each by number. */
final class Names {

    private static final List<String> ROLES = List.of("etcd", "replica", "executor", "spectator", "storage");

    static final Comparator<String> ORDER =
            Comparator.comparingInt(Names::role).thenComparingInt(Names::number).thenComparing(name -> name);

    private Names() {}

    private static int role(String name) {
        int dash = name.indexOf('-');
        int index = ROLES.indexOf(dash < 0 ? name : name.substring(0, dash));
        return index < 0 ? ROLES.size() : index;
    }

    private static int number(String name) {
        String digits = name.replaceAll("^[a-z]+-(\\d+).*", "$1");
        return digits.equals(name) ? -1 : Integer.parseInt(digits);
    }
}
