package io.shardwright.cli.output;

import java.util.Locale;

/** How a command prints its result. */
public enum OutputFormat {
    /** Aligned columns for people. */
    TABLE,
    /** JSON for programs, with the field names of {@link JsonFields}. */
    JSON;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
