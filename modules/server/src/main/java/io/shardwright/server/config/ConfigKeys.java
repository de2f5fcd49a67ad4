package io.shardwright.server.config;

import static io.shardwright.server.config.ValueTypes.bool;
import static io.shardwright.server.config.ValueTypes.bytes;
import static io.shardwright.server.config.ValueTypes.duration;
import static io.shardwright.server.config.ValueTypes.fraction;
import static io.shardwright.server.config.ValueTypes.host;
import static io.shardwright.server.config.ValueTypes.httpAddresses;
import static io.shardwright.server.config.ValueTypes.matching;
import static io.shardwright.server.config.ValueTypes.oneOf;
import static io.shardwright.server.config.ValueTypes.path;
import static io.shardwright.server.config.ValueTypes.pemInBase64;
import static io.shardwright.server.config.ValueTypes.port;
import static io.shardwright.server.config.ValueTypes.text;
import static io.shardwright.server.config.ValueTypes.whole;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Every key there is, once. To add one: declare it here, add it to {@link #ALL}, read it in {@link ServerConfigReader},
 * and run the reference page test with {@code -Dshardwright.docs.write=true}.
 */
final class ConfigKeys {
    private static final Duration TINY = Duration.ofMillis(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final int MIB = 1 << 20;
    private static final Pattern KEY_PREFIX = Pattern.compile("/([A-Za-z0-9._-]{1,64}/){1,8}");
    // Credentials have keys of their own: in the address they would be shown.
    private static final Pattern POSTGRES_URL =
            Pattern.compile("(?i)(?!.*[?&](user|password)=)jdbc:postgresql://[^\\s@/]+/[^\\s@]+");
    private static final Pattern NAMESPACE_NAME = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");

    static final Setting<GrpcConfig.Transport> GRPC_TRANSPORT = Setting.of(
            "grpc.transport",
            oneOf(GrpcConfig.Transport.class),
            GrpcConfig.Transport.NETTY,
            "The HTTP/2 implementation that hosts the gRPC services; docs/transports.md compares them.");
    static final Setting<String> GRPC_BIND_ADDRESS = Setting.of(
            "grpc.bind-address",
            host(),
            "0.0.0.0",
            "The address that gRPC listens on; `::` is every address, IPv6 included.");
    static final Setting<Integer> GRPC_PORT =
            Setting.of("grpc.port", port(), 9002, "The port that executors, spectators and operators call.");
    static final Setting<String> GRPC_ADVERTISED_HOST = Setting.optional(
            "grpc.advertised-host",
            host(),
            "10.0.0.7",
            "The name or address under which executors and spectators reach this very server, never one that several servers share. Required for `etcd`.");
    static final Setting<Integer> GRPC_ADVERTISED_PORT = Setting.optional(
            "grpc.advertised-port",
            whole(1, 65_535),
            "9002",
            "The port that goes with it, where a mapping changes it. Default: the port that gRPC listens on.");
    static final Setting<Integer> GRPC_MAX_MESSAGE = Setting.of(
            "grpc.max-message-bytes",
            bytes(64 << 10, 256 * MIB),
            16 * MIB,
            "The largest message that is read; a larger one is refused with RESOURCE_EXHAUSTED.");
    static final Setting<Duration> GRPC_GRACE = Setting.of(
            "grpc.grace",
            duration(Duration.ZERO, HOUR),
            Duration.ofSeconds(10),
            "How long calls in flight may take to end after the server was asked to stop.");
    static final Setting<Path> GRPC_CERT = Setting.optional(
            "grpc.tls.cert-file",
            path(),
            "/etc/shardwright/tls.crt",
            "PEM file with the server certificate and its chain. Setting it turns TLS on.");
    static final Setting<Path> GRPC_KEY = Setting.optional(
            "grpc.tls.key-file",
            path(),
            "/etc/shardwright/tls.key",
            "PEM file with the unencrypted private key of the server certificate.");
    static final Setting<Path> GRPC_CLIENT_CA = Setting.optional(
            "grpc.tls.client-ca-file",
            path(),
            "/etc/shardwright/clients.crt",
            "PEM file with the certificates that sign client certificates.");
    static final Setting<Boolean> GRPC_REQUIRE_CLIENT_CERT = Setting.of(
            "grpc.tls.require-client-cert",
            bool(),
            false,
            "Whether a client without a valid certificate is turned away.");

    static final Setting<Boolean> HTTP_ENABLED = Setting.of(
            "http.enabled", bool(), true, "Whether health, metrics, configuration and the dashboard are served.");
    static final Setting<String> HTTP_BIND_ADDRESS =
            Setting.of("http.bind-address", host(), "0.0.0.0", "The address that HTTP listens on.");
    static final Setting<Integer> HTTP_PORT =
            Setting.of("http.port", port(), 8081, "The port of health, metrics and the dashboard.");

    static final Setting<PersistenceConfig.Type> STORE = Setting.of(
            "persistence.type",
            oneOf(PersistenceConfig.Type.class),
            PersistenceConfig.Type.SQLITE,
            "Where the state is kept. `memory` loses it at the end of the process; only `etcd` allows more than one server.");
    static final Setting<String> KEY_PREFIX_KEY = Setting.of(
            "persistence.key-prefix",
            matching(
                    KEY_PREFIX,
                    "1 to 8 words of letters, digits, '.', '_' and '-', each followed by '/', after a first '/'"),
            "/shardwright/",
            "The prefix of every key, so that several shard managers can share one store.");
    static final Setting<Integer> MAX_TXN_OPERATIONS = Setting.of(
            "persistence.limits.max-txn-operations",
            whole(8, 100_000),
            128,
            "The most operations in one store transaction. Not above etcd's own `--max-txn-ops`.");
    static final Setting<Integer> MAX_REQUEST_BYTES = Setting.of(
            "persistence.limits.max-request-bytes",
            bytes(64 << 10, 64 * MIB),
            MIB,
            "The largest store request. Not above etcd's own `--max-request-bytes`."
                    + " Each MiB is room for about 800,000 shards of an ephemeral namespace, with keys of 20 bytes.");
    static final Setting<Path> SQLITE_FILE = Setting.of(
            "persistence.sqlite.file",
            path(),
            Path.of("./shardwright.db"),
            "The database file. Its directory has to exist; the file is created.");
    static final Setting<String> POSTGRES_URL_KEY = Setting.optional(
            "persistence.postgres.url",
            matching(POSTGRES_URL, "jdbc:postgresql://host[:port]/database without user and password"),
            "jdbc:postgresql://127.0.0.1:5432/shardwright",
            "The database. Required for `postgres`.");
    static final Setting<String> POSTGRES_USER = Setting.optional(
            "persistence.postgres.user",
            text(),
            "shardwright",
            "The database user; it comes with a password or a password file.");
    static final Setting<String> POSTGRES_PASSWORD = Setting.optional(
                    "persistence.postgres.password",
                    text(),
                    "change-me",
                    "The password of the database user, as it stands: quotes and blanks belong to it.")
            .asSecret();
    static final Setting<Path> POSTGRES_PASSWORD_FILE = Setting.optional(
            "persistence.postgres.password-file",
            path(),
            "/etc/shardwright/postgres-password",
            "A file with the password; one line ending at its end is ignored.");

    static final Setting<List<URI>> ETCD_ENDPOINTS = Setting.optional(
            "persistence.etcd.endpoints",
            httpAddresses(),
            "http://127.0.0.1:2379",
            "The etcd cluster; one load-balanced address is enough. Required for `etcd`. All `https` with `persistence.etcd.tls`, else all `http`.");
    static final Setting<Duration> ETCD_CONNECT_TIMEOUT = Setting.of(
            "persistence.etcd.connect-timeout",
            duration(TINY, HOUR),
            Duration.ofSeconds(10),
            "How long opening a connection to etcd may take.");
    static final Setting<Duration> ETCD_REQUEST_TIMEOUT = Setting.of(
            "persistence.etcd.request-timeout",
            duration(TINY, HOUR),
            Duration.ofSeconds(5),
            "How long one etcd request may take. At most 5s, and half of the leader lease.");
    static final Setting<Duration> ETCD_LEADER_LEASE = Setting.of(
            "persistence.etcd.leader-lease-ttl",
            duration(Duration.ofSeconds(2), HOUR),
            Duration.ofSeconds(10),
            "How long leadership outlives its last renewal. Whole seconds.");
    static final Setting<Duration> ETCD_RETRY_MIN = Setting.of(
            "persistence.etcd.retry-min-delay",
            duration(TINY, HOUR),
            Duration.ofMillis(100),
            "The first pause before a request that never reached etcd is sent again.");
    static final Setting<Duration> ETCD_RETRY_MAX = Setting.of(
            "persistence.etcd.retry-max-delay",
            duration(TINY, HOUR),
            Duration.ofSeconds(5),
            "The longest pause between two attempts. At most 15s together with the request timeout.");
    static final Setting<String> ETCD_USERNAME = Setting.optional(
            "persistence.etcd.username",
            text(),
            "shardwright",
            "The etcd user; it comes with a password or a password file, and with TLS.");
    static final Setting<String> ETCD_PASSWORD = Setting.optional(
                    "persistence.etcd.password",
                    text(),
                    "change-me",
                    "The password of the etcd user, as it stands: quotes and blanks belong to it.")
            .asSecret();
    static final Setting<Path> ETCD_PASSWORD_FILE = Setting.optional(
            "persistence.etcd.password-file",
            path(),
            "/etc/shardwright/etcd-password",
            "A file with the password; one line ending at its end is ignored.");
    static final Setting<Path> ETCD_CA = Setting.optional(
            "persistence.etcd.tls.ca-cert-file",
            path(),
            "/etc/shardwright/etcd-ca.crt",
            "PEM file with the certificates that sign etcd's. Setting it turns TLS on.");
    static final Setting<String> ETCD_CA_INLINE = Setting.optional(
                    "persistence.etcd.tls.ca-cert",
                    pemInBase64(),
                    "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCi4uLg==",
                    "The same in Base64 on one line, instead of the file.")
            .asSecret();
    static final Setting<Path> ETCD_CLIENT_CERT = Setting.optional(
            "persistence.etcd.tls.client-cert-file",
            path(),
            "/etc/shardwright/etcd-client.crt",
            "PEM file with the certificate that we show to etcd.");
    static final Setting<String> ETCD_CLIENT_CERT_INLINE = Setting.optional(
                    "persistence.etcd.tls.client-cert",
                    pemInBase64(),
                    "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCi4uLg==",
                    "The same in Base64 on one line, instead of the file.")
            .asSecret();
    static final Setting<Path> ETCD_CLIENT_KEY = Setting.optional(
            "persistence.etcd.tls.client-key-file",
            path(),
            "/etc/shardwright/etcd-client.key",
            "PEM file with the unencrypted key of that certificate (PKCS#8, PKCS#1 or SEC1).");
    static final Setting<String> ETCD_CLIENT_KEY_INLINE = Setting.optional(
                    "persistence.etcd.tls.client-key",
                    pemInBase64(),
                    "LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCi4uLg==",
                    "The same in Base64 on one line, instead of the file.")
            .asSecret();
    static final Setting<String> ETCD_SERVER_NAME = Setting.optional(
            "persistence.etcd.tls.server-name",
            host(),
            "etcd.example.org",
            "The name to check etcd's certificate against when the endpoint is an address or an alias.");

    static final Setting<Duration> DEFAULT_LEASE = Setting.of(
            "leases.default-duration",
            lease(),
            Duration.ofSeconds(15),
            "How long an executor keeps its shards after its last renewal, where its namespace does not say. Executors renew three times per lease.");
    static final Setting<Double> CLOCK_DRIFT = Setting.of(
            "leases.clock-drift",
            fraction("0", "0.2"),
            0.01,
            "The largest difference in clock rate between two machines: 0.01 is 1 %. Executors stop that much earlier.");

    /** Read item by item, see {@link #NAMESPACE_ITEM}; its type only says what it is. */
    static final Setting<String> NAMESPACES = Setting.optional(
            "namespaces",
            NamespaceList.TYPE,
            "demo:fixed:64",
            "The namespaces that exist from the start on. As a YAML or JSON list of maps, or in short `name:fixed:shard-count` or `name:ephemeral`, separated by commas.");

    static final Setting<String> NAMESPACE_NAME_KEY = Setting.optional(
            "name",
            matching(
                    NAMESPACE_NAME,
                    "1 to 63 characters of a-z, 0-9 and '-', beginning and ending with a letter or digit"),
            "demo",
            "Its name. Required; each name stands once.");
    static final Setting<NamespaceConfig.Kind> NAMESPACE_KIND = Setting.optional(
            "kind",
            oneOf(NamespaceConfig.Kind.class),
            "fixed",
            "Whether its shards are `0` to `n-1` from the start on, or created by the first request for their key. Required.");
    static final Setting<Integer> NAMESPACE_SHARD_COUNT = Setting.of(
            "shard-count",
            whole(1, 1 << 20),
            1024,
            "The number of shards of a fixed namespace. It never changes after the first start.");
    static final Setting<Duration> NAMESPACE_LEASE = Setting.optional(
            "lease",
            lease(),
            "15s",
            "How long its executors keep their shards after their last renewal. Default: `leases.default-duration`.");
    static final Setting<String> NAMESPACE_BALANCER = Setting.of(
            "balancer",
            matching(Pattern.compile("naive"), "one of naive"),
            "naive",
            "How its shards are spread over its executors.");

    /** The keys of one item of {@link #NAMESPACES}. */
    static final List<Setting<?>> NAMESPACE_ITEM =
            List.of(NAMESPACE_NAME_KEY, NAMESPACE_KIND, NAMESPACE_SHARD_COUNT, NAMESPACE_LEASE, NAMESPACE_BALANCER);

    /** Every key, in the order of the reference page. */
    static final List<Setting<?>> ALL = List.of(
            GRPC_TRANSPORT,
            GRPC_BIND_ADDRESS,
            GRPC_PORT,
            GRPC_ADVERTISED_HOST,
            GRPC_ADVERTISED_PORT,
            GRPC_MAX_MESSAGE,
            GRPC_GRACE,
            GRPC_CERT,
            GRPC_KEY,
            GRPC_CLIENT_CA,
            GRPC_REQUIRE_CLIENT_CERT,
            HTTP_ENABLED,
            HTTP_BIND_ADDRESS,
            HTTP_PORT,
            STORE,
            KEY_PREFIX_KEY,
            MAX_TXN_OPERATIONS,
            MAX_REQUEST_BYTES,
            SQLITE_FILE,
            POSTGRES_URL_KEY,
            POSTGRES_USER,
            POSTGRES_PASSWORD,
            POSTGRES_PASSWORD_FILE,
            ETCD_ENDPOINTS,
            ETCD_CONNECT_TIMEOUT,
            ETCD_REQUEST_TIMEOUT,
            ETCD_LEADER_LEASE,
            ETCD_RETRY_MIN,
            ETCD_RETRY_MAX,
            ETCD_USERNAME,
            ETCD_PASSWORD,
            ETCD_PASSWORD_FILE,
            ETCD_CA,
            ETCD_CA_INLINE,
            ETCD_CLIENT_CERT,
            ETCD_CLIENT_CERT_INLINE,
            ETCD_CLIENT_KEY,
            ETCD_CLIENT_KEY_INLINE,
            ETCD_SERVER_NAME,
            DEFAULT_LEASE,
            CLOCK_DRIFT,
            NAMESPACES);

    private static final Map<String, Setting<?>> BY_KEY =
            ALL.stream().collect(Collectors.toUnmodifiableMap(Setting::key, Function.identity()));

    private ConfigKeys() {}

    static Optional<Setting<?>> byKey(String key) {
        return Optional.ofNullable(BY_KEY.get(key));
    }

    static List<String> names() {
        return ALL.stream().<String>map(Setting::key).toList();
    }

    private static ValueType<Duration> lease() {
        return duration(Duration.ofSeconds(1), HOUR);
    }
}
