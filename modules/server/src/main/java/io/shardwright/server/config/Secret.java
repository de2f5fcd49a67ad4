package io.shardwright.server.config;

/**
 * A value that must never be shown. Its text comes out by {@link #reveal} only, so that a log line cannot leak it
 * (R67).
 */
public final class Secret {
    private final String text;

    Secret(String text) {
        this.text = text;
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
