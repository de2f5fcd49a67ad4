package io.shardwright.server.config;

import java.util.Optional;

/**
 * One thing that is wrong with the configuration.
 *
 * @param key the key, or the name of the file when no key is at fault
 * @param shown the value as it may be shown: a secret is already hidden; empty when there is none
 * @param origin where the value came from; empty when nothing gave one
 * @param rule what is required, a sentence
 * @param remedy what to do, a sentence
 */
public record Fault(String key, Optional<String> shown, String origin, String rule, String remedy) {

    private static final int LONGEST_SHOWN = 120;

    static Fault of(String key, String rule, String remedy) {
        return new Fault(key, Optional.empty(), "", rule, remedy);
    }

    static Fault of(String key, String rule, String remedy, String origin) {
        return new Fault(key, Optional.empty(), origin, rule, remedy);
    }

    static Fault of(String key, String shown, String origin, String rule, String remedy) {
        return new Fault(key, Optional.of(shown), origin, rule, remedy);
    }

    /** One line: key, value and source, rule, remedy. Control characters of the value are made visible. */
    public String text() {
        String value = shown.map(s -> " = " + printable(s)).orElse("");
        String source = origin.isEmpty() ? "" : " (" + origin + ")";
        return key + value + source + ": " + rule + " " + remedy;
    }

    private static String printable(String text) {
        StringBuilder out = new StringBuilder();
        text.codePoints().limit(LONGEST_SHOWN).forEach(c -> {
            if (Character.isISOControl(c)) {
                out.append(String.format("\\u%04x", c));
            } else {
                out.appendCodePoint(c);
            }
        });
        return text.codePointCount(0, text.length()) > LONGEST_SHOWN ? out + "..." : out.toString();
    }
}
