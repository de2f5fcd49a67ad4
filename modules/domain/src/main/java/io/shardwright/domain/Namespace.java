package io.shardwright.domain;

import java.time.Duration;

/**
 * Settings of a namespace.
 *
 * @param name its name
 * @param kind how its shards come into being
 * @param lease length of an executor lease, whole milliseconds, 1 s to 1 h
 * @param balancer name of the balancer that places its shards
 */
public record Namespace(NamespaceName name, Kind kind, Duration lease, String balancer) {

    /** Shards of a fixed namespace where nothing else is said (R4). */
    public static final int DEFAULT_SHARD_COUNT = 1024;

    /** Most shards of a fixed namespace. */
    public static final int MAX_SHARD_COUNT = 1 << 20;

    /** Executor lease where nothing else is said. */
    public static final Duration DEFAULT_LEASE = Duration.ofSeconds(15);

    /** Shortest executor lease. */
    public static final Duration MIN_LEASE = Duration.ofSeconds(1);

    /** Longest executor lease. */
    public static final Duration MAX_LEASE = Duration.ofHours(1);

    /**
     * Checks the settings.
     *
     * @throws InvalidField when one breaks its rule
     */
    public Namespace {
        if (lease.compareTo(MIN_LEASE) < 0 || lease.compareTo(MAX_LEASE) > 0 || lease.toNanosPart() % 1_000_000 != 0) {
            throw new InvalidField("lease", lease.toString(), "must be whole milliseconds from 1 s to 1 h");
        }
    }

    /** How the shards of a namespace come into being. */
    public sealed interface Kind {

        /** Shards {@code "0"} to {@code "shardCount-1"}, known up front. */
        record Fixed(int shardCount) implements Kind {

            /**
             * Checks the count.
             *
             * @throws InvalidField when it is not 1 to 1048576
             */
            public Fixed {
                if (shardCount < 1 || shardCount > MAX_SHARD_COUNT) {
                    throw new InvalidField(
                            "shard_count", Integer.toString(shardCount), "must be 1 to " + MAX_SHARD_COUNT);
                }
            }

            @Override
            public String toString() {
                return "fixed with " + shardCount + " shards";
            }
        }

        /** Shards are created by the first request for their key. */
        record Ephemeral() implements Kind {

            @Override
            public String toString() {
                return "ephemeral";
            }
        }
    }
}
