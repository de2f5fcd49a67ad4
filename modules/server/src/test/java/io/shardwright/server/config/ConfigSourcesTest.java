package io.shardwright.server.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.testkit.Certificates;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ConfigSourcesTest {
    @TempDir
    Path directory;

    @Test
    @Tag("R9")
    void withoutAnySourceEveryDefaultHolds() throws Exception {
        ServerConfig config = TestInputs.in(directory).config();
        assertEquals(new Listen("0.0.0.0", 9002), config.grpc().listen());
        assertEquals(GrpcConfig.Transport.NETTY, config.grpc().transport());
        assertEquals(16 << 20, config.grpc().maxMessageBytes());
        assertEquals(Duration.ofSeconds(10), config.grpc().grace());
        assertEquals(new HttpConfig(true, new Listen("0.0.0.0", 8081)), config.http());
        assertEquals(new PersistenceConfig.Sqlite("/shardwright/", Path.of("./shardwright.db")), config.persistence());
        assertEquals(new StoreLimits(128, 1 << 20), config.limits());
        assertEquals(new LeaseConfig(Duration.ofSeconds(15), 0.01), config.leases());
        assertEquals(List.of(), config.namespaces());
    }

    @Test
    @Tag("R10")
    void aFlagWinsOverTheEnvironmentWhichWinsOverTheFile() throws Exception {
        TestInputs inputs = TestInputs.in(directory)
                .yaml("grpc:\n  port: 1001\n  grace: 1s\nhttp:\n  port: 1002\n")
                .env("SHARDWRIGHT__GRPC__PORT", "2001")
                .env("SHARDWRIGHT__HTTP__PORT", "2002")
                .flag("grpc.port", "3001");
        ServerConfig config = inputs.config();
        assertEquals(3001, config.grpc().listen().port());
        assertEquals(2002, config.http().listen().port());
        assertEquals(Duration.ofSeconds(1), config.grpc().grace());
    }

    @Test
    void everyValueIsShownWithTheLineOrVariableItCameFrom() throws Exception {
        EffectiveConfig effective = TestInputs.in(directory)
                .yaml("# ours\ngrpc:\n  port: 1001\n")
                .env("SHARDWRIGHT__HTTP__PORT", "2002")
                .flag("grpc.grace", "3s")
                .loaded()
                .effective();
        assertEquals("1001 " + directory.resolve("shardwright.yaml") + ":3", shown(effective, "grpc.port"));
        assertEquals("2002 environment SHARDWRIGHT__HTTP__PORT", shown(effective, "http.port"));
        assertEquals("3s flag --set", shown(effective, "grpc.grace"));
        assertEquals("15s default", shown(effective, "leases.default-duration"));
        assertEquals("(not set) default", shown(effective, "persistence.etcd.username"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "12345",
                "0123",
                "true",
                "no",
                "null",
                "1e3",
                "12:30",
                "\"quoted\"",
                " blank ",
                "${HOME}",
                "a,b",
                "[x]",
                "$1\\2"
            })
    void aPasswordOfTheEnvironmentIsTakenAsItStands(String password) throws Exception {
        ServerConfig config = TestInputs.in(directory)
                .flag("persistence.type", "postgres")
                .flag("persistence.postgres.url", "jdbc:postgresql://db/x")
                .flag("persistence.postgres.user", "u")
                .env("SHARDWRIGHT__PERSISTENCE__POSTGRES__PASSWORD", password)
                .config();
        assertEquals(
                Optional.of(new PersistenceConfig.Login("u", new Secret(password), Optional.empty())), login(config));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0123", "no", "true", "12345", "1_000", "12:30:00", "2026-01-01", ".5"})
    @Tag("R69")
    void anUnquotedPasswordOfTheFileIsTakenAsItStands(String password) throws Exception {
        ServerConfig config = TestInputs.in(directory)
                .yaml(
                        "persistence:\n  type: postgres\n  postgres:\n    url: jdbc:postgresql://db/x\n    user: u\n    password: "
                                + password + "\n")
                .config();
        assertEquals(
                Optional.of(new PersistenceConfig.Login("u", new Secret(password), Optional.empty())), login(config));
    }

    @ParameterizedTest
    @CsvSource({
        "'secret\n',secret",
        "'secret\r\n',secret",
        "secret,secret",
        "'secret\n\n','secret\n'",
        "' secret \n',' secret '"
    })
    void onlyOneLineEndingIsTakenFromAPasswordFile(String content, String password) throws Exception {
        TestInputs inputs = TestInputs.in(directory);
        Path file = inputs.write("password", content);
        ServerConfig config = inputs.flag("persistence.type", "postgres")
                .flag("persistence.postgres.url", "jdbc:postgresql://db/x")
                .flag("persistence.postgres.user", "u")
                .flag("persistence.postgres.password-file", file.toString())
                .config();
        assertEquals(
                Optional.of(new PersistenceConfig.Login("u", new Secret(password), Optional.of(file))), login(config));
    }

    @ParameterizedTest
    @CsvSource({"15s,PT15S", "500ms,PT0.5S", "PT15S,PT15S", "2m,PT2M", "0s,PT0S"})
    void durationsHaveThreeForms(String text, Duration expected) throws Exception {
        assertEquals(
                expected,
                TestInputs.in(directory)
                        .flag("grpc.grace", text)
                        .config()
                        .grpc()
                        .grace());
    }

    @ParameterizedTest
    @CsvSource({"65536,65536", "64KiB,65536", "16MiB,16777216", "65536B,65536"})
    void sizesHaveBinaryUnits(String text, int expected) throws Exception {
        assertEquals(
                expected,
                TestInputs.in(directory)
                        .flag("grpc.max-message-bytes", text)
                        .config()
                        .grpc()
                        .maxMessageBytes());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://a:1,http://b:2",
                "[\"http://a:1\",\"http://b:2\"]",
                "[http://a:1, http://b:2]",
                "http://a:1 , http://b:2"
            })
    void aListIsJsonOrSeparatedByCommas(String text) throws Exception {
        ServerConfig config = TestInputs.in(directory)
                .flag("persistence.type", "etcd")
                .flag("grpc.advertised-host", "10.0.0.7")
                .env("SHARDWRIGHT__PERSISTENCE__ETCD__ENDPOINTS", text)
                .config();
        PersistenceConfig.Etcd etcd = assertInstanceOf(PersistenceConfig.Etcd.class, config.persistence());
        assertEquals(List.of(URI.create("http://a:1"), URI.create("http://b:2")), etcd.endpoints());
    }

    @Test
    void namespacesHaveALongAndAShortForm() throws Exception {
        NamespaceConfig demo = new NamespaceConfig(
                "demo", NamespaceConfig.Kind.FIXED, OptionalInt.of(64), Duration.ofSeconds(15), "naive");
        NamespaceConfig sessions = new NamespaceConfig(
                "sessions", NamespaceConfig.Kind.EPHEMERAL, OptionalInt.empty(), Duration.ofSeconds(15), "naive");
        assertEquals(
                List.of(demo, sessions),
                TestInputs.in(directory)
                        .flag("namespaces", "demo:fixed:64,sessions:ephemeral")
                        .config()
                        .namespaces());
        assertEquals(
                List.of(demo, sessions),
                TestInputs.in(directory)
                        .env(
                                "SHARDWRIGHT__NAMESPACES",
                                "[{\"name\":\"demo\",\"kind\":\"fixed\",\"shard-count\":64},\"sessions:ephemeral\"]")
                        .config()
                        .namespaces());
        assertEquals(
                List.of(demo, sessions),
                TestInputs.in(directory)
                        .yaml("namespaces:\n- name: demo\n  kind: fixed\n  shard-count: 64\n- sessions:ephemeral\n")
                        .config()
                        .namespaces());
    }

    @Test
    @Tag("R4")
    void aNamespaceTakesTheDefaultLeaseAndShardCount() throws Exception {
        NamespaceConfig namespace = TestInputs.in(directory)
                .flag("namespaces", "demo:fixed")
                .flag("leases.default-duration", "2s")
                .config()
                .namespaces()
                .getFirst();
        assertEquals(Duration.ofSeconds(2), namespace.lease());
        assertEquals(OptionalInt.of(1024), namespace.shardCount());
    }

    @Test
    void aListOfAHigherSourceReplacesTheWholeListBelow() throws Exception {
        ServerConfig config = TestInputs.in(directory)
                .yaml("namespaces: [a:fixed:1, b:fixed:2, c:fixed:3]\n")
                .flag("namespaces", "d:ephemeral")
                .config();
        assertEquals(
                List.of("d"),
                config.namespaces().stream().map(NamespaceConfig::name).toList());
    }

    @Test
    void dottedKeysAndCommentsOnlyFilesAreRead() throws Exception {
        assertEquals(
                7,
                TestInputs.in(directory)
                        .yaml("grpc.port: 7\n")
                        .config()
                        .grpc()
                        .listen()
                        .port());
        assertEquals(
                9002,
                TestInputs.in(directory)
                        .yaml("# nothing yet\n")
                        .config()
                        .grpc()
                        .listen()
                        .port());
        assertEquals(
                9002,
                TestInputs.in(directory)
                        .yaml("grpc:\npersistence:\n")
                        .config()
                        .grpc()
                        .listen()
                        .port());
    }

    @Test
    void theVariableNamesTheFileUnlessTheFlagDoes() throws Exception {
        TestInputs inputs = TestInputs.in(directory).yaml("grpc.port: 1\n");
        inputs.env(
                "SHARDWRIGHT_CONFIG",
                inputs.write("variable.yaml", "grpc.port: 2\n").toString());
        assertEquals(2, inputs.config().grpc().listen().port());
        inputs.configFile(inputs.write("flag.yaml", "grpc.port: 3\n"));
        assertEquals(3, inputs.config().grpc().listen().port());
    }

    @Test
    @Tag("R67")
    void secretsAreShownNowhere() throws Exception {
        LoadedConfig loaded = TestInputs.in(directory)
                .flag("persistence.type", "postgres")
                .flag("persistence.postgres.url", "jdbc:postgresql://db/x")
                .flag("persistence.postgres.user", "u")
                .flag("persistence.postgres.password", "hunter2")
                .loaded();
        String everything = loaded.effective().table() + loaded.effective().json() + loaded.config();
        assertTrue(!everything.contains("hunter2"), everything);
        assertEquals("(hidden) flag --set", shown(loaded.effective(), "persistence.postgres.password"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"shards-0", "shards-0.internal", "10.0.0.7", "2001:db8::7"})
    @Tag("R22")
    void theAdvertisedHostMayBeANameOrAnAddress(String host) throws Exception {
        ServerConfig config = TestInputs.in(directory)
                .flag("persistence.type", "memory")
                .flag("grpc.bind-address", "::")
                .flag("grpc.advertised-host", host)
                .config();
        assertEquals(host, config.grpc().advertised().orElseThrow().host());
    }

    @Test
    void tlsFilesMakeAnEncryptedEndpoint() throws Exception {
        TestInputs inputs = TestInputs.in(directory);
        Path cert = Certificates.SERVER.pair().certificate();
        Path key = Certificates.SERVER.pair().key();
        inputs.yaml("grpc:\n  tls:\n    cert-file: " + cert + "\n    key-file: " + key + "\n    client-ca-file: " + cert
                + "\n    require-client-cert: true\n");
        assertEquals(
                Optional.of(new GrpcConfig.Tls(cert, key, Optional.of(cert), true)),
                inputs.config().grpc().tls());
    }

    @Test
    @Tag("R8")
    @Tag("R18")
    void etcdIsReadWithTlsAndAUser() throws Exception {
        TestInputs inputs = TestInputs.in(directory);
        Path ca = Certificates.SERVER.pair().certificate();
        inputs.yaml("""
        grpc:
          advertised-host: shards-0.internal
          advertised-port: 19002
        persistence:
          type: etcd
          key-prefix: /team-a/shards/
          etcd:
            endpoints: [https://etcd-0:2379, https://etcd-1:2379]
            username: app
            password: pw
            leader-lease-ttl: 20s
            tls:
              ca-cert-file: %s
              server-name: etcd.internal
        """.formatted(ca));
        PersistenceConfig.Etcd etcd =
                assertInstanceOf(PersistenceConfig.Etcd.class, inputs.config().persistence());
        assertEquals(
                Optional.of(new GrpcConfig.Advertised("shards-0.internal", OptionalInt.of(19_002))),
                inputs.config().grpc().advertised());
        assertEquals("/team-a/shards/", etcd.keyPrefix());
        assertEquals(2, etcd.endpoints().size());
        assertEquals(Optional.of(new PersistenceConfig.Login("app", new Secret("pw"), Optional.empty())), etcd.login());
        assertEquals(
                Optional.of(new PersistenceConfig.EtcdTls(
                        PemItem.read("persistence.etcd.tls.ca-cert-file", ca),
                        Optional.empty(),
                        Optional.of("etcd.internal"))),
                etcd.tls());
        assertEquals(
                new PersistenceConfig.EtcdTimes(
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(20),
                        Duration.ofMillis(100),
                        Duration.ofSeconds(5)),
                etcd.times());
    }

    @Test
    void readingTheConfigurationCreatesNothing() throws Exception {
        TestInputs.in(directory)
                .flag("persistence.sqlite.file", directory.resolve("x.db").toString())
                .config();
        try (var files = Files.list(directory)) {
            assertEquals(0, files.count());
        }
    }

    private static Optional<PersistenceConfig.Login> login(ServerConfig config) {
        return assertInstanceOf(PersistenceConfig.Postgres.class, config.persistence())
                .login();
    }

    private static String shown(EffectiveConfig effective, String key) {
        return effective.entries().stream()
                .filter(e -> e.key().equals(key))
                .map(e -> e.value() + " " + e.origin())
                .findFirst()
                .orElseThrow();
    }
}
