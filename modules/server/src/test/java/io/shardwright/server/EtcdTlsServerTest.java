package io.shardwright.server;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.shardwright.proto.v1.AdminServiceGrpc;
import io.shardwright.proto.v1.CreateNamespaceRequest;
import io.shardwright.proto.v1.Namespace;
import io.shardwright.proto.v1.NamespaceKind;
import io.shardwright.testkit.Authority;
import io.shardwright.testkit.Authority.Order;
import io.shardwright.testkit.Certificates;
import io.shardwright.testkit.Certificates.Pair;
import io.shardwright.testkit.EtcdUsers;
import io.shardwright.testkit.TestEtcd;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server on an etcd with TLS: what refuses its start, and what happens when certificates are renewed. */
final class EtcdTlsServerTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration DAY = Duration.ofDays(1);
    private static final Order HERE = Order.of("CN=etcd", "localhost", "127.0.0.1");

    private final Authority authority = Authority.create("CN=etcd authority");
    private final List<String> logged = new CopyOnWriteArrayList<>();
    private final Logger logger = Logger.getLogger("shardwright");
    private final Handler listener = new Handler() {
        @Override
        public void publish(LogRecord line) {
            logged.add(new SimpleFormatter().formatMessage(line));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @TempDir
    Path directory;

    @BeforeEach
    void listen() {
        logger.addHandler(listener);
    }

    @AfterEach
    void stopListening() {
        logger.removeHandler(listener);
    }

    private TestEtcd etcdThatAsks() {
        return TestEtcd.startTls(authority.issue(HERE), "--client-cert-auth", "--trusted-ca-file=" + authority.file());
    }

    private Server start(TestEtcd etcd, Map<String, String> more) throws Exception {
        Map<String, String> values = new TreeMap<>(Map.of(
                "persistence.etcd.retry-max-delay",
                "300ms",
                "persistence.etcd.tls.ca-cert-file",
                authority.file().toString()));
        values.putAll(more);
        return EtcdServers.start(etcd, directory, values);
    }

    private String refusal(TestEtcd etcd, Map<String, String> more) {
        String message = String.valueOf(assertThrows(StartFailedException.class, () -> start(etcd, more))
                .getMessage());
        assertTrue(message.startsWith("persistence.etcd.tls: "), message);
        return message;
    }

    /** Files at fixed places, as a mounted secret has them. */
    private Map<String, String> mounted(Pair pair) throws IOException {
        renew(pair);
        return Map.of(
                "persistence.etcd.tls.client-cert-file",
                        directory.resolve("tls.crt").toString(),
                "persistence.etcd.tls.client-key-file",
                        directory.resolve("tls.key").toString());
    }

    private void renew(Pair pair) throws IOException {
        Files.copy(pair.certificate(), directory.resolve("tls.crt"), StandardCopyOption.REPLACE_EXISTING);
        Files.copy(pair.key(), directory.resolve("tls.key"), StandardCopyOption.REPLACE_EXISTING);
    }

    private void awaitLogged(String words) {
        await().atMost(PATIENCE).until(() -> logged.stream().anyMatch(line -> line.contains(words)));
    }

    private static void awaitServing(Server server) {
        URI ready = URI.create("http://127.0.0.1:" + server.httpPort().getAsInt() + "/readyz");
        HttpClient http = HttpClient.newHttpClient();
        await().atMost(PATIENCE)
                .until(() -> http.send(HttpRequest.newBuilder(ready).build(), HttpResponse.BodyHandlers.ofString())
                        .body()
                        .contains("\"serving\""));
    }

    @Test
    @Tag("R40")
    @Tag("R47")
    void aServerServesOnAnEtcdThatAsksForItsCertificate() throws Exception {
        Pair client = authority.issue(Order.of("CN=shardwright"));
        try (TestEtcd etcd = etcdThatAsks();
                Server server = start(etcd, mounted(client))) {
            awaitServing(server);
        }
        awaitLogged("authority of etcd: CN=etcd authority, valid until 20");
        awaitLogged("certificate shown to etcd: CN=shardwright, valid until 20");
        assertTrue(
                logged.stream()
                        .anyMatch(line -> line.matches(".*CN=shardwright.* SHA-256 ([0-9A-F]{2}:){31}[0-9A-F]{2}")),
                logged::toString);
        assertFalse(logged.toString().contains("PRIVATE KEY"));
    }

    @Test
    @Tag("R54")
    void aHandshakeThatCannotSucceedRefusesTheStart() throws Exception {
        try (TestEtcd etcd = etcdThatAsks()) {
            assertTrue(refusal(etcd, mounted(Certificates.STRANGER.pair())).contains("client-cert-file"));
            assertTrue(refusal(
                            etcd,
                            Map.of(
                                    "persistence.etcd.tls.ca-cert-file",
                                    Certificates.SERVER.pair().certificate().toString()))
                    .contains("ca-cert-file"));
            assertTrue(refusal(etcd, Map.of("persistence.etcd.tls.server-name", "etcd.example.org"))
                    .contains("server-name"));
        }
    }

    @Test
    @Tag("R56")
    void anExpiredCertificateOfEtcdIsWaitedForAndItsEndIsSaid() throws Exception {
        Pair valid = authority.issue(HERE);
        Pair pair = authority.issue(HERE.valid(DAY.multipliedBy(-2), DAY.negated()));
        try (TestEtcd etcd = TestEtcd.startTls(pair);
                Server server = start(etcd, Map.of())) {
            awaitLogged("the certificate of etcd has expired: NotAfter: ");
            long said = logged.size();
            await().atMost(PATIENCE).until(() -> logged.size() > said + 1);
            // etcd reads its files at each handshake.
            Files.copy(valid.certificate(), pair.certificate(), StandardCopyOption.REPLACE_EXISTING);
            Files.copy(valid.key(), pair.key(), StandardCopyOption.REPLACE_EXISTING);
            awaitServing(server);
        }
    }

    @Test
    @Tag("R58")
    @Tag("R59")
    @Tag("R60")
    @Tag("R61")
    void renewedFilesAreTakenWhenEtcdAcceptsThemAndNotBefore() throws Exception {
        try (TestEtcd etcd = etcdThatAsks();
                Server server = start(etcd, mounted(authority.issue(Order.of("CN=shardwright"))))) {
            awaitServing(server);
            renew(Certificates.STRANGER.pair());
            awaitLogged("new certificates are not taken, the old ones stay in use: Refused");
            Files.writeString(directory.resolve("tls.key"), "half wri");
            awaitLogged("the files of persistence.etcd.tls cannot be used now: holds no private key");
            renew(authority.issue(Order.of("CN=shardwright, O=renewed")));
            awaitLogged("renewed certificates are used from now on");
            awaitLogged("certificate shown to etcd: CN=shardwright, O=renewed, valid until");
            etcd.kill();
            etcd.restart(); // every connection is made anew
            awaitServing(server);
            assertFalse(server.failed().isDone());
        }
    }

    @Test
    @Tag("R63")
    void whatTheConfigurationItselfHoldsIsNotReadAgain() throws Exception {
        Pair client = authority.issue(Order.of("CN=shardwright"));
        java.util.Base64.Encoder base64 = java.util.Base64.getEncoder();
        Map<String, String> inline = Map.of(
                "persistence.etcd.tls.client-cert", base64.encodeToString(Files.readAllBytes(client.certificate())),
                "persistence.etcd.tls.client-key", base64.encodeToString(Files.readAllBytes(client.key())));
        try (TestEtcd etcd = etcdThatAsks();
                Server server = start(etcd, inline)) {
            Files.delete(client.certificate());
            Files.delete(client.key());
            awaitServing(server);
            assertDoesNotThrow(() -> Thread.sleep(700)); // two rounds
        }
        assertEquals(
                List.of(),
                logged.stream().filter(line -> line.contains("cannot be used")).toList());
    }

    @Test
    @Tag("R65")
    @Tag("R66")
    @Tag("R71")
    @Tag("B3")
    void aUserWithAPasswordFileServesWhereItsRoleReachesAndElsewhereRefusesTheStart() throws Exception {
        Pair client = authority.issue(Order.of("CN=shardwright"));
        try (TestEtcd etcd = etcdThatAsks();
                EtcdUsers users = EtcdUsers.enable(etcd, authority.file(), client, "/mine/", "shards")) {
            Map<String, String> user = new TreeMap<>(mounted(client));
            user.put("persistence.etcd.username", "shards");
            Path password = directory.resolve("password");
            user.put("persistence.etcd.password-file", password.toString());
            Files.writeString(password, EtcdUsers.password("shards") + "\n");
            user.put("persistence.key-prefix", "/mine/");
            try (Server server = start(etcd, user)) {
                awaitServing(server);
                users.changePassword("shards", "new"); // which ends its tokens
                Files.writeString(password, "new\n");
                createNamespace(server);
                users.changePassword("shards", EtcdUsers.password("shards"));
            }
            assertDenied(etcd, with(user, "persistence.key-prefix", "/theirs/"), "/theirs/");
            Files.writeString(password, EtcdUsers.password("shards") + "\n\n");
            assertDenied(etcd, user, "username = shards");
            assertFalse(logged.toString().contains(EtcdUsers.password("shards")), "R67");
        }
    }

    @Test
    @Tag("R55")
    void aServerWithoutAUserIsRefusedByAnEtcdThatAsksForOne() throws Exception {
        // The name on the certificate is that of no user.
        Pair client = authority.issue(Order.of("CN=stranger"));
        try (TestEtcd etcd = etcdThatAsks();
                EtcdUsers users = EtcdUsers.enable(etcd, authority.file(), client, "/shardwright/", "shards")) {
            assertDenied(etcd, mounted(client), "for which no persistence.etcd.username is set");
        }
    }

    @Test
    @Tag("R72")
    void theUserMayBeTheNameOnTheCertificate() throws Exception {
        Pair client = authority.issue(Order.of("CN=shards"));
        try (TestEtcd etcd = etcdThatAsks();
                EtcdUsers users = EtcdUsers.enable(etcd, authority.file(), client, "/shardwright/", "shards");
                Server server = start(etcd, mounted(client))) {
            awaitServing(server);
        }
    }

    /** Writes to etcd. */
    private static void createNamespace(Server server) {
        ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", server.grpcPort())
                .usePlaintext()
                .build();
        try {
            await().atMost(PATIENCE)
                    .ignoreExceptions()
                    .until(() -> AdminServiceGrpc.newBlockingStub(channel)
                            .createNamespace(CreateNamespaceRequest.newBuilder()
                                    .setNamespace(Namespace.newBuilder()
                                            .setName("another")
                                            .setKind(NamespaceKind.NAMESPACE_KIND_EPHEMERAL))
                                    .build())
                            .hasNamespace());
        } finally {
            channel.shutdownNow();
        }
    }

    private static Map<String, String> with(Map<String, String> values, String key, String value) {
        Map<String, String> changed = new TreeMap<>(values);
        changed.put(key, value);
        return changed;
    }

    private void assertDenied(TestEtcd etcd, Map<String, String> more, String words) {
        String message = String.valueOf(assertThrows(StartFailedException.class, () -> start(etcd, more))
                .getMessage());
        assertTrue(message.startsWith("persistence.etcd: ") && message.contains(words), message);
        assertTrue(message.contains("etcdctl role grant-permission ROLE readwrite --prefix "), message);
    }
}
