package io.shardwright.server.config;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.math.BigDecimal;
import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The kinds of value a key can have. Each carries its bounds in its rule, so that no bound is stated twice. */
final class ValueTypes {
    private static final int MAX_TEXT = 4096;
    private static final Pattern WHOLE = Pattern.compile("-?\\d{1,18}");
    private static final Pattern BYTES = Pattern.compile("(\\d{1,12}) ?(B|KiB|MiB|GiB)?");
    private static final Pattern HOST =
            Pattern.compile("[0-9A-Za-z]([0-9A-Za-z.-]{0,251}[0-9A-Za-z])?|[0-9A-Fa-f:.]{2,45}");

    private ValueTypes() {}

    /** Text as it stands: outer spaces and quotes belong to it. */
    static ValueType<String> text() {
        return checked("text of 1 to " + MAX_TEXT + " characters without control characters", ValueTypes::isPlainText);
    }

    static ValueType<String> matching(Pattern pattern, String rule) {
        return checked(rule, text -> pattern.matcher(text).matches());
    }

    static ValueType<Boolean> bool() {
        return new ValueType<>(
                "true or false",
                text -> switch (text) {
                    case "true" -> Optional.of(true);
                    case "false" -> Optional.of(false);
                    default -> Optional.empty();
                },
                value -> value ? "true" : "false");
    }

    static ValueType<Integer> whole(int min, int max) {
        return new ValueType<>(
                "a whole number from " + min + " to " + max,
                text -> wholeNumber(text, min, max).map(Long::intValue),
                value -> Integer.toString(value));
    }

    static ValueType<Integer> port() {
        return new ValueType<>(
                "a port from 0 to 65535 (0: any free port)",
                text -> wholeNumber(text, 0, 65535).map(Long::intValue),
                value -> Integer.toString(value));
    }

    static ValueType<Double> fraction(String min, String max) {
        BigDecimal low = new BigDecimal(min);
        BigDecimal high = new BigDecimal(max);
        return new ValueType<>(
                "a number from " + min + " to " + max,
                text -> Optional.of(text)
                        .filter(t -> t.matches("\\d{1,9}(\\.\\d{1,9})?"))
                        .map(BigDecimal::new)
                        .filter(n -> n.compareTo(low) >= 0 && n.compareTo(high) <= 0)
                        .map(BigDecimal::doubleValue),
                value -> BigDecimal.valueOf(value).stripTrailingZeros().toPlainString());
    }

    /** A size in bytes, with or without a binary unit. */
    static ValueType<Integer> bytes(int min, int max) {
        return new ValueType<>(
                "a size from " + formatBytes(min) + " to " + formatBytes(max)
                        + ", such as 64KiB, 16MiB or a number of bytes",
                text -> parseBytes(text).filter(n -> n >= min && n <= max).map(Long::intValue),
                ValueTypes::formatBytes);
    }

    static ValueType<Duration> duration(Duration min, Duration max) {
        return new ValueType<>(
                "a duration from " + Durations.format(min) + " to " + Durations.format(max)
                        + ", such as 15s, 500ms or PT15S",
                text -> Durations.parse(text).filter(d -> d.compareTo(min) >= 0 && d.compareTo(max) <= 0),
                Durations::format);
    }

    /** One of the constants of an enum, written in lower case with hyphens. */
    static <E extends Enum<E>> ValueType<E> oneOf(Class<E> type) {
        List<E> all = List.of(type.getEnumConstants());
        return new ValueType<>(
                "one of " + all.stream().map(ValueTypes::word).collect(Collectors.joining(", ")),
                text -> all.stream().filter(e -> word(e).equals(text)).findFirst(),
                ValueTypes::word);
    }

    static ValueType<Path> path() {
        return new ValueType<>("a path", ValueTypes::parsePath, Path::toString);
    }

    /** A host name or an address to listen on; a zone suffix, a port or a space is not part of one. */
    static ValueType<String> host() {
        return matching(HOST, "a host name or an IP address without a port");
    }

    /** PEM text that stands in the configuration itself; the value is the text. */
    static ValueType<String> pemInBase64() {
        return new ValueType<>(
                "PEM text in Base64 with its padding, on one line",
                text -> {
                    try {
                        return Optional.of(new String(Base64.getDecoder().decode(text), ISO_8859_1))
                                .filter(pem -> pem.contains("-----BEGIN "));
                    } catch (IllegalArgumentException e) {
                        return Optional.empty();
                    }
                },
                pem -> Base64.getEncoder().encodeToString(pem.getBytes(ISO_8859_1)));
    }

    static ValueType<List<URI>> httpAddresses() {
        return list("http:// or https:// addresses with host and port", ValueTypes::parseHttpAddress, URI::toString);
    }

    private static <T> ValueType<List<T>> list(
            String what, Function<String, Optional<T>> item, Function<T, String> formatter) {
        return new ValueType<>(
                "a list of 1 or more " + what + ", as a YAML or JSON list or separated by commas",
                text -> {
                    List<Optional<T>> items =
                            TextLists.split(text).stream().map(item).toList();
                    return items.isEmpty() || items.stream().anyMatch(Optional::isEmpty)
                            ? Optional.empty()
                            : Optional.of(
                                    items.stream().map(Optional::orElseThrow).toList());
                },
                values -> values.stream().map(formatter).collect(Collectors.joining(",")),
                ValueType.Shape.LIST);
    }

    private static ValueType<String> checked(String rule, Predicate<String> test) {
        return new ValueType<>(rule, text -> Optional.of(text).filter(test), Function.identity());
    }

    private static boolean isPlainText(String text) {
        return !text.isEmpty() && text.length() <= MAX_TEXT && text.chars().noneMatch(Character::isISOControl);
    }

    private static Optional<Long> wholeNumber(String text, long min, long max) {
        return Optional.of(text.strip())
                .filter(t -> WHOLE.matcher(t).matches())
                .map(Long::parseLong)
                .filter(n -> n >= min && n <= max);
    }

    private static Optional<Long> parseBytes(String text) {
        var matcher = BYTES.matcher(text.strip());
        if (!matcher.matches()) {
            return Optional.empty();
        }
        long number = Long.parseLong(matcher.group(1));
        String unit = matcher.group(2);
        int shift = unit == null ? 0 : List.of("B", "KiB", "MiB", "GiB").indexOf(unit) * 10;
        return number > (Long.MAX_VALUE >> shift) ? Optional.empty() : Optional.of(number << shift);
    }

    private static String formatBytes(int bytes) {
        if (bytes > 0 && bytes % (1 << 20) == 0) {
            return (bytes >> 20) + "MiB";
        }
        return bytes > 0 && bytes % 1024 == 0 ? (bytes >> 10) + "KiB" : bytes + "B";
    }

    private static Optional<Path> parsePath(String text) {
        if (!isPlainText(text)) {
            return Optional.empty();
        }
        try {
            return Optional.of(Path.of(text));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    private static Optional<URI> parseHttpAddress(String text) {
        try {
            URI uri = URI.create(text);
            boolean bare = uri.getRawPath() == null
                    || uri.getRawPath().isEmpty()
                    || uri.getRawPath().equals("/");
            boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            boolean nothingElse =
                    uri.getRawUserInfo() == null && uri.getRawQuery() == null && uri.getRawFragment() == null;
            return http && bare && nothingElse && uri.getHost() != null && uri.getPort() > 0 && uri.getPort() < 65536
                    ? Optional.of(uri)
                    : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
