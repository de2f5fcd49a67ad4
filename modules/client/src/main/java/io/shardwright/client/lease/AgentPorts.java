package io.shardwright.client.lease;

import io.shardwright.domain.Clock;
import io.shardwright.domain.RandomSource;
import io.shardwright.domain.Scheduler;

/**
 * What an agent gets from outside; in production real, in the simulator faulty on purpose.
 *
 * @param clock the monotonic clock that readers of {@link OwnershipTable} use as well
 * @param scheduler the event loop on which everything of one agent runs
 * @param random for pauses only
 * @param transport the calls to the shard manager
 * @param runner starts and stops the application's processors
 * @param table what other threads read; empty
 */
public record AgentPorts(
        Clock clock,
        Scheduler scheduler,
        RandomSource random,
        Transport transport,
        ShardRunner runner,
        OwnershipTable table) {}
