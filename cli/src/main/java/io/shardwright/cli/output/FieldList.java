package io.shardwright.cli.output;

import java.util.ArrayList;
import java.util.List;

/**
 * One thing, a line for each of its fields, values aligned.
 *
 * <p>Not thread-safe.
 */
public final class FieldList {
    private record Field(String name, String value) {}

    private final List<Field> fields = new ArrayList<>();

    /** Adds a line. */
    public FieldList add(String name, String value) {
        fields.add(new Field(name, value));
        return this;
    }

    /** The lines. */
    public List<String> lines() {
        int width =
                fields.stream().mapToInt(field -> field.name().length()).max().orElse(0);
        return fields.stream()
                .map(field ->
                        field.name() + ":" + " ".repeat(width - field.name().length() + 2) + field.value())
                .toList();
    }
}
