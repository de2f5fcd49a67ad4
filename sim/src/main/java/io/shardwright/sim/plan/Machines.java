package io.shardwright.sim.plan;

import io.shardwright.sim.plan.Fault.Kind;
import io.shardwright.sim.plan.Shape.Role;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** The machines that a plan has: those of its shape, and those that its faults bring. */
final class Machines {

    /** Whom a kind of fault can happen to. */
    enum Who {
        /** A process of ours. */
        PROCESS,
        REPLICA,
        /** An executor of any namespace. */
        EXECUTOR,
        /** A replica or an executor that is no twin itself. */
        ORIGINAL,
        ETCD_MEMBER,
        /** Whatever has a place in the network. */
        ANYBODY
    }

    private final Shape shape;
    private final boolean operator;
    private final TreeMap<String, Long> twins = new TreeMap<>(); // to the time from which on it is there

    Machines(Plan plan) {
        shape = plan.shape();
        operator = plan.faults().stream().anyMatch(fault -> fault.kind().isOperators());
        plan.faults().stream()
                .filter(fault -> fault.kind() == Kind.TWIN)
                .forEach(fault -> twins.merge(fault.targets().getFirst() + Shape.TWIN, fault.start(), Math::min));
    }

    /** Returns what is wrong with the targets of a fault; empty if they are there when it begins. */
    Optional<String> problem(Fault fault) {
        Who who = fault.kind().who();
        return fault.targets().stream()
                .filter(name -> !isThere(name, who, fault.start()))
                .findFirst()
                .map(name -> fault.kind() + " names '" + name + "'; "
                        + (isThere(name, who, Long.MAX_VALUE)
                                ? "it is there only after the TWIN fault that starts it"
                                : "it takes " + takes(who)));
    }

    private boolean isThere(String name, Who who, long start) {
        return switch (who) {
            case PROCESS -> isProcess(name, start, Role.values());
            case REPLICA -> isOurs(name, start, Role.REPLICA);
            case EXECUTOR -> isOurs(name, start, Role.EXECUTOR, Role.EPHEMERAL);
            case ORIGINAL -> isOfShape(name, Role.REPLICA, Role.EXECUTOR, Role.EPHEMERAL);
            case ETCD_MEMBER -> Shape.ETCD_MEMBERS.contains(name);
            case ANYBODY ->
                // What passes between two machines may be disturbed before one of them is there.
                isProcess(name, Long.MAX_VALUE, Role.values())
                        || Shape.ETCD_MEMBERS.contains(name)
                        || name.equals(Shape.STORAGE);
        };
    }

    private boolean isProcess(String name, long start, Role... roles) {
        return isOurs(name, start, roles) || (operator && name.equals(Shape.OPERATOR));
    }

    private boolean isOurs(String name, long start, Role... roles) {
        boolean twin = twins.getOrDefault(name, Long.MAX_VALUE) < start;
        return isOfShape(twin ? Shape.original(name) : name, roles);
    }

    private boolean isOfShape(String name, Role... roles) {
        return Arrays.stream(roles).anyMatch(role -> names(role).contains(name));
    }

    private List<String> names(Role role) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < shape.count(role); i++) {
            names.add(role.name(i));
        }
        return names;
    }

    /** Returns what there is, in the words of people. */
    private String takes(Who who) {
        List<String> all = new ArrayList<>();
        switch (who) {
            case REPLICA -> add(all, Role.REPLICA);
            case EXECUTOR -> add(all, Role.EXECUTOR, Role.EPHEMERAL);
            case ORIGINAL -> add(all, Role.REPLICA, Role.EXECUTOR, Role.EPHEMERAL);
            case ETCD_MEMBER -> all.add(range(Shape.ETCD_MEMBERS));
            case PROCESS, ANYBODY -> {
                add(all, Role.values());
                if (operator) {
                    all.add(Shape.OPERATOR);
                }
                if (who == Who.ANYBODY) {
                    all.add(range(Shape.ETCD_MEMBERS));
                    all.add(Shape.STORAGE);
                }
            }
        }
        if (who != Who.ORIGINAL && who != Who.ETCD_MEMBER) {
            all.addAll(twins.keySet());
        }
        return String.join(", ", all);
    }

    private void add(List<String> all, Role... roles) {
        for (Role role : roles) {
            List<String> names = names(role);
            if (!names.isEmpty()) {
                all.add(range(names));
            }
        }
    }

    private static String range(List<String> names) {
        return names.size() == 1 ? names.getFirst() : names.getFirst() + " to " + names.getLast();
    }
}
