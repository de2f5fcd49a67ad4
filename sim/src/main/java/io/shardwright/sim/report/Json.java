package io.shardwright.sim.report;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes JSON: maps with text keys, collections, texts, numbers and truth values. */
public final class Json {

    private Json() {}

    /** Returns a map that keeps the order of its names; names and values take turns. */
    public static Map<String, Object> object(Object... namesAndValues) {
        LinkedHashMap<String, Object> object = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            object.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return object;
    }

    /** Returns the text of a value, on one line. */
    public static String of(Object value) {
        StringBuilder text = new StringBuilder();
        write(value, text);
        return text.toString();
    }

    private static void write(Object value, StringBuilder text) {
        switch (value) {
            case Map<?, ?> map -> {
                text.append('{');
                String comma = "";
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    text.append(comma);
                    quote(String.valueOf(entry.getKey()), text);
                    text.append(':');
                    write(entry.getValue(), text);
                    comma = ",";
                }
                text.append('}');
            }
            case Collection<?> list -> {
                text.append('[');
                String comma = "";
                for (Object each : list) {
                    text.append(comma);
                    write(each, text);
                    comma = ",";
                }
                text.append(']');
            }
            case Double number when !Double.isFinite(number) -> text.append("null");
            case Number number -> text.append(number);
            case Boolean truth -> text.append(truth);
            default -> quote(value.toString(), text);
        }
    }

    private static void quote(String string, StringBuilder text) {
        text.append('"');
        for (int i = 0; i < string.length(); i++) {
            char c = string.charAt(i);
            // '<' too, so that the text can stand in a page.
            if (c < 0x20 || c == '"' || c == '\\' || c == '<' || c == 0x2028 || c == 0x2029) {
                text.append("\\u").append(Character.forDigit(c >> 12, 16));
                text.append(Character.forDigit((c >> 8) & 15, 16)).append(Character.forDigit((c >> 4) & 15, 16));
                text.append(Character.forDigit(c & 15, 16));
            } else {
                text.append(c);
            }
        }
        text.append('"');
    }
}
