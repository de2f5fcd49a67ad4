package io.shardwright.server;

import io.shardwright.control.ControlPlane;
import io.shardwright.election.Election;
import io.shardwright.server.http.Metrics;
import java.time.Instant;

/** Shows who leads (R140 to R144). */
final class LeadershipMetrics {

    private LeadershipMetrics() {}

    static void register(Metrics metrics, ControlPlane control, Election election) {
        metrics.gauge(
                "shard_manager_is_leader",
                "1 from the moment of winning, also while the state is loaded.",
                () -> control.leadingSince().isPresent() ? 1 : 0);
        metrics.gauge(
                "shard_manager_leader_since_epoch",
                "When this process began to lead, in seconds since 1970; 0 on a standby.",
                () -> (double)
                        control.leadingSince().map(Instant::getEpochSecond).orElse(0L));
        metrics.total(
                "shard_manager_campaign_attempt_failures",
                "Attempts on the way to leadership that failed and were repeated. Rising: the store cannot be reached.",
                election::failures);
    }
}
