package io.shardwright.canary;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads durations such as {@code 250ms}, {@code 10s}, {@code 5m} and {@code 1h}, and writes them for people. */
final class Durations implements ITypeConverter<Duration> {

    private static final Pattern FORM = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");

    @Override
    public Duration convert(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches() || Integer.parseInt(matcher.group(1)) == 0) {
            throw new TypeConversionException("'" + text
                    + "' is no duration; write a number above 0 and a unit, for example 250ms, 10s, 5m or 1h");
        }
        int number = Integer.parseInt(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            default -> Duration.ofHours(number);
        };
    }

    /** As in {@code 5.3 s}. */
    static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.1f s", seconds(duration.toMillis()));
    }

    /** As an argument that {@link #convert} reads. */
    static String argument(Duration duration) {
        return duration.toMillis() + "ms";
    }

    private static double seconds(long millis) {
        return millis / 1000.0;
    }
}
