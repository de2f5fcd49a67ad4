package io.shardwright.server;

/** A server could not start, or must not go on. The message says what, where and the remedy; nothing is left open. */
public final class StartFailedException extends Exception {

    private static final long serialVersionUID = 1L;

    StartFailedException(String message) {
        super(message);
    }

    StartFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
