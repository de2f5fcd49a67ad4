package io.shardwright.server.config;

import java.time.Duration;

/**
 * Leases of executors.
 *
 * @param defaultDuration for a namespace that names none
 * @param clockDrift the largest difference in clock rate between machines, as a fraction: 0.01 is 1 %
 */
public record LeaseConfig(Duration defaultDuration, double clockDrift) {}
