package io.shardwright.server.command;

import io.shardwright.server.config.ConfigFaultsException;
import io.shardwright.server.config.ConfigInputs;
import io.shardwright.server.config.ConfigInputs.Flag;
import io.shardwright.server.config.ConfigLoader;
import io.shardwright.server.config.LoadedConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of every command that reads the configuration. */
public final class ConfigOptions {
    /** What follows the colon in {@code --store type:where}, by type. */
    private static final Map<String, String> STORE_DETAIL = Map.of(
            "sqlite",
            "persistence.sqlite.file",
            "postgres",
            "persistence.postgres.url",
            "etcd",
            "persistence.etcd.endpoints");

    @Spec(Spec.Target.MIXEE)
    @Nullable
    CommandSpec spec;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "The configuration file. Default: $$SHARDWRIGHT_CONFIG, else ./shardwright.yaml if it exists.")
    @Nullable
    Path file;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Sets any key, such as --set grpc.grace=3s. Repeatable. `config show` lists the keys.")
    List<String> settings = new ArrayList<>();

    @Option(
            names = "--store",
            paramLabel = "TYPE[:WHERE]",
            description = "memory, sqlite[:FILE], postgres[:URL] or etcd[:ENDPOINTS].")
    @Nullable
    String store;

    @Option(names = "--grpc-port", paramLabel = "PORT", description = "The gRPC port; 0 takes any free one.")
    @Nullable
    String grpcPort;

    @Option(names = "--http-port", paramLabel = "PORT", description = "The HTTP port; 0 takes any free one.")
    @Nullable
    String httpPort;

    @Option(
            names = "--namespace",
            paramLabel = "NAME:KIND[:SHARDS]",
            description =
                    "A namespace, such as demo:fixed:64 or sessions:ephemeral. Repeatable; replaces the list of the file.")
    List<String> namespaces = new ArrayList<>();

    /**
     * The configuration in effect.
     *
     * @throws ConfigFaultsException with every fault
     */
    public LoadedConfig load(ProcessContext process) throws ConfigFaultsException {
        return ConfigLoader.load(
                new ConfigInputs(flags(), process.environment(), Optional.ofNullable(file), process.directory()));
    }

    private List<Flag> flags() {
        List<Flag> flags = new ArrayList<>();
        if (store != null) {
            String[] parts = store.split(":", 2);
            flags.add(new Flag("--store", "persistence.type", parts[0]));
            if (parts.length == 2) {
                flags.add(new Flag("--store", detailKey(parts[0]), parts[1]));
            }
        }
        add(flags, "--grpc-port", "grpc.port", grpcPort);
        add(flags, "--http-port", "http.port", httpPort);
        if (!namespaces.isEmpty()) {
            flags.add(new Flag("--namespace", "namespaces", String.join(",", namespaces)));
        }
        settings.forEach(text -> flags.add(setting(text)));
        return flags;
    }

    private static void add(List<Flag> flags, String name, String key, @Nullable String value) {
        if (value != null) {
            flags.add(new Flag(name, key, value));
        }
    }

    private String detailKey(String type) {
        String key = STORE_DETAIL.get(type);
        if (key == null) {
            throw usage(
                    "--store " + type
                            + ": only sqlite, postgres and etcd take something after a colon. For example: --store sqlite:/tmp/demo.db");
        }
        return key;
    }

    /** The value may be a secret, so a text without {@code =} is not repeated. */
    private Flag setting(String text) {
        int end = text.indexOf('=');
        if (end <= 0) {
            throw usage("--set: must be KEY=VALUE. For example: --set grpc.port=9002");
        }
        return new Flag("--set", text.substring(0, end), text.substring(end + 1));
    }

    private ParameterException usage(String message) {
        if (spec == null) {
            throw new IllegalStateException("options are used outside of a command line");
        }
        return new ParameterException(spec.commandLine(), message);
    }
}
