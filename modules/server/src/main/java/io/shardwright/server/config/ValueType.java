package io.shardwright.server.config;

import java.util.Optional;
import java.util.function.Function;

/**
 * How the text of a value is understood, and how it is written again.
 *
 * <p>Values are text in every source: nothing guesses that {@code 12345} is a number or that {@code no} means false
 * before the type of the key is known.
 *
 * @param rule what a value has to be, with bounds and unit, as the end of the sentence "must be ..."
 * @param parser the value, or empty when the text breaks the rule
 * @param formatter the shortest text that the parser reads back as an equal value
 * @param shape whether a YAML list or map may stand for it
 */
record ValueType<T>(String rule, Function<String, Optional<T>> parser, Function<T, String> formatter, Shape shape) {

    /** Whether a value is one text or several. */
    enum Shape {
        SINGLE,
        LIST
    }

    ValueType(String rule, Function<String, Optional<T>> parser, Function<T, String> formatter) {
        this(rule, parser, formatter, Shape.SINGLE);
    }

    Optional<T> parse(String text) {
        return parser.apply(text);
    }

    String format(T value) {
        return formatter.apply(value);
    }
}
