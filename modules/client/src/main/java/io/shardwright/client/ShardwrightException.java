package io.shardwright.client;

import io.grpc.Status;
import io.shardwright.client.grpc.CallError;
import java.util.Map;

/** A call to the shard manager failed for good: it was refused, or was repeated until its time was up. */
public final class ShardwrightException extends RuntimeException {

    private final Status.Code code;
    private final String reason;
    private final Map<String, String> metadata;

    ShardwrightException(CallError error) {
        super(error.describe());
        this.code = error.code();
        this.reason = error.reason();
        this.metadata = error.metadata();
    }

    /** Returns the gRPC status code. */
    public Status.Code code() {
        return code;
    }

    /**
     * Returns the machine-readable reason, for example {@code SHARD_NOT_FOUND} (errors.proto); empty when the server
     * gave none.
     */
    public String reason() {
        return reason;
    }

    /** Returns the details of the reason. */
    public Map<String, String> metadata() {
        return metadata;
    }
}
