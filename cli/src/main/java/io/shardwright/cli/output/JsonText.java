package io.shardwright.cli.output;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.Iterator;
import java.util.Map;

/**
 * Writes JSON. gson's own indenting writer comes with its reflective mapping, which costs start-up time and which we do
 * not use.
 */
public final class JsonText {
    private static final String INDENT = "  ";

    private JsonText() {}

    /** On one line. */
    public static String compact(JsonElement element) {
        return element.toString();
    }

    /** Indented, one field or element a line. */
    public static String indented(JsonElement element) {
        StringBuilder text = new StringBuilder();
        append(text, element, "");
        return text.toString();
    }

    private static void append(StringBuilder text, JsonElement element, String indent) {
        String inner = indent + INDENT;
        if (element instanceof JsonObject object && !object.isEmpty()) {
            text.append('{');
            for (Iterator<Map.Entry<String, JsonElement>> fields =
                            object.entrySet().iterator();
                    fields.hasNext(); ) {
                Map.Entry<String, JsonElement> field = fields.next();
                text.append('\n')
                        .append(inner)
                        .append(new JsonPrimitive(field.getKey()))
                        .append(": ");
                append(text, field.getValue(), inner);
                text.append(fields.hasNext() ? "," : "");
            }
            text.append('\n').append(indent).append('}');
        } else if (element instanceof JsonArray array && !array.isEmpty()) {
            text.append('[');
            for (Iterator<JsonElement> elements = array.iterator(); elements.hasNext(); ) {
                text.append('\n').append(inner);
                append(text, elements.next(), inner);
                text.append(elements.hasNext() ? "," : "");
            }
            text.append('\n').append(indent).append(']');
        } else {
            text.append(element);
        }
    }
}
