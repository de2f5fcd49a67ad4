package io.shardwright.server.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;

/** Reads the list of namespaces, in full or in short, and reports faults by item: {@code namespaces[1].shard-count}. */
final class NamespaceList {
    static final ValueType<String> TYPE = new ValueType<>(
            "a list of namespaces: maps with name, kind, shard-count, lease and balancer, or name:fixed:shard-count and name:ephemeral",
            Optional::of,
            Function.identity(),
            ValueType.Shape.LIST);

    private final Values values;
    private final Faults faults;

    NamespaceList(Values values) {
        this.values = values;
        this.faults = values.faults();
    }

    List<NamespaceConfig> read() {
        return values.given(ConfigKeys.NAMESPACES).map(this::read).orElse(List.of());
    }

    private List<NamespaceConfig> read(Given given) {
        List<NamespaceConfig> namespaces = new ArrayList<>();
        Set<String> names = new LinkedHashSet<>();
        List<TextNode> items = items(given);
        for (int i = 0; i < items.size(); i++) {
            String at = ConfigKeys.NAMESPACES.key() + "[" + i + "]";
            fields(items.get(i), at, given.origin())
                    .flatMap(fields -> namespace(fields, at, given.origin()))
                    .ifPresent(namespace -> {
                        if (!names.add(namespace.name())) {
                            faults.add(Fault.of(
                                    at + ".name",
                                    namespace.name(),
                                    given.origin(),
                                    "stands a second time in the list.",
                                    "Each namespace is named once; remove one of the two."));
                        }
                        namespaces.add(namespace);
                    });
        }
        return namespaces;
    }

    private List<TextNode> items(Given given) {
        String text = given.text().strip();
        if (!text.startsWith("[") && !text.startsWith("{")) {
            return TextLists.split(text).stream()
                    .<TextNode>map(item -> new TextNode.Scalar(item, 1))
                    .toList();
        }
        try {
            if (YamlText.parse(text).orElse(null) instanceof TextNode.Items list) {
                return list.items();
            }
            faults.add(notAList(given, "must be " + TYPE.rule() + "."));
        } catch (YamlText.Malformed e) {
            faults.add(notAList(given, "is not valid JSON at character " + e.column() + ": " + e.getMessage() + "."));
        }
        return List.of();
    }

    private static Fault notAList(Given given, String rule) {
        return Fault.of(
                ConfigKeys.NAMESPACES.key(),
                given.text(),
                given.origin(),
                rule,
                "For example: " + ConfigKeys.NAMESPACES.example() + ".");
    }

    /** The fields of an item; the short form {@code name:kind[:shard-count]} is spread out. */
    private Optional<Map<String, TextNode>> fields(TextNode item, String at, String origin) {
        if (item instanceof TextNode.Fields map) {
            return Optional.of(map.fields());
        }
        String text = item instanceof TextNode.Scalar scalar
                ? scalar.text()
                : item.toJson().toString();
        String[] parts = text.split(":", -1);
        if (parts.length < 2 || parts.length > 3) {
            faults.add(Fault.of(
                    at,
                    text,
                    origin,
                    "must be name:fixed:shard-count or name:ephemeral.",
                    "For example: " + ConfigKeys.NAMESPACES.example() + "."));
            return Optional.empty();
        }
        List<Setting<?>> keys =
                List.of(ConfigKeys.NAMESPACE_NAME_KEY, ConfigKeys.NAMESPACE_KIND, ConfigKeys.NAMESPACE_SHARD_COUNT);
        Map<String, TextNode> fields = new LinkedHashMap<>();
        for (int i = 0; i < parts.length; i++) {
            fields.put(keys.get(i).key(), new TextNode.Scalar(parts[i], 1));
        }
        return Optional.of(fields);
    }

    private Optional<NamespaceConfig> namespace(Map<String, TextNode> fields, String at, String origin) {
        Item item = new Item(fields, at, origin);
        item.refuseUnknown();
        Optional<String> name = item.required(ConfigKeys.NAMESPACE_NAME_KEY);
        Optional<NamespaceConfig.Kind> kind = item.required(ConfigKeys.NAMESPACE_KIND);
        Optional<Integer> shardCount = item.find(ConfigKeys.NAMESPACE_SHARD_COUNT);
        if (kind.equals(Optional.of(NamespaceConfig.Kind.EPHEMERAL)) && shardCount.isPresent()) {
            faults.add(Fault.of(
                    at + ".shard-count",
                    Integer.toString(shardCount.get()),
                    origin,
                    "does not belong to an ephemeral namespace: its shards are created by the first request.",
                    "Remove it, or make the kind fixed."));
        }
        var lease = item.find(ConfigKeys.NAMESPACE_LEASE).orElseGet(() -> values.get(ConfigKeys.DEFAULT_LEASE));
        String balancer = item.find(ConfigKeys.NAMESPACE_BALANCER)
                .or(ConfigKeys.NAMESPACE_BALANCER::defaultValue)
                .orElseThrow();
        return name.flatMap(n -> kind.map(k -> new NamespaceConfig(n, k, shards(k, shardCount), lease, balancer)));
    }

    private static OptionalInt shards(NamespaceConfig.Kind kind, Optional<Integer> given) {
        return switch (kind) {
            case FIXED ->
                OptionalInt.of(
                        given.or(ConfigKeys.NAMESPACE_SHARD_COUNT::defaultValue).orElseThrow());
            case EPHEMERAL -> OptionalInt.empty();
        };
    }

    /** One item while it is read. */
    private final class Item {
        private final Map<String, TextNode> fields;
        private final String at;
        private final String origin;

        private Item(Map<String, TextNode> fields, String at, String origin) {
            this.fields = fields;
            this.at = at;
            this.origin = origin;
        }

        private void refuseUnknown() {
            List<String> known =
                    ConfigKeys.NAMESPACE_ITEM.stream().<String>map(Setting::key).toList();
            fields.keySet().stream()
                    .filter(name -> !known.contains(name))
                    .forEach(name -> faults.add(Fault.of(
                            at + "." + name,
                            "is not a known key of a namespace.",
                            NearestKey.remedy(name, known),
                            origin)));
        }

        private <T> Optional<T> required(Setting<T> setting) {
            if (!fields.containsKey(setting.key())) {
                faults.add(Fault.of(
                        at + "." + setting.key(),
                        "is missing: it must be " + setting.type().rule() + ".",
                        "Add it, for example " + setting.key() + ": " + setting.example() + ".",
                        origin));
            }
            return find(setting);
        }

        private <T> Optional<T> find(Setting<T> setting) {
            return switch (fields.get(setting.key())) {
                case null -> Optional.empty();
                case TextNode.Scalar scalar ->
                    values.checked(setting, at + "." + setting.key(), new Given(scalar.text(), origin));
                case TextNode other ->
                    values.checked(
                            setting,
                            at + "." + setting.key(),
                            new Given(other.toJson().toString(), origin));
            };
        }
    }
}
