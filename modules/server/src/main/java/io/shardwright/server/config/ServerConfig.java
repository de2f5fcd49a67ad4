package io.shardwright.server.config;

import java.util.List;

/**
 * Everything a server is told to be: complete, valid, immutable. See {@link ConfigKeys} for the meaning and the bounds
 * of each value.
 */
public record ServerConfig(
        GrpcConfig grpc,
        HttpConfig http,
        PersistenceConfig persistence,
        StoreLimits limits,
        LeaseConfig leases,
        List<NamespaceConfig> namespaces) {
    public ServerConfig {
        namespaces = List.copyOf(namespaces);
    }
}
