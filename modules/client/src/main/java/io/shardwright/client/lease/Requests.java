package io.shardwright.client.lease;

import io.shardwright.proto.v1.DeregisterRequest;
import io.shardwright.proto.v1.RegisterRequest;
import io.shardwright.proto.v1.ReleaseRequest;
import io.shardwright.proto.v1.RenewRequest;
import io.shardwright.proto.v1.ShardClaim;
import io.shardwright.proto.v1.WatchAssignmentsRequest;
import java.time.Duration;
import java.util.List;

/**
 * Builds the requests of one executor and numbers its registrations and renewals in the order in which they are sent.
 */
final class Requests {

    private final RegisterRequest identity;
    private final Duration callDeadline;
    private long sent;

    Requests(LeaseSettings settings) {
        this.identity = settings.identity().toBuilder().clearClaims().build();
        this.callDeadline = settings.callDeadline();
    }

    Duration callDeadline() {
        return callDeadline;
    }

    /** Returns the number of the request that is sent next; it is also the sequence of a renewal. */
    long next() {
        return ++sent;
    }

    long sent() {
        return sent;
    }

    RegisterRequest register(List<ShardClaim> claims) {
        return identity.toBuilder().addAllClaims(claims).build();
    }

    RenewRequest renew(long sequence, List<ShardClaim> claims) {
        return RenewRequest.newBuilder()
                .setNamespace(identity.getNamespace())
                .setExecutorId(identity.getExecutorId())
                .setProcessId(identity.getProcessId())
                .setSequence(sequence)
                .addAllClaims(claims)
                .build();
    }

    ReleaseRequest release(List<Held> shards) {
        return ReleaseRequest.newBuilder()
                .setNamespace(identity.getNamespace())
                .setExecutorId(identity.getExecutorId())
                .setProcessId(identity.getProcessId())
                .addAllShards(shards.stream().map(Held::toProto).toList())
                .build();
    }

    DeregisterRequest deregister() {
        return DeregisterRequest.newBuilder()
                .setNamespace(identity.getNamespace())
                .setExecutorId(identity.getExecutorId())
                .setProcessId(identity.getProcessId())
                .build();
    }

    WatchAssignmentsRequest watch() {
        return WatchAssignmentsRequest.newBuilder()
                .setNamespace(identity.getNamespace())
                .setExecutorId(identity.getExecutorId())
                .setProcessId(identity.getProcessId())
                .build();
    }
}
