package io.shardwright.server;

import io.shardwright.server.config.ConfigInputs;
import io.shardwright.server.config.ConfigLoader;
import io.shardwright.testkit.TestEtcd;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Servers of this JVM on an etcd, on free ports. */
final class EtcdServers {

    private EtcdServers() {}

    /** @param more settings by their keys, besides or instead of the usual ones */
    static Server start(TestEtcd etcd, Path directory, Map<String, String> more) throws Exception {
        Map<String, String> values = new TreeMap<>(Map.of(
                "grpc.port", "0",
                "http.port", "0",
                "persistence.type", "etcd",
                "persistence.etcd.endpoints", etcd.endpoint(),
                "grpc.advertised-host", "localhost",
                "namespaces", "orders:fixed:4"));
        values.putAll(more);
        List<ConfigInputs.Flag> flags = values.entrySet().stream()
                .map(value -> new ConfigInputs.Flag("--set", value.getKey(), value.getValue()))
                .toList();
        return Server.start(ConfigLoader.load(new ConfigInputs(flags, Map.of(), Optional.empty(), directory)));
    }
}
