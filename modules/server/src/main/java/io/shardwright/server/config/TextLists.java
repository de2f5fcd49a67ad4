package io.shardwright.server.config;

import java.util.List;
import java.util.stream.Stream;

/** Lists of plain values in one text: {@code a,b} or {@code ["a","b"]}. */
final class TextLists {
    private TextLists() {}

    /** The items, or none when the text is not a list of plain values. */
    static List<String> split(String text) {
        if (text.strip().startsWith("[")) {
            return fromJson(text);
        }
        return text.isBlank()
                ? List.of()
                : Stream.of(text.split(",", -1)).map(String::strip).toList();
    }

    private static List<String> fromJson(String text) {
        try {
            if (YamlText.parse(text).orElse(null) instanceof TextNode.Items list
                    && list.items().stream().allMatch(TextNode.Scalar.class::isInstance)) {
                return list.items().stream()
                        .map(item -> ((TextNode.Scalar) item).text())
                        .toList();
            }
            return List.of();
        } catch (YamlText.Malformed e) {
            return List.of();
        }
    }
}
