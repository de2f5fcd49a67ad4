package io.shardwright.server.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A value that must never be shown. Its text comes out by {@link #reveal} only, so that a log line cannot leak it
 * (R67).
 */
public final class Secret {
    private final String text;

    Secret(String text) {
        this.text = text;
    }

    /**
     * Reads what a file holds. Only one line ending is taken from its end (R66): blanks and further line ends may
     * belong to it.
     */
    public static Secret read(Path file) throws IOException {
        String text = Files.readString(file, StandardCharsets.UTF_8);
        if (text.endsWith("\r\n")) {
            return new Secret(text.substring(0, text.length() - 2));
        }
        return new Secret(text.endsWith("\n") ? text.substring(0, text.length() - 1) : text);
    }

    /** The secret itself, for the one call that needs it. */
    public String reveal() {
        return text;
    }

    @Override
    public String toString() {
        return Setting.HIDDEN;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Secret secret && secret.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }
}
