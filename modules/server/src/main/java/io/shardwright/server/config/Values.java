package io.shardwright.server.config;

import io.helidon.config.Config;
import io.helidon.config.ConfigSources;
import io.helidon.config.spi.ConfigSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The sources laid over each other, the first one on top. A list of a higher source replaces the list below it as a
 * whole.
 *
 * <p>Helidon Config merges; its value filters are off, because {@code ${...}} in a password is text.
 */
final class Values {
    private final Config merged;
    private final List<ConfigLayer> layers;
    private final Faults faults;
    private final Set<String> broken = new HashSet<>();

    Values(List<ConfigLayer> layers, Faults faults) {
        this.layers = List.copyOf(layers);
        this.faults = faults;
        this.merged = Config.builder()
                .sources(layers.stream()
                        .<Supplier<? extends ConfigSource>>map(Values::source)
                        .toList())
                .disableEnvironmentVariablesSource()
                .disableSystemPropertiesSource()
                .disableKeyResolving()
                .disableValueResolving()
                .disableFilterServices()
                .build();
    }

    private static Supplier<? extends ConfigSource> source(ConfigLayer layer) {
        Map<String, String> texts = layer.values().entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, e -> e.getValue().text(), (a, b) -> b, TreeMap::new));
        return ConfigSources.create(texts, layer.name());
    }

    Faults faults() {
        return faults;
    }

    /** The text of a key with its source, or empty when no source gives it. */
    Optional<Given> given(Setting<?> setting) {
        return merged.get(setting.key()).asString().asOptional().map(text -> new Given(text, origin(setting)));
    }

    boolean isGiven(Setting<?> setting) {
        return given(setting).isPresent();
    }

    /** The value, its default, or empty. A value that breaks its rule is reported, once, and counts as not given. */
    <T> Optional<T> find(Setting<T> setting) {
        Optional<Given> given = given(setting);
        if (given.isPresent() && broken.contains(setting.key())) {
            return setting.defaultValue();
        }
        Optional<T> value = given.flatMap(g -> checked(setting, setting.key(), g));
        if (given.isPresent() && value.isEmpty()) {
            broken.add(setting.key());
        }
        return value.or(setting::defaultValue);
    }

    /** The value of a key that has a default. */
    <T> T get(Setting<T> setting) {
        return find(setting).orElseThrow(() -> new IllegalArgumentException(setting.key() + " has no default"));
    }

    /** The parsed text; a fault under the given name when it breaks the rule of the setting. */
    <T> Optional<T> checked(Setting<T> setting, String name, Given given) {
        Optional<T> value = setting.type().parse(given.text());
        if (value.isEmpty()) {
            faults.add(Fault.of(
                    name,
                    setting.shown(given.text()),
                    given.origin(),
                    "must be " + setting.type().rule() + ".",
                    "For example: " + setting.example() + "."));
        }
        return value;
    }

    private String origin(Setting<?> setting) {
        return layers.stream()
                .flatMap(layer -> Optional.ofNullable(layer.values().get(setting.key())).stream())
                .map(Given::origin)
                .findFirst()
                .orElse("default");
    }
}
