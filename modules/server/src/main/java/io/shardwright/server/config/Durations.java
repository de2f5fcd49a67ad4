package io.shardwright.server.config;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Durations as people write them: a whole number and a unit ({@code 500ms}, {@code 15s}), or ISO-8601 ({@code PT15S}).
 */
final class Durations {
    private static final Pattern SHORT = Pattern.compile("(\\d{1,12})(ms|s|m|h|d)");

    private Durations() {}

    static Optional<Duration> parse(String given) {
        String text = given.strip();
        var matcher = SHORT.matcher(text);
        if (matcher.matches()) {
            long amount = Long.parseLong(matcher.group(1));
            return Optional.of(
                    switch (matcher.group(2)) {
                        case "ms" -> Duration.ofMillis(amount);
                        case "s" -> Duration.ofSeconds(amount);
                        case "m" -> Duration.ofMinutes(amount);
                        case "h" -> Duration.ofHours(amount);
                        default -> Duration.ofDays(amount);
                    });
        }
        if (!text.startsWith("P")) {
            return Optional.empty();
        }
        try {
            return Optional.of(Duration.parse(text));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    /** The largest unit that keeps the number whole. */
    static String format(Duration duration) {
        long millis = duration.toMillis();
        if (!Duration.ofMillis(millis).equals(duration)) {
            return duration.toString();
        }
        if (millis == 0) {
            return "0s";
        }
        if (millis % 3_600_000 == 0) {
            return millis / 3_600_000 + "h";
        }
        if (millis % 60_000 == 0) {
            return millis / 60_000 + "m";
        }
        return millis % 1000 == 0 ? millis / 1000 + "s" : millis + "ms";
    }
}
