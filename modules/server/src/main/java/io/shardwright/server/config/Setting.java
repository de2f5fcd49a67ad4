package io.shardwright.server.config;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The one declaration of a key. Parsing, validation, the search for unknown keys, {@code config show} and the reference
 * page are all derived from it.
 *
 * @param key its path, kebab-case, with dots between the levels
 * @param type what a value has to be
 * @param fallback the value when no source gives one; null: there is none
 * @param description one or two sentences, for the reference page
 * @param example a value that is valid, for the reference page and as remedy
 * @param secret whether its value is never shown
 * @param since the first version that knows it
 */
record Setting<T>(
        String key,
        ValueType<T> type,
        @Nullable T fallback,
        String description,
        String example,
        boolean secret,
        String since) {

    /** What is shown in the place of a secret. */
    static final String HIDDEN = "(hidden)";

    private static final Pattern IN_QUERY = Pattern.compile("(?i)(password=)[^&;\\s]*");
    private static final Pattern IN_AUTHORITY = Pattern.compile("//[^/\\s]*@");
    private static final String FIRST = "0.1";
    private static final String PREFIX = "SHARDWRIGHT__";

    static <T> Setting<T> of(String key, ValueType<T> type, T fallback, String description) {
        return new Setting<>(key, type, fallback, description, type.format(fallback), false, FIRST);
    }

    static <T> Setting<T> optional(String key, ValueType<T> type, String example, String description) {
        return new Setting<>(key, type, null, description, example, false, FIRST);
    }

    Setting<T> asSecret() {
        return new Setting<>(key, type, fallback, description, example, true, since);
    }

    /** The name of its environment variable: upper case, {@code __} between levels, {@code _} for a hyphen (R10). */
    String environmentName() {
        return PREFIX + key.replace(".", "__").replace('-', '_').toUpperCase(Locale.ROOT);
    }

    Optional<T> defaultValue() {
        return Optional.ofNullable(fallback);
    }

    Optional<String> defaultText() {
        return defaultValue().map(type::format);
    }

    /**
     * The value as people may see it: hidden when the key is secret, and without the credentials that a URL may carry
     * (R67).
     */
    String shown(String text) {
        if (secret) {
            return HIDDEN;
        }
        return IN_AUTHORITY
                .matcher(IN_QUERY.matcher(text).replaceAll("$1" + HIDDEN))
                .replaceAll("//" + HIDDEN + "@");
    }
}
