package io.shardwright.client.lease;

import io.shardwright.domain.Outcome;
import java.time.Duration;

/** Hears what happens to the lease; called on the event loop, must not block. */
public interface AgentListener {

    /** The executor is registered (again). */
    void registered(Duration lease);

    /** A registration failed and is repeated. */
    void registrationFailed(Outcome.Fault fault);

    /** Another live process holds the executor id; the registration is repeated after a while. */
    void idInUse(Duration retryAfter);

    /** A renewal was answered. */
    void renewed();

    /** A renewal failed and is repeated. */
    void renewalFailed(Outcome.Fault fault);

    /** The shard manager does not know the executor any more; it registers again. */
    void forgotten();

    /** The lease ended for this many shards before a renewal was answered; they stop and wait for an answer. */
    void leaseEnded(int shards);
}
