package io.shardwright.cli.output;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import io.shardwright.proto.v1.Drain;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Drains as commands show them. */
public final class DrainOutput {
    private DrainOutput() {}

    /** Returns who drains: the user of this process. */
    public static String user() {
        return System.getProperty("user.name", "");
    }

    /** Says what a call changed. */
    public static List<String> changed(String what, List<String> names, String otherwise) {
        return List.of(
                names.isEmpty()
                        ? "Nothing changed: " + otherwise + "."
                        : what + " "
                                + String.join(
                                        ", ", names.stream().map(Cell::text).toList()) + ".");
    }

    /** {@code {key: [names]}}. */
    public static JsonObject json(String key, List<String> names) {
        JsonArray array = new JsonArray();
        names.forEach(array::add);
        JsonObject json = new JsonObject();
        json.add(key, array);
        return json;
    }

    /** When it was drained, to the second. */
    public static String since(Drain drain) {
        return Instant.ofEpochMilli(drain.getDrainedAtMillis())
                .truncatedTo(ChronoUnit.SECONDS)
                .toString();
    }

    /** Adds {@code drainedBy, reason, drainedAt}. */
    public static void addTo(JsonObject json, Drain drain) {
        json.add("drainedBy", JsonFields.text(drain.getDrainedBy()));
        json.add("reason", JsonFields.text(drain.getReason()));
        json.addProperty(
                "drainedAt", Instant.ofEpochMilli(drain.getDrainedAtMillis()).toString());
    }

    /** {@code {drainedBy, reason, drainedAt}}, or {@code null} where there is no drain. */
    static JsonElement orNull(boolean present, Drain drain) {
        if (!present) {
            return JsonNull.INSTANCE;
        }
        JsonObject json = new JsonObject();
        addTo(json, drain);
        return json;
    }

    /** Who, since when and why, in one cell; {@link Cell#NONE} where there is no drain. */
    public static String cell(boolean present, Drain drain) {
        if (!present) {
            return Cell.NONE;
        }
        String by = drain.getDrainedBy().isEmpty() ? "" : " by " + drain.getDrainedBy();
        String why = drain.getReason().isEmpty() ? "" : ": " + drain.getReason();
        return Cell.text("since " + since(drain) + by + why);
    }
}
