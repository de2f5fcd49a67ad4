package io.shardwright.sim.plan;

import java.time.Duration;

/**
 * How large a run is.
 *
 * @param replicas servers
 * @param executors executors of the fixed namespace
 * @param spectators routers
 * @param shards shards of the fixed namespace
 * @param lease executor lease
 * @param faulty how long faults happen
 * @param quiet how long the rest has to come to rest afterwards
 */
public record Shape(
        int replicas, int executors, int spectators, int shards, Duration lease, Duration faulty, Duration quiet) {

    /** Three replicas, eight executors, three spectators, 64 shards; 15 minutes of faults and 5 of rest. */
    public static final Shape DEFAULT =
            new Shape(3, 8, 3, 64, Duration.ofSeconds(15), Duration.ofMinutes(15), Duration.ofMinutes(5));

    /** Checks the bounds. */
    public Shape {
        if (replicas < 1 || executors < 1 || spectators < 0 || shards < 1) {
            throw new IllegalArgumentException("replicas=" + replicas + ", executors=" + executors + ", shards="
                    + shards + " must be at least 1, spectators=" + spectators + " at least 0");
        }
    }

    /** Returns the name of a replica. */
    public static String replica(int number) {
        return "replica-" + number;
    }

    /** Returns the name of an executor. */
    public static String executor(int number) {
        return "executor-" + number;
    }

    /** Returns the name of a spectator. */
    public static String spectator(int number) {
        return "spectator-" + number;
    }
}
