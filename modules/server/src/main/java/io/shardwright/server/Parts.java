package io.shardwright.server;

import io.shardwright.control.ControlSettings;
import io.shardwright.domain.Clock;
import io.shardwright.domain.Namespace;
import io.shardwright.domain.NamespaceName;
import io.shardwright.domain.system.EventLoop;
import io.shardwright.election.Belief;
import io.shardwright.election.Candidate;
import io.shardwright.election.Election;
import io.shardwright.election.ElectionPorts;
import io.shardwright.election.ElectionSettings;
import io.shardwright.election.LeaderAddress;
import io.shardwright.election.LeaseElection;
import io.shardwright.election.LocalElection;
import io.shardwright.election.SessionBelief;
import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.jdbc.JdbcStore;
import io.shardwright.persistence.jdbc.JdbcTarget;
import io.shardwright.persistence.jdbc.StoreOpenException;
import io.shardwright.persistence.memory.MemoryStore;
import io.shardwright.persistence.mvcc.EmbeddedSettings;
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
import io.shardwright.server.etcd.EtcdConnection;
import io.shardwright.server.etcd.EtcdRefusedException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** Says the configuration in the words of the modules that a server is made of. */
final class Parts {

    private Parts() {}

    /** Opens the configured store; waits until it is loaded. */
    static Store openStore(ServerConfig config, Clock clock, EventLoop loop, Consumer<Runnable> closers)
            throws StartFailedException, InterruptedException {
        try {
            EmbeddedSettings settings = embedded(config.limits());
            return switch (config.persistence()) {
                case PersistenceConfig.Memory memory -> MemoryStore.open(settings, clock, loop);
                case PersistenceConfig.Sqlite sqlite ->
                    JdbcStore.open(new JdbcTarget.Sqlite(sqlite.file()), settings, clock, loop);
                case PersistenceConfig.Postgres postgres -> JdbcStore.open(target(postgres), settings, clock, loop);
                case PersistenceConfig.Etcd etcd -> EtcdConnection.open(etcd, loop, closers);
            };
        } catch (StoreOpenException | EtcdRefusedException | IllegalArgumentException e) {
            throw new StartFailedException(String.valueOf(e.getMessage()), e);
        }
    }

    /** An embedded store takes what the control plane may send: it counts conditions and reads too, so twice that. */
    private static EmbeddedSettings embedded(StoreLimits limits) {
        EmbeddedSettings defaults = EmbeddedSettings.DEFAULTS;
        return defaults.withLimits(new io.shardwright.persistence.StoreLimits(
                Math.max(defaults.limits().operationsPerTxn(), limits.maxTxnOperations()),
                Math.max(defaults.limits().requestBytes(), 2 * limits.maxRequestBytes())));
    }

    /**
     * Returns who decides whether this server leads: whoever has the store, or the replicas among themselves.
     *
     * @param bound port that gRPC listens on; known when the election begins
     */
    static Election election(ServerConfig config, ElectionPorts ports, IntSupplier bound) {
        String name = config.persistence().keyPrefix() + "leader";
        if (!(config.persistence() instanceof PersistenceConfig.Etcd etcd)) {
            return new LocalElection(
                    ports.store(),
                    ports.loop(),
                    Bytes.utf8(name),
                    Identity.ofThisProcess(),
                    beliefs(config.persistence(), ports.store()));
        }
        PersistenceConfig.EtcdTimes times = etcd.times();
        return new LeaseElection(
                ports,
                new ElectionSettings(
                        name,
                        times.leaderLeaseTtl(),
                        config.leases().clockDrift(),
                        times.retryMinDelay(),
                        times.retryMaxDelay()),
                () -> new Candidate(Identity.ofThisProcess(), advertised(config.grpc(), bound), Identity.version()));
    }

    /** Returns where others reach this server; only asked where the store has several. */
    static LeaderAddress advertised(GrpcConfig config, IntSupplier bound) {
        GrpcConfig.Advertised advertised = config.advertised().orElseThrow();
        return new LeaderAddress(advertised.host(), advertised.port().orElseGet(bound));
    }

    private static JdbcTarget target(PersistenceConfig.Postgres postgres) {
        return new JdbcTarget.PostgreSql(
                postgres.url(),
                postgres.login().map(PersistenceConfig.Login::user).orElse(""),
                postgres.login().map(login -> login.password().reveal()).orElse(""));
    }

    /**
     * Returns how long this process may take the store for its own: a SQLite file is locked while the process lives, a
     * PostgreSQL database only while its session does.
     */
    static Supplier<Belief> beliefs(PersistenceConfig config, Store store) {
        return config instanceof PersistenceConfig.Postgres && store instanceof JdbcStore session
                ? () -> new SessionBelief(session::provenAt)
                : () -> Belief.UNLIMITED;
    }

    /** Names the store for people. */
    static String displayName(PersistenceConfig config) {
        return switch (config) {
            case PersistenceConfig.Memory memory -> "memory (lost at the end of this process)";
            case PersistenceConfig.Sqlite sqlite -> new JdbcTarget.Sqlite(sqlite.file()).displayName();
            case PersistenceConfig.Postgres postgres -> target(postgres).displayName();
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
