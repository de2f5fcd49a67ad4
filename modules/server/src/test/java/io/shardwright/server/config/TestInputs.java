package io.shardwright.server.config;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Builds the inputs of one configuration; a test shows only the values that matter. */
final class TestInputs {
    private final Path directory;
    private final List<ConfigInputs.Flag> flags = new ArrayList<>();
    private final Map<String, String> environment = new TreeMap<>();
    private Optional<Path> file = Optional.empty();

    private TestInputs(Path directory) {
        this.directory = directory;
    }

    /** The SQLite file is inside the directory, so that only the test decides what exists. */
    static TestInputs in(Path directory) {
        return new TestInputs(directory);
    }

    TestInputs flag(String key, String value) {
        flags.add(new ConfigInputs.Flag("--set", key, value));
        return this;
    }

    TestInputs env(String name, String value) {
        environment.put(name, value);
        return this;
    }

    /** The default file. */
    TestInputs yaml(String text) {
        write("shardwright.yaml", text);
        return this;
    }

    TestInputs configFile(Path path) {
        file = Optional.of(path);
        return this;
    }

    /** Any file beside it. */
    Path write(String name, String text) {
        try {
            return Files.writeString(directory.resolve(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    LoadedConfig loaded() throws ConfigFaultsException {
        return ConfigLoader.load(new ConfigInputs(flags, environment, file, directory));
    }

    ServerConfig config() throws ConfigFaultsException {
        return loaded().config();
    }

    /** The faults as people read them; fails when there are none. */
    List<String> faults() {
        try {
            throw new AssertionError("accepted: " + loaded().config());
        } catch (ConfigFaultsException e) {
            return e.faults().stream().map(Fault::text).toList();
        }
    }
}
