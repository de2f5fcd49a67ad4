package io.shardwright.canary.executor;

import java.time.Duration;
import java.util.List;

/**
 * What makes one canary executor.
 *
 * @param targets addresses of the shard manager
 * @param namespaces whose shards it runs
 * @param id its id in each of them
 * @param bind address it listens on and registers with
 * @param port port it listens on; 0: any free one
 * @param loads what its shards report
 * @param idleAfter when it gives back an ephemeral shard; zero: never
 * @param slowness which shards start slowly
 * @param fence database for fenced writes, as a JDBC URL; empty: none
 */
public record ExecutorSettings(
        List<String> targets,
        List<String> namespaces,
        String id,
        String bind,
        int port,
        Loads loads,
        Duration idleAfter,
        Slowness slowness,
        String fence) {

    /**
     * Which shards start slowly: always the same ones.
     *
     * @param time how long their start takes
     * @param share how many of all, 0 to 1
     */
    public record Slowness(Duration time, double share) {
        private static final int BUCKETS = 1000;

        Duration of(String shardKey) {
            int bucket = Math.floorMod(shardKey.hashCode() * 0x9E3779B1, BUCKETS);
            return bucket < share * BUCKETS ? time : Duration.ZERO;
        }
    }
}
