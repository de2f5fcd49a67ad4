package io.shardwright.persistence.jdbc;

/** A store cannot be opened. The message names the store, what is wrong and the remedy; it holds no secret. */
public final class StoreOpenException extends RuntimeException {

    /** Why. */
    public enum Reason {
        /** Another server has it open. */
        IN_USE,
        /** It was written by a newer version. */
        NEWER_SCHEMA,
        /** It is damaged, or is something else. */
        CORRUPT,
        /** It cannot be reached or may not be used. */
        UNREACHABLE
    }

    private final Reason reason;
    private final String message;

    StoreOpenException(Reason reason, String message) {
        super(message);
        this.reason = reason;
        this.message = message;
    }

    StoreOpenException(Reason reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = reason;
        this.message = message;
    }

    @Override
    public String getMessage() {
        return message;
    }

    /** Returns why. */
    public Reason reason() {
        return reason;
    }
}
