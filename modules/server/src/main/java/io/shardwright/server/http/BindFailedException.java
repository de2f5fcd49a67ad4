package io.shardwright.server.http;

import org.jspecify.annotations.Nullable;

/** The HTTP port could not be opened. The message names the key, the value, the reason and the remedy. */
public final class BindFailedException extends Exception {
    BindFailedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
