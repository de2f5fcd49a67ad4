package io.shardwright.client;

import io.shardwright.client.lease.ExecutorAgent;
import java.time.Duration;
import java.util.SortedMap;

/**
 * An executor client at one moment, for logs and debug pages.
 *
 * @param namespace its namespace
 * @param executorId its id
 * @param processId random identity of this process
 * @param phase where it is in its life
 * @param lease length of its lease
 * @param server address that its calls go to
 * @param incarnation server process that it follows; empty before the first answer
 * @param revision store revision of the set it applied last
 * @param shards phase and epoch of each shard, as {@code RUNNING@7}, by shard key
 * @param counters what happened since the start
 */
public record ExecutorDescription(
        String namespace,
        String executorId,
        String processId,
        ExecutorAgent.Phase phase,
        Duration lease,
        String server,
        String incarnation,
        long revision,
        SortedMap<String, String> shards,
        Counters counters) {

    /**
     * What happened since the start.
     *
     * @param started starts that succeeded
     * @param stopped stops that ended
     * @param failedStarts starts that threw
     * @param slowStarts starts that exceeded their deadline
     * @param slowStops stops that exceeded their deadline
     * @param invalidLoads loads that were dropped because they were negative or not finite
     */
    public record Counters(
            long started, long stopped, long failedStarts, long slowStarts, long slowStops, long invalidLoads) {}
}
