package io.shardwright.server;

import io.shardwright.control.ControlSettings;
import io.shardwright.domain.Clock;
import io.shardwright.domain.Namespace;
import io.shardwright.domain.NamespaceName;
import io.shardwright.domain.Scheduler;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.memory.MemoryStore;
import io.shardwright.rpc.transport.GrpcEndpointSettings;
import io.shardwright.rpc.transport.GrpcTransport;
import io.shardwright.rpc.transport.KeepaliveSettings;
import io.shardwright.rpc.transport.TransportSecurity;
import io.shardwright.rpc.transport.TransportSecurity.ClientCertificate;
import io.shardwright.server.config.GrpcConfig;
import io.shardwright.server.config.NamespaceConfig;
import io.shardwright.server.config.PersistenceConfig;
import io.shardwright.server.config.ServerConfig;
import io.shardwright.server.config.StoreLimits;
import java.util.List;
import java.util.Optional;

/** Says the configuration in the words of the modules that a server is made of. */
final class Parts {

    private Parts() {}

    /** Opens the configured store; waits until it is loaded. */
    static Store openStore(PersistenceConfig config, Clock clock, Scheduler loop) throws StartFailedException {
        return switch (config) {
            case PersistenceConfig.Memory memory -> MemoryStore.open(clock, loop);
            case PersistenceConfig.Sqlite sqlite -> throw notYet("sqlite");
            case PersistenceConfig.Postgres postgres -> throw notYet("postgres");
            case PersistenceConfig.Etcd etcd -> throw notYet("etcd");
        };
    }

    private static StartFailedException notYet(String type) {
        return new StartFailedException(
                "persistence.type = " + type + ": this version cannot open it yet; use memory (--store memory)");
    }

    /** Names the store for people. */
    static String displayName(PersistenceConfig config) {
        return switch (config) {
            case PersistenceConfig.Memory memory -> "memory (lost at the end of this process)";
            case PersistenceConfig.Sqlite sqlite -> "SQLite " + sqlite.file();
            case PersistenceConfig.Postgres postgres -> "PostgreSQL";
            case PersistenceConfig.Etcd etcd -> "etcd " + etcd.endpoints();
        };
    }

    static ControlSettings control(ServerConfig config) {
        StoreLimits limits = config.limits();
        return new ControlSettings(
                config.persistence().keyPrefix(),
                limits.maxTxnOperations(),
                limits.maxRequestBytes(),
                ControlSettings.DEFAULT.massLossShare());
    }

    static List<Namespace> namespaces(ServerConfig config) {
        return config.namespaces().stream().map(Parts::namespace).toList();
    }

    private static Namespace namespace(NamespaceConfig config) {
        Namespace.Kind kind =
                switch (config.kind()) {
                    case FIXED -> new Namespace.Kind.Fixed(config.shardCount().orElse(Namespace.DEFAULT_SHARD_COUNT));
                    case EPHEMERAL -> new Namespace.Kind.Ephemeral();
                };
        return new Namespace(new NamespaceName(config.name()), kind, config.lease(), config.balancer());
    }

    static GrpcEndpointSettings grpc(GrpcConfig config) {
        return new GrpcEndpointSettings(
                config.listen().bindAddress(),
                config.listen().port(),
                config.maxMessageBytes(),
                config.grace(),
                KeepaliveSettings.DEFAULT,
                config.tls().map(Parts::security).orElseGet(TransportSecurity.Plaintext::new));
    }

    private static TransportSecurity security(GrpcConfig.Tls tls) {
        Optional<TransportSecurity> mutual = tls.clientCaFile()
                .map(authorities -> new TransportSecurity.MutualTls(
                        tls.certFile(),
                        tls.keyFile(),
                        authorities,
                        tls.requireClientCert() ? ClientCertificate.REQUIRED : ClientCertificate.REQUESTED));
        return mutual.orElseGet(() -> new TransportSecurity.Tls(tls.certFile(), tls.keyFile()));
    }

    static GrpcTransport transport(GrpcConfig config) {
        return GrpcTransport.valueOf(config.transport().name());
    }
}
