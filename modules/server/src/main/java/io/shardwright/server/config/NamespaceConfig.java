package io.shardwright.server.config;

import java.time.Duration;
import java.util.OptionalInt;

/**
 * A namespace that exists from the start of the server on.
 *
 * @param shardCount of a fixed namespace; empty for an ephemeral one
 * @param lease the length of its executor leases
 * @param balancer the name of its balancer
 */
public record NamespaceConfig(String name, Kind kind, OptionalInt shardCount, Duration lease, String balancer) {

    /** Whether the shards are known up front or created by the first request for their key. */
    public enum Kind {
        FIXED,
        EPHEMERAL
    }
}
