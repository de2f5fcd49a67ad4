package io.shardwright.server.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The variables {@code SHARDWRIGHT__A__B}. A value is taken as it stands: nothing strips blanks or quotes, nothing
 * turns digits into a number (R10, R68, R69).
 */
final class EnvironmentLayer {
    static final String PREFIX = "SHARDWRIGHT__";

    private static final Map<String, Setting<?>> BY_NAME = ConfigKeys.ALL.stream()
            .collect(Collectors.toUnmodifiableMap(Setting::environmentName, Function.identity()));
    private static final List<String> NAMES = BY_NAME.keySet().stream().sorted().toList();

    private EnvironmentLayer() {}

    static ConfigLayer read(Map<String, String> environment, Faults faults) {
        SortedMap<String, Given> values = new TreeMap<>();
        new TreeMap<>(environment).forEach((name, text) -> {
            if (name.startsWith(PREFIX)) {
                Optional.<Setting<?>>ofNullable(BY_NAME.get(name))
                        .ifPresentOrElse(
                                setting -> values.put(setting.key(), new Given(text, "environment " + name)),
                                () -> faults.add(unknown(name)));
            }
        });
        return new ConfigLayer("environment", values);
    }

    private static Fault unknown(String name) {
        if (name.startsWith(ConfigKeys.NAMESPACES.environmentName() + "__")) {
            return Fault.of(
                    name,
                    "is not a known variable.",
                    "Give the whole list in " + ConfigKeys.NAMESPACES.environmentName() + ", as JSON or in short: "
                            + ConfigKeys.NAMESPACES.example() + ".");
        }
        return Fault.of(name, "is not a known variable.", NearestKey.remedy(name, NAMES));
    }
}
