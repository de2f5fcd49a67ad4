package io.shardwright.cli.call;

import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A call that failed, ready to be shown: the message is a sentence for people, the rest is for programs.
 *
 * <p>Immutable.
 */
public final class CallFailedException extends RuntimeException {
    private final String sentence;
    private final String code;
    private final String reason;
    private final SortedMap<String, String> metadata;
    private final boolean transientFailure;

    /** Describes a failure; {@code reason} is empty where the server gave none. */
    CallFailedException(
            String sentence, String code, String reason, SortedMap<String, String> metadata, boolean transientFailure) {
        super(sentence);
        this.sentence = sentence;
        this.code = code;
        this.reason = reason;
        this.metadata = new TreeMap<>(metadata);
        this.transientFailure = transientFailure;
    }

    /** A failure on our own side, with the name of a gRPC status code that says it best. */
    public static CallFailedException local(String code, String sentence) {
        return new CallFailedException(sentence, code, "", new TreeMap<>(), false);
    }

    /** What went wrong and what to do, for people. */
    public String sentence() {
        return sentence;
    }

    /** Name of the gRPC status code, for example {@code NOT_FOUND}. */
    public String code() {
        return code;
    }

    /**
     * Reason of {@code google.rpc.ErrorInfo}, for example {@code NAMESPACE_NOT_FOUND}; empty if the server gave none.
     */
    public String reason() {
        return reason;
    }

    /** Metadata of {@code google.rpc.ErrorInfo}, sorted by key. */
    public SortedMap<String, String> metadata() {
        return new TreeMap<>(metadata);
    }

    /**
     * Whether the same call may well succeed later: a lost connection, no answer in time, a server that is going away.
     */
    public boolean isTransient() {
        return transientFailure;
    }
}
