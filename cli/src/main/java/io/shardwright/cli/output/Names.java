package io.shardwright.cli.output;

import io.shardwright.proto.v1.ExecutorStatus;
import io.shardwright.proto.v1.NamespaceKind;
import io.shardwright.proto.v1.ReplicaRole;
import io.shardwright.proto.v1.ShardActivity;
import io.shardwright.proto.v1.ShardState;

/**
 * The words for enum values, the same in tables and in JSON. A value that a newer server invented is {@code unknown}.
 */
public final class Names {
    private static final String UNKNOWN = "unknown";

    private Names() {}

    /** {@code fixed} or {@code ephemeral}. */
    public static String of(NamespaceKind kind) {
        return switch (kind) {
            case NAMESPACE_KIND_FIXED -> "fixed";
            case NAMESPACE_KIND_EPHEMERAL -> "ephemeral";
            case NAMESPACE_KIND_UNSPECIFIED, UNRECOGNIZED -> UNKNOWN;
        };
    }

    /** {@code active} or {@code leaving}. */
    public static String of(ExecutorStatus status) {
        return switch (status) {
            case EXECUTOR_STATUS_ACTIVE -> "active";
            case EXECUTOR_STATUS_LEAVING -> "leaving";
            case EXECUTOR_STATUS_UNSPECIFIED, UNRECOGNIZED -> UNKNOWN;
        };
    }

    /** {@code leader}, {@code starting} or {@code standby}. */
    public static String of(ReplicaRole role) {
        return switch (role) {
            case REPLICA_ROLE_LEADER -> "leader";
            case REPLICA_ROLE_STARTING -> "starting";
            case REPLICA_ROLE_STANDBY -> "standby";
            case REPLICA_ROLE_UNSPECIFIED, UNRECOGNIZED -> UNKNOWN;
        };
    }

    /** {@code unassigned}, {@code assigned} or {@code releasing}. */
    public static String of(ShardState state) {
        return switch (state) {
            case SHARD_STATE_UNASSIGNED -> "unassigned";
            case SHARD_STATE_ASSIGNED -> "assigned";
            case SHARD_STATE_RELEASING -> "releasing";
            case SHARD_STATE_UNSPECIFIED, UNRECOGNIZED -> UNKNOWN;
        };
    }

    /**
     * {@code starting}, {@code running}, {@code stopping}, {@code failed}, {@code idle}; empty where the owner did not
     * say.
     */
    public static String of(ShardActivity activity) {
        return switch (activity) {
            case SHARD_ACTIVITY_UNSPECIFIED -> "";
            case SHARD_ACTIVITY_STARTING -> "starting";
            case SHARD_ACTIVITY_RUNNING -> "running";
            case SHARD_ACTIVITY_STOPPING -> "stopping";
            case SHARD_ACTIVITY_FAILED -> "failed";
            case SHARD_ACTIVITY_IDLE -> "idle";
            case UNRECOGNIZED -> UNKNOWN;
        };
    }
}
