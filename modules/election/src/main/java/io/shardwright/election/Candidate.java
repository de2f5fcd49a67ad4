package io.shardwright.election;

/**
 * Who campaigns: what a replica writes into its election entry.
 *
 * @param identity for people: {@code host/pid-N/start-seconds} (R36)
 * @param address where it serves executors once it leads
 * @param version build version; empty: unknown (R152)
 */
public record Candidate(String identity, LeaderAddress address, String version) {}
