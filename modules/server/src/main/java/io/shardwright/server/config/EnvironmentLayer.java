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

    /** The known names by themselves with single underscores, as other programs want theirs. */
    private static final Map<String, String> BY_WORDS =
            NAMES.stream().collect(Collectors.toUnmodifiableMap(EnvironmentLayer::words, Function.identity()));

    private EnvironmentLayer() {}

    private static String words(String name) {
        return name.replace("__", "_");
    }

    /** A Service named {@code shardwright-grpc} makes Kubernetes set {@code SHARDWRIGHT_GRPC_PORT} in each pod. */
    private static boolean isOfKubernetes(String text) {
        return text.startsWith("tcp://") || text.startsWith("udp://");
    }

    static ConfigLayer read(Map<String, String> environment, Faults faults) {
        SortedMap<String, Given> values = new TreeMap<>();
        new TreeMap<>(environment).forEach((name, text) -> {
            if (name.startsWith(PREFIX)) {
                Optional.<Setting<?>>ofNullable(BY_NAME.get(name))
                        .ifPresentOrElse(
                                setting -> values.put(setting.key(), new Given(text, "environment " + name)),
                                () -> faults.add(unknown(name)));
            } else if (!isOfKubernetes(text)) {
                Optional.ofNullable(BY_WORDS.get(words(name)))
                        .ifPresent(known -> faults.add(Fault.of(
                                name,
                                "is not read: two underscores stand between the levels of a key.",
                                "Did you mean " + known + "?")));
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
