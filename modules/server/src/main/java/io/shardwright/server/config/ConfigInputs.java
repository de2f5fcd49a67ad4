package io.shardwright.server.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything a configuration is read from, so that a test can give all of it.
 *
 * @param flags in the order of the command line
 * @param environment of the process
 * @param file what {@code --config} names; empty: {@code SHARDWRIGHT_CONFIG}, else {@code shardwright.yaml} if it
 *     exists
 * @param directory where the default file is looked for
 */
public record ConfigInputs(List<Flag> flags, Map<String, String> environment, Optional<Path> file, Path directory) {
    public ConfigInputs {
        flags = List.copyOf(flags);
        environment = Map.copyOf(environment);
    }

    /**
     * A value from the command line.
     *
     * @param name how it was given, such as {@code --grpc-port} or {@code --set}
     */
    public record Flag(String name, String key, String value) {}
}
