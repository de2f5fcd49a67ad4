package io.shardwright.client.grpc;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import io.shardwright.domain.Outcome;
import io.shardwright.proto.v1.NotLeader;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Why a call failed, read from its status and details (errors.proto).
 *
 * @param code gRPC status code
 * @param reason reason of the ErrorInfo detail; empty when there is none
 * @param metadata metadata of the ErrorInfo detail
 * @param notLeader where the leader is, when the asked server named it
 * @param refusedBeforeRunning the call certainly did not run
 * @param message sentence of the server, or of gRPC
 */
public record CallError(
        Status.Code code,
        String reason,
        SortedMap<String, String> metadata,
        @Nullable NotLeader notLeader,
        boolean refusedBeforeRunning,
        String message) {

    private static final String REFUSED = "type.googleapis.com/shardwright.v1.RefusedBeforeRunning";
    private static final String DOMAIN = "shardwright";

    static CallError of(Status status, Metadata trailers) {
        String reason = "";
        SortedMap<String, String> metadata = new TreeMap<>();
        @Nullable NotLeader notLeader = null;
        boolean refused = false;
        com.google.rpc.@Nullable Status details = StatusProto.fromStatusAndTrailers(status, trailers);
        for (Any detail : details == null ? java.util.List.<Any>of() : details.getDetailsList()) {
            if (detail.getTypeUrl().equals(REFUSED)) {
                refused = true;
            } else if (detail.is(NotLeader.class)) {
                notLeader = unpack(detail, NotLeader.class).orElse(null);
            } else if (detail.is(ErrorInfo.class)) {
                Optional<ErrorInfo> info = unpack(detail, ErrorInfo.class)
                        .filter(i -> i.getDomain().equals(DOMAIN));
                reason = info.map(ErrorInfo::getReason).orElse(reason);
                info.map(ErrorInfo::getMetadataMap).ifPresent(metadata::putAll);
            }
        }
        String text = status.getDescription() == null ? "" : status.getDescription();
        @Nullable Throwable cause = status.getCause();
        if (cause != null && cause.getMessage() != null && !text.contains(cause.getMessage())) {
            text = text + " (" + cause.getMessage() + ")";
        }
        return new CallError(
                status.getCode(), reason, Collections.unmodifiableSortedMap(metadata), notLeader, refused, text);
    }

    private static <T extends com.google.protobuf.Message> Optional<T> unpack(Any detail, Class<T> type) {
        try {
            return Optional.of(detail.unpack(type));
        } catch (InvalidProtocolBufferException e) {
            // A detail that cannot be read says nothing; the status code still does.
            return Optional.empty();
        }
    }

    /** Says whether a server said so, and not only the way to it. */
    boolean fromServer() {
        return notLeader != null
                || refusedBeforeRunning
                || !reason.isEmpty()
                || (code != Status.Code.UNAVAILABLE && code != Status.Code.DEADLINE_EXCEEDED);
    }

    /** Says whether the server certainly did nothing. */
    boolean hadNoEffect() {
        return refusedBeforeRunning
                || notLeader != null
                || switch (code) {
                    case INVALID_ARGUMENT,
                            NOT_FOUND,
                            ALREADY_EXISTS,
                            FAILED_PRECONDITION,
                            PERMISSION_DENIED,
                            UNAUTHENTICATED,
                            UNIMPLEMENTED -> true;
                    default -> false;
                };
    }

    Outcome.Fault fault() {
        Outcome.Fault.Kind kind =
                switch (code) {
                    case INVALID_ARGUMENT, FAILED_PRECONDITION, UNIMPLEMENTED -> Outcome.Fault.Kind.INVALID;
                    case NOT_FOUND -> Outcome.Fault.Kind.NOT_FOUND;
                    case ALREADY_EXISTS -> Outcome.Fault.Kind.EXISTS;
                    case PERMISSION_DENIED, UNAUTHENTICATED -> Outcome.Fault.Kind.DENIED;
                    default -> Outcome.Fault.Kind.UNAVAILABLE;
                };
        return new Outcome.Fault(kind, describe());
    }

    <T> Outcome<T> outcome() {
        return hadNoEffect() ? new Outcome.Failure<>(fault()) : new Outcome.Unknown<>(fault());
    }

    /** Returns code, reason and message in one line. */
    public String describe() {
        return code + (reason.isEmpty() ? "" : " (" + reason + ")") + ": " + message;
    }
}
