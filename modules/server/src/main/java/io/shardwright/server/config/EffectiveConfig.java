package io.shardwright.server.config;

import io.helidon.json.JsonArray;
import io.helidon.json.JsonObject;
import java.util.List;

/** Every key with its value in effect and its source. Secrets are already hidden in here. */
public final class EffectiveConfig {
    private static final String UNSET = "(not set)";

    private final List<Entry> entries;

    private EffectiveConfig(List<Entry> entries) {
        this.entries = entries;
    }

    /**
     * One key.
     *
     * @param value as it may be shown
     * @param set whether there is a value: from a source, or a default
     * @param origin the source, or {@code default}
     */
    public record Entry(String key, String value, boolean set, String origin) {}

    static EffectiveConfig of(Values values) {
        return new EffectiveConfig(ConfigKeys.ALL.stream()
                .<Entry>map(setting -> entry(setting, values))
                .toList());
    }

    private static <T> Entry entry(Setting<T> setting, Values values) {
        String origin = values.given(setting).map(Given::origin).orElse("default");
        return values.find(setting)
                .map(value ->
                        new Entry(setting.key(), setting.shown(setting.type().format(value)), true, origin))
                .orElseGet(() -> new Entry(setting.key(), UNSET, false, origin));
    }

    /** In the order of the reference page. */
    public List<Entry> entries() {
        return entries;
    }

    /** Aligned columns, one key a line. */
    public String table() {
        int keys = width(entries.stream().map(Entry::key).toList(), "KEY");
        int values = width(entries.stream().map(Entry::value).toList(), "VALUE");
        StringBuilder out = new StringBuilder();
        row(out, keys, values, new Entry("KEY", "VALUE", true, "SOURCE"));
        entries.forEach(entry -> row(out, keys, values, entry));
        return out.toString();
    }

    /** {@code {"settings":[{"key":..,"value":..,"source":..}]}}; a key that is not set has no {@code value}. */
    public String json() {
        List<JsonObject> settings = entries.stream()
                .map(entry -> {
                    JsonObject.Builder object = JsonObject.builder().set("key", entry.key());
                    if (entry.set()) {
                        object.set("value", entry.value());
                    }
                    return object.set("source", entry.origin()).build();
                })
                .toList();
        return JsonObject.builder()
                .set("settings", JsonArray.create(settings))
                .build()
                .toString();
    }

    private static int width(List<String> column, String head) {
        return Math.max(
                head.length(), column.stream().mapToInt(String::length).max().orElse(0));
    }

    private static void row(StringBuilder out, int keys, int values, Entry entry) {
        out.append(
                String.format("%-" + keys + "s  %-" + values + "s  %s%n", entry.key(), entry.value(), entry.origin()));
    }
}
