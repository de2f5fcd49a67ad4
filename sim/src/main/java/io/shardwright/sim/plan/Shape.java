package io.shardwright.sim.plan;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * How large a run is.
 *
 * @param replicas servers
 * @param executors executors of the fixed namespace
 * @param spectators routers of the fixed namespace; they also ask for shards of the ephemeral one
 * @param ephemerals executors of an ephemeral namespace; 0: there is no such namespace, and nobody asks for its shards
 * @param shards shards of the fixed namespace
 * @param lease executor lease of the fixed namespace
 * @param faulty how long faults happen
 * @param quiet how long the rest has to come to rest afterwards
 */
public record Shape(
        int replicas,
        int executors,
        int spectators,
        int ephemerals,
        int shards,
        Duration lease,
        Duration faulty,
        Duration quiet) {

    /**
     * Three replicas, eight executors and three of an ephemeral namespace, three spectators, 64 shards; 10 min + 5 min.
     */
    public static final Shape DEFAULT =
            new Shape(3, 8, 3, 3, 64, Duration.ofSeconds(15), Duration.ofMinutes(10), Duration.ofMinutes(5));

    /** The machine of an operator, which there is where a plan has something to do for one. */
    public static final String OPERATOR = "operator";

    /** The members of etcd, which are as many in every shape. */
    public static final List<String> ETCD_MEMBERS = List.of("etcd-0", "etcd-1", "etcd-2");

    /** The machine that applications write to. */
    public static final String STORAGE = "storage";

    /** What follows the name of a machine in that of its twin. */
    public static final String TWIN = "-twin";

    /** What a machine is there for. */
    public enum Role {
        REPLICA("replica-"),
        EXECUTOR("executor-"),
        SPECTATOR("spectator-"),
        EPHEMERAL("ephemeral-");

        private final String prefix;

        Role(String prefix) {
            this.prefix = prefix;
        }

        /** Returns the name of a machine, from number 0 on. */
        public String name(int number) {
            return prefix + number;
        }

        /** Returns the role of a machine; empty for one that is not ours. */
        public static Optional<Role> of(String machine) {
            return Arrays.stream(values())
                    .filter(role -> machine.startsWith(role.prefix))
                    .findFirst();
        }

        /** Returns the number of a machine of this role; a twin has that of the other one. */
        public int number(String machine) {
            return Integer.parseInt(original(machine).substring(prefix.length()));
        }
    }

    /** Returns whose twin a machine is; itself if it is none. */
    public static String original(String machine) {
        return machine.endsWith(TWIN) ? machine.substring(0, machine.length() - TWIN.length()) : machine;
    }

    /** Checks the bounds. */
    public Shape {
        if (replicas < 1 || executors < 1 || spectators < 0 || ephemerals < 0 || shards < 1) {
            throw new IllegalArgumentException("replicas=" + replicas + ", executors=" + executors + ", shards="
                    + shards + " must be at least 1, spectators=" + spectators + " and ephemerals=" + ephemerals
                    + " at least 0");
        }
    }

    /** Returns how many machines of a role there are. */
    public int count(Role role) {
        return switch (role) {
            case REPLICA -> replicas;
            case EXECUTOR -> executors;
            case SPECTATOR -> spectators;
            case EPHEMERAL -> ephemerals;
        };
    }

    /** Returns this shape with so many machines of a role. */
    public Shape with(Role role, int count) {
        return new Shape(
                role == Role.REPLICA ? count : replicas,
                role == Role.EXECUTOR ? count : executors,
                role == Role.SPECTATOR ? count : spectators,
                role == Role.EPHEMERAL ? count : ephemerals,
                shards,
                lease,
                faulty,
                quiet);
    }

    /** Returns this shape with so many shards. */
    public Shape withShards(int count) {
        return new Shape(replicas, executors, spectators, ephemerals, count, lease, faulty, quiet);
    }

    /** Returns this shape with other lengths of its phases. */
    public Shape lasting(Duration faultyFor, Duration quietFor) {
        return new Shape(replicas, executors, spectators, ephemerals, shards, lease, faultyFor, quietFor);
    }

    /** Returns the name of a replica. */
    public static String replica(int number) {
        return Role.REPLICA.name(number);
    }

    /** Returns the name of an executor of the fixed namespace. */
    public static String executor(int number) {
        return Role.EXECUTOR.name(number);
    }

    /** Returns the name of a spectator. */
    public static String spectator(int number) {
        return Role.SPECTATOR.name(number);
    }

    /** Returns the name of an executor of the ephemeral namespace. */
    public static String ephemeral(int number) {
        return Role.EPHEMERAL.name(number);
    }
}
