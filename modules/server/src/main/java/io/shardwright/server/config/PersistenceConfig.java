package io.shardwright.server.config;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Where the state is kept. */
public sealed interface PersistenceConfig {

    /** The prefix that every key of this shard manager has; begins and ends with a slash. */
    String keyPrefix();

    /** The kinds of store, as {@code persistence.type} names them. */
    enum Type {
        MEMORY,
        SQLITE,
        POSTGRES,
        ETCD
    }

    /** Lost at the end of the process: for tests and trials. */
    record Memory(String keyPrefix) implements PersistenceConfig {}

    /** One file, one server process. */
    record Sqlite(String keyPrefix, Path file) implements PersistenceConfig {}

    /** One PostgreSQL database, one server process. */
    record Postgres(String keyPrefix, String url, Optional<Login> login) implements PersistenceConfig {}

    /** An etcd cluster, any number of server processes. */
    record Etcd(String keyPrefix, List<URI> endpoints, EtcdTimes times, Optional<Login> login, Optional<EtcdTls> tls)
            implements PersistenceConfig {
        public Etcd {
            endpoints = List.copyOf(endpoints);
        }
    }

    /**
     * A user and its password.
     *
     * @param file where the password came from; empty: from the configuration itself
     */
    record Login(String user, Secret password, Optional<Path> file) {}

    /**
     * How long etcd may take, how long leadership lasts, and how soon a request that never reached etcd is sent again.
     */
    record EtcdTimes(
            Duration connectTimeout,
            Duration requestTimeout,
            Duration leaderLeaseTtl,
            Duration retryMinDelay,
            Duration retryMaxDelay) {}

    /** TLS towards etcd. The client certificate is there with its key or not at all. */
    record EtcdTls(PemItem ca, Optional<ClientCertificate> clientCertificate, Optional<String> serverName) {}

    /** Certificate and key that we show to etcd. */
    record ClientCertificate(PemItem certificate, PemItem key) {}
}
