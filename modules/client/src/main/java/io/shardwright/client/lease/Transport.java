package io.shardwright.client.lease;

import io.shardwright.domain.Outcome;
import io.shardwright.proto.v1.AssignmentDelivery;
import io.shardwright.proto.v1.DeregisterRequest;
import io.shardwright.proto.v1.DeregisterResponse;
import io.shardwright.proto.v1.RegisterRequest;
import io.shardwright.proto.v1.RegisterResponse;
import io.shardwright.proto.v1.ReleaseRequest;
import io.shardwright.proto.v1.ReleaseResponse;
import io.shardwright.proto.v1.RenewRequest;
import io.shardwright.proto.v1.RenewResponse;
import io.shardwright.proto.v1.WatchAssignmentsRequest;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * The calls of an executor to the shard manager.
 *
 * <p>Every call answers exactly once, on the caller's event loop, never inside the call, and at the latest when its
 * deadline has passed (then with {@link Outcome.Unknown}). Calls may overtake each other. All of them may be sent again
 * by whoever implements this: they are repeatable by design.
 */
public interface Transport {

    /** Registers this process. */
    void register(RegisterRequest request, Duration deadline, Consumer<Outcome<RegisterReply>> answer);

    /** Renews the lease. */
    void renew(RenewRequest request, Duration deadline, Consumer<Outcome<RenewReply>> answer);

    /** Says that shards were stopped. */
    void release(ReleaseRequest request, Duration deadline, Consumer<Outcome<ReleaseResponse>> answer);

    /** Begins to leave. {@link Outcome.Fault.Kind#NOT_FOUND} says that the executor is not registered (any more). */
    void deregister(DeregisterRequest request, Duration deadline, Consumer<Outcome<DeregisterResponse>> answer);

    /**
     * Opens the stream of assignments.
     *
     * @param onDelivery called on the event loop for each message
     * @param onEnd called once on the event loop when the stream ended for a reason other than
     *     {@link AssignmentStream#cancel()}
     */
    AssignmentStream watchAssignments(
            WatchAssignmentsRequest request, Consumer<AssignmentDelivery> onDelivery, Consumer<Outcome.Fault> onEnd);

    /** An open stream. */
    interface AssignmentStream {

        /** Ends the stream; nothing is delivered afterwards. May be repeated. */
        void cancel();
    }

    /** What the shard manager says to a registration. */
    sealed interface RegisterReply {

        /** The lease and the set. */
        record Registered(RegisterResponse response) implements RegisterReply {}

        /**
         * Another live process holds this executor id.
         *
         * @param retryAfter how long its lease can still run
         */
        record IdInUse(Duration retryAfter) implements RegisterReply {}
    }

    /** What the shard manager says to a renewal. */
    sealed interface RenewReply {

        /** The lease was renewed. */
        record Renewed(RenewResponse response) implements RenewReply {}

        /** The shard manager does not know this executor; it has to register again. */
        record NotRegistered() implements RenewReply {}

        /**
         * Another process took the executor id over.
         *
         * @param retryAfter how long its lease can still run
         */
        record IdInUse(Duration retryAfter) implements RenewReply {}
    }
}
