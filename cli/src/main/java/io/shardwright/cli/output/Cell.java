package io.shardwright.cli.output;

import java.time.Duration;
import java.util.Locale;

/** Single values as people read them in a table. */
public final class Cell {
    /** What stands for "nothing". */
    public static final String NONE = "-";

    private Cell() {}

    /** A text that somebody else wrote: without control characters, and {@link #NONE} if empty. */
    public static String text(String text) {
        return text.isEmpty() ? NONE : printable(text);
    }

    /** The same text with every control character as <code>&#92;u001b</code>, so that it cannot steer a terminal. */
    public static String printable(String text) {
        if (text.codePoints().noneMatch(Cell::steersTerminals)) {
            return text;
        }
        StringBuilder safe = new StringBuilder();
        text.codePoints().forEach(c -> {
            if (steersTerminals(c)) {
                safe.append(String.format(Locale.ROOT, "\\u%04x", c));
            } else {
                safe.appendCodePoint(c);
            }
        });
        return safe.toString();
    }

    /** An unsigned 64-bit number. */
    public static String number(long unsigned) {
        return Long.toUnsignedString(unsigned);
    }

    /** An unsigned 32-bit number. */
    public static String number(int unsigned) {
        return Integer.toUnsignedString(unsigned);
    }

    /** A load with two decimals. */
    public static String load(double load) {
        return String.format(Locale.ROOT, "%.2f", load);
    }

    /**
     * A duration in the largest unit that keeps it short: {@code 250ms}, {@code 12.3s}, {@code 4m05s}, {@code 3h20m}.
     */
    public static String duration(long millis) {
        Duration duration = Duration.ofMillis(millis);
        if (millis < 1000) {
            return millis + "ms";
        }
        if (millis < 60_000) {
            return millis % 1000 == 0
                    ? millis / 1000 + "s"
                    : String.format(Locale.ROOT, "%d.%ds", millis / 1000, millis % 1000 / 100);
        }
        if (millis < 3_600_000) {
            return String.format(Locale.ROOT, "%dm%02ds", duration.toMinutes(), duration.toSecondsPart());
        }
        return String.format(Locale.ROOT, "%dh%02dm", duration.toHours(), duration.toMinutesPart());
    }

    private static boolean steersTerminals(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }
}
