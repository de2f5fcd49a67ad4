package io.shardwright.server.config;

import io.helidon.json.JsonArray;
import io.helidon.json.JsonObject;
import io.helidon.json.JsonString;
import io.helidon.json.JsonValue;
import java.util.List;
import java.util.Map;

/** A YAML or JSON document in which every leaf is still text. Lines count from 1. */
sealed interface TextNode {
    int line();

    /** A leaf. */
    record Scalar(String text, int line) implements TextNode {}

    /** A key without a value: {@code key:}, {@code ~} or {@code null}. */
    record Missing(int line) implements TextNode {}

    /** A list. */
    record Items(List<TextNode> items, int line) implements TextNode {}

    /** A map, in the order of the document. */
    record Fields(Map<String, TextNode> fields, int line) implements TextNode {}

    /** The same document as JSON in which every leaf is a string. */
    default JsonValue toJson() {
        return switch (this) {
            case Scalar scalar -> JsonString.create(scalar.text());
            case Missing missing -> JsonString.create("");
            case Items items ->
                JsonArray.create(items.items().stream().map(TextNode::toJson).toList());
            case Fields fields -> {
                JsonObject.Builder object = JsonObject.builder();
                fields.fields().forEach((name, value) -> object.set(name, value.toJson()));
                yield object.build();
            }
        };
    }
}
