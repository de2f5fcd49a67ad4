package io.shardwright.election;

import java.util.Optional;

/**
 * A replica in the queue for leadership, as another one or itself sees it from memory.
 *
 * @param identity for people (R36); empty where a version wrote the entry that this one cannot read (R160)
 * @param address where it serves; empty where this is not known, or only one replica can be
 * @param version build version; empty: unknown
 * @param ready it leads and serves; only the first of the queue can
 */
public record QueuedReplica(String identity, Optional<LeaderAddress> address, String version, boolean ready) {

    static QueuedReplica of(Candidate candidate, boolean ready) {
        return new QueuedReplica(candidate.identity(), Optional.of(candidate.address()), candidate.version(), ready);
    }
}
