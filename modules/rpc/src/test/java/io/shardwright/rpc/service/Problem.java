package io.shardwright.rpc.service;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.util.Map;
import java.util.Objects;

/** What a client can read from an error. */
record Problem(Status.Code code, String reason, Map<String, String> metadata, boolean neverRan, String sentence) {

    private static final String NEVER_RAN = "type.googleapis.com/shardwright.v1.RefusedBeforeRunning";

    /** Makes a call that must fail. */
    static Problem of(Runnable call) {
        try {
            call.run();
        } catch (StatusRuntimeException e) {
            return of(e);
        }
        throw new AssertionError("the call succeeded");
    }

    static Problem of(StatusRuntimeException error) {
        com.google.rpc.Status status = Objects.requireNonNull(StatusProto.fromThrowable(error));
        boolean neverRan = status.getDetailsList().stream()
                .anyMatch(any -> any.getTypeUrl().equals(NEVER_RAN));
        ErrorInfo info = status.getDetailsList().stream()
                .filter(any -> any.is(ErrorInfo.class))
                .map(Problem::unpack)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no ErrorInfo in " + error, error));
        if (!info.getDomain().equals("shardwright")) {
            throw new AssertionError("domain " + info.getDomain());
        }
        return new Problem(
                error.getStatus().getCode(), info.getReason(), info.getMetadataMap(), neverRan, status.getMessage());
    }

    private static ErrorInfo unpack(Any any) {
        try {
            return any.unpack(ErrorInfo.class);
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError(e);
        }
    }
}
