package io.shardwright.canary;

/** A run could not begin or go on. The message says what to do. */
final class RunFailedException extends Exception {
    RunFailedException(String message) {
        super(message);
    }

    RunFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
