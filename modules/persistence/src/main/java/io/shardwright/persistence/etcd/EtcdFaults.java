package io.shardwright.persistence.etcd;

import io.grpc.Status;
import io.shardwright.domain.Outcome;
import io.shardwright.domain.Outcome.Fault;
import java.net.ConnectException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Says what a gRPC status of etcd means.
 *
 * <p>A write that etcd refused before it proposed it did not happen and never will. Every other status of a write says
 * nothing: time-outs, lost connections and leader changes can hide a write that was applied, or still will be.
 */
final class EtcdFaults {

    private EtcdFaults() {}

    static <T> Outcome<T> ofRead(String call, Throwable thrown) {
        Status status = Status.fromThrowable(thrown);
        return new Outcome.Failure<>(refused(call, status).orElseGet(() -> unavailable(call, status)));
    }

    static <T> Outcome<T> ofWrite(String call, Throwable thrown) {
        Status status = Status.fromThrowable(thrown);
        Optional<Fault> refused = refused(call, status);
        if (refused.isPresent()) {
            return new Outcome.Failure<>(refused.get());
        }
        return neverSent(status)
                ? new Outcome.Failure<>(unavailable(call, status))
                : new Outcome.Unknown<>(unavailable(call, status));
    }

    /** Tells whether a call failed because its token is too old, so that the next one needs a new token. */
    static boolean tokenIsOld(Throwable thrown) {
        Status status = Status.fromThrowable(thrown);
        return status.getCode() == Status.Code.UNAUTHENTICATED || isOfToken(description(status));
    }

    /** Tells whether a login failed because etcd has no users. */
    static boolean usersAreOff(Status status) {
        return description(status).contains("authentication is not enabled");
    }

    /** Tells whether the words of etcd are about a token that it does not take. */
    static boolean isOfToken(String description) {
        return isOfOldToken(description) || description.contains("user name is empty");
    }

    private static boolean isOfOldToken(String description) {
        return description.contains("invalid auth token") || description.contains("revision of auth store is old");
    }

    /** Returns why etcd refused a call before it did anything, if that is what the status says. */
    private static Optional<Fault> refused(String call, Status status) {
        String description = description(status);
        if (isOfOldToken(description)) {
            return Optional.of(unavailable(call, status));
        }
        return switch (status.getCode()) {
            case INVALID_ARGUMENT, FAILED_PRECONDITION -> fault(Fault.Kind.INVALID, call, status);
            case OUT_OF_RANGE -> fault(Fault.Kind.OUT_OF_RANGE, call, status);
            case NOT_FOUND -> fault(Fault.Kind.NOT_FOUND, call, status);
            case ALREADY_EXISTS -> fault(Fault.Kind.EXISTS, call, status);
            case PERMISSION_DENIED, UNAUTHENTICATED -> fault(Fault.Kind.DENIED, call, status);
            case UNIMPLEMENTED -> fault(Fault.Kind.INVALID, call, status);
            case RESOURCE_EXHAUSTED -> exhausted(call, status, description);
            case OK, CANCELLED, UNKNOWN, DEADLINE_EXCEEDED, ABORTED, INTERNAL, UNAVAILABLE, DATA_LOSS ->
                Optional.empty();
        };
    }

    private static Optional<Fault> exhausted(String call, Status status, String description) {
        if (description.contains("database space exceeded")) {
            return Optional.of(new Fault(
                    Fault.Kind.NO_SPACE,
                    call + ": etcd is out of space (" + description
                            + "); compact and defragment it, raise its quota, then disarm the alarm"));
        }
        if (description.contains("received message larger than max")) {
            return fault(Fault.Kind.INVALID, call, status);
        }
        return description.contains("too many requests") ? Optional.of(unavailable(call, status)) : Optional.empty();
    }

    /** No connection could be made, so nothing was sent. */
    private static boolean neverSent(Status status) {
        for (@Nullable Throwable cause = status.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof ConnectException) {
                return status.getCode() == Status.Code.UNAVAILABLE;
            }
        }
        return false;
    }

    private static Optional<Fault> fault(Fault.Kind kind, String call, Status status) {
        return Optional.of(new Fault(kind, call + ": etcd refused it: " + description(status)));
    }

    static Fault unavailable(String call, Status status) {
        @Nullable Throwable cause = status.getCause();
        return new Fault(
                Fault.Kind.UNAVAILABLE,
                call + ": " + status.getCode() + " " + description(status)
                        + (cause == null ? "" : " (" + cause.getMessage() + ")"));
    }

    private static String description(Status status) {
        @Nullable String description = status.getDescription();
        return description == null ? "" : description;
    }
}
