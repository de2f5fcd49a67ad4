package io.shardwright.persistence.etcd;

import static io.shardwright.persistence.StoreCalls.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.domain.Outcome;
import io.shardwright.persistence.Backend;
import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.KeyRange;
import io.shardwright.persistence.RangeRequest;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.StoreCalls;
import io.shardwright.testkit.Authority;
import io.shardwright.testkit.Authority.Order;
import io.shardwright.testkit.Certificates;
import io.shardwright.testkit.TestEtcd;
import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** TLS towards a real etcd: what is accepted, what is not, and how one learns why. */
final class EtcdTlsTest {

    private static final Bytes A = Bytes.utf8("a");
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Order HERE = Order.of("CN=etcd", "localhost", "127.0.0.1");

    private final Authority authority = Authority.create("CN=etcd authority");
    private final Backend backend = Backend.real();
    private final List<AutoCloseable> open = new ArrayList<>(List.of(backend));

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
    }

    private TestEtcd etcd(Order server, String... flags) {
        TestEtcd etcd = TestEtcd.startTls(authority.issue(server), flags);
        open.add(etcd);
        return etcd;
    }

    private TestEtcd etcdThatAsks() {
        return etcd(HERE, "--client-cert-auth", "--trusted-ca-file=" + authority.file());
    }

    private static EtcdTls.Material trusting(Authority authority) throws Exception {
        return new EtcdTls.Material(certificates(authority.file()), Optional.empty());
    }

    private EtcdTls.Material showing(Certificates.Pair client) throws Exception {
        return new EtcdTls.Material(certificates(authority.file()), Optional.of(identity(client)));
    }

    private static EtcdTls.Identity identity(Certificates.Pair client) throws Exception {
        String key = Files.readString(client.key()).replaceAll("-----[A-Z ]+-----|\\s", "");
        return new EtcdTls.Identity(
                certificates(client.certificate()),
                KeyFactory.getInstance("EC")
                        .generatePrivate(
                                new PKCS8EncodedKeySpec(Base64.getDecoder().decode(key))));
    }

    private static List<X509Certificate> certificates(Path file) throws IOException, GeneralSecurityException {
        try (InputStream in = Files.newInputStream(file)) {
            return CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
                    .map(X509Certificate.class::cast)
                    .toList();
        }
    }

    private static EtcdTls tls(EtcdTls.Material material) throws GeneralSecurityException {
        return EtcdTls.of(material, Optional.empty());
    }

    private static EtcdHandshake handshake(TestEtcd etcd, EtcdTls tls) {
        return EtcdHandshake.with(URI.create(etcd.endpoint()), tls, TIMEOUT);
    }

    private StoreCalls store(TestEtcd etcd, EtcdTls tls) {
        Store store =
                EtcdStore.open(EtcdSettings.of(List.of(URI.create(etcd.endpoint())), Optional.of(tls)), backend.loop());
        open.add(store);
        return new StoreCalls(backend, store);
    }

    private static boolean answers(StoreCalls calls) {
        return calls.range(RangeRequest.of(KeyRange.single(A))) instanceof Outcome.Success;
    }

    private static String refusal(EtcdHandshake handshake) {
        return assertInstanceOf(EtcdHandshake.Refused.class, handshake).why();
    }

    @Test
    @Tag("R40")
    void anEtcdWithTlsIsReadAndWritten() throws Exception {
        TestEtcd etcd = etcd(HERE);
        EtcdTls tls = tls(trusting(authority));
        assertEquals(new EtcdHandshake.Accepted(), handshake(etcd, tls));
        StoreCalls calls = store(etcd, tls);
        assertTrue(calls.waitUntil(() -> answers(calls)));
        calls.write(put(A, "1"));
        assertEquals("1", calls.get(A).orElseThrow().value().toUtf8());
    }

    @Test
    @Tag("R40")
    void anEtcdThatAsksForACertificateTakesOneOfItsAuthorityOnly() throws Exception {
        TestEtcd etcd = etcdThatAsks();
        EtcdTls known = tls(showing(authority.issue(Order.of("CN=shardwright"))));
        assertEquals(new EtcdHandshake.Accepted(), handshake(etcd, known));
        StoreCalls calls = store(etcd, known);
        assertTrue(calls.waitUntil(() -> answers(calls)));

        EtcdTls nobody = tls(trusting(authority));
        String why = refusal(handshake(etcd, nobody));
        assertTrue(why.contains("bad_certificate") || why.contains("certificate_required"), why);
        EtcdTls stranger = tls(showing(Certificates.STRANGER.pair()));
        String other = refusal(handshake(etcd, stranger));
        assertTrue(other.contains("bad_certificate") || other.contains("unknown_ca"), other);
        assertFalse(answers(store(etcd, stranger)));
    }

    @Test
    void anEtcdOfAnotherAuthorityIsNotTrusted() throws Exception {
        TestEtcd etcd = etcd(HERE);
        EtcdTls other = tls(trusting(Authority.create("CN=another authority")));
        assertTrue(
                refusal(handshake(etcd, other)).contains("certification path"),
                () -> handshake(etcd, other).toString());
        assertFalse(answers(store(etcd, other)));
    }

    @Test
    @Tag("R45")
    void theNameOfTheCertificateIsThatOfTheEndpointOrTheOneThatIsSet() throws Exception {
        TestEtcd etcd = etcd(Order.of("CN=etcd", "etcd.example.org"));
        EtcdTls byEndpoint = tls(trusting(authority));
        assertTrue(
                refusal(handshake(etcd, byEndpoint)).contains("127.0.0.1"),
                () -> handshake(etcd, byEndpoint).toString());
        assertFalse(answers(store(etcd, byEndpoint)));

        EtcdTls byName = EtcdTls.of(trusting(authority), Optional.of("etcd.example.org"));
        assertEquals(new EtcdHandshake.Accepted(), handshake(etcd, byName));
        StoreCalls calls = store(etcd, byName);
        assertTrue(calls.waitUntil(() -> answers(calls)));
    }

    @Test
    void anEndpointWithoutTlsIsToldFromOneThatDoesNotAnswer() throws Exception {
        EtcdTls tls = tls(trusting(authority));
        try (TestEtcd plain = TestEtcd.start()) {
            URI asTls = URI.create(plain.endpoint().replace("http:", "https:"));
            refusal(EtcdHandshake.with(asTls, tls, TIMEOUT));
        }
        URI nobody;
        try (ServerSocket taken = new ServerSocket(0)) {
            nobody = URI.create("https://127.0.0.1:" + taken.getLocalPort());
            assertInstanceOf(EtcdHandshake.NoAnswer.class, EtcdHandshake.with(nobody, tls, Duration.ofMillis(300)));
        }
        assertInstanceOf(EtcdHandshake.NoAnswer.class, EtcdHandshake.with(nobody, tls, TIMEOUT));
    }

    @Test
    @Tag("R56")
    void anExpiredCertificateOfEtcdIsToldFromOneThatIsWrong() throws Exception {
        TestEtcd etcd = etcd(HERE.valid(Duration.ofDays(-2), Duration.ofDays(-1)));
        EtcdTls tls = tls(trusting(authority));
        EtcdHandshake.NotValidNow waits = assertInstanceOf(EtcdHandshake.NotValidNow.class, handshake(etcd, tls));
        assertTrue(waits.why().contains("NotAfter"), waits::why);
        assertFalse(answers(store(etcd, tls)));
        TestEtcd early = etcd(HERE.valid(Duration.ofDays(1), Duration.ofDays(2)));
        assertInstanceOf(EtcdHandshake.NotValidNow.class, handshake(early, tls));
    }

    @Test
    @Tag("R57")
    void aRenewedCertificateIsShownByNewConnectionsAndOpenOnesGoOn() throws Exception {
        TestEtcd etcd = etcdThatAsks();
        EtcdTls tls = tls(showing(authority.issue(Order.of("CN=shardwright"))));
        StoreCalls before = store(etcd, tls);
        assertTrue(before.waitUntil(() -> answers(before)));

        tls.replace(showing(Certificates.STRANGER.pair()));
        refusal(handshake(etcd, tls));
        assertTrue(answers(before), "the connection is open");

        tls.replace(showing(authority.issue(Order.of("CN=shardwright, O=renewed"))));
        assertEquals(new EtcdHandshake.Accepted(), handshake(etcd, tls));
        StoreCalls after = store(etcd, tls);
        assertTrue(after.waitUntil(() -> answers(after)));
    }
}
