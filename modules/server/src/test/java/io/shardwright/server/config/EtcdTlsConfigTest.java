package io.shardwright.server.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.testkit.Authority;
import io.shardwright.testkit.Authority.KeyForm;
import io.shardwright.testkit.Authority.Order;
import io.shardwright.testkit.Certificates.Pair;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Certificates and keys for etcd: each is read once, from a file or inline, and refused by its name if it will not do.
 */
final class EtcdTlsConfigTest {

    private static final Order SHARDS = Order.of("CN=shardwright");
    private static final Duration DAY = Duration.ofDays(1);

    private final Authority authority = Authority.create("CN=etcd authority");

    @TempDir
    Path directory;

    private TestInputs inputs() {
        return TestInputs.in(directory)
                .flag("persistence.type", "etcd")
                .flag("persistence.etcd.endpoints", "https://a:1")
                .flag("grpc.advertised-host", "10.0.0.7");
    }

    private TestInputs withFiles(Path ca, Path certificate, Path key) {
        return inputs().flag("persistence.etcd.tls.ca-cert-file", ca.toString())
                .flag("persistence.etcd.tls.client-cert-file", certificate.toString())
                .flag("persistence.etcd.tls.client-key-file", key.toString());
    }

    private static PersistenceConfig.EtcdTls tls(TestInputs inputs) throws Exception {
        return assertInstanceOf(PersistenceConfig.Etcd.class, inputs.config().persistence())
                .tls()
                .orElseThrow();
    }

    private static String onlyFault(TestInputs inputs) {
        List<String> faults = inputs.faults();
        assertEquals(1, faults.size(), faults::toString);
        return faults.getFirst();
    }

    private static String base64(Path file) throws IOException {
        return Base64.getEncoder().encodeToString(Files.readAllBytes(file));
    }

    @ParameterizedTest
    @CsvSource({"EC,PKCS8", "EC,TRADITIONAL", "RSA,PKCS8", "RSA,TRADITIONAL"})
    @Tag("R43")
    @Tag("R44")
    void aKeyMayBeInAnyOfTheUsualForms(String algorithm, KeyForm form) throws Exception {
        Pair client = authority.issue(SHARDS.key(algorithm, form));
        PersistenceConfig.EtcdTls tls = tls(withFiles(authority.file(), client.certificate(), client.key()));
        PemItem key = tls.clientCertificate().orElseThrow().key();
        assertEquals(algorithm, Pem.key(key.pem().reveal()).getAlgorithm());
        assertEquals("persistence.etcd.tls.client-key-file", key.key());
    }

    @Test
    @Tag("R42")
    @Tag("R43")
    void eachItemMayStandInTheConfigurationItself() throws Exception {
        Pair client = authority.issue(SHARDS);
        TestInputs inputs = inputs().flag("persistence.etcd.tls.ca-cert", base64(authority.file()))
                .flag("persistence.etcd.tls.client-cert", base64(client.certificate()))
                .env("SHARDWRIGHT__PERSISTENCE__ETCD__TLS__CLIENT_KEY", base64(client.key()))
                .flag("persistence.etcd.tls.server-name", "etcd.example.org");
        PersistenceConfig.EtcdTls tls = tls(inputs);
        assertEquals(
                Files.readString(client.key()),
                tls.clientCertificate().orElseThrow().key().pem().reveal());
        assertEquals("etcd.example.org", tls.serverName().orElseThrow());
        String shown = inputs.loaded().effective().table() + inputs.config();
        assertFalse(shown.contains(base64(client.key())), shown);
        assertFalse(shown.contains("PRIVATE KEY"), shown);
    }

    @Test
    @Tag("R42")
    void anItemIsNotGivenTwice() throws Exception {
        String fault = onlyFault(inputs().flag(
                        "persistence.etcd.tls.ca-cert-file", authority.file().toString())
                .flag("persistence.etcd.tls.ca-cert", base64(authority.file())));
        assertTrue(fault.contains("may not be set together with persistence.etcd.tls.ca-cert."), fault);
    }

    @Test
    @Tag("R42")
    void whatIsNotPemInBase64IsRefusedWithoutBeingShown() throws Exception {
        Pair client = authority.issue(SHARDS);
        for (String bad : List.of(
                Files.readString(client.key()).strip().replace("\n", " "),
                Base64.getEncoder().encodeToString("hush-hush".getBytes(java.nio.charset.StandardCharsets.UTF_8)))) {
            String fault = onlyFault(inputs().flag("persistence.etcd.tls.ca-cert", base64(authority.file()))
                    .flag("persistence.etcd.tls.client-cert", base64(client.certificate()))
                    .flag("persistence.etcd.tls.client-key", bad));
            assertTrue(fault.contains("must be PEM text in Base64"), fault);
            assertFalse(fault.contains(bad), fault);
        }
    }

    @Test
    @Tag("R48")
    void anItemThatCannotBeReadIsNamed() throws Exception {
        Pair client = authority.issue(SHARDS);
        Path gone = directory.resolve("gone");
        assertTrue(onlyFault(withFiles(gone, client.certificate(), client.key()))
                .contains("persistence.etcd.tls.ca-cert-file = " + gone
                        + " (flag --set): must be a file that this user may read."));
        assertTrue(onlyFault(withFiles(authority.file(), client.certificate(), directory))
                .contains("persistence.etcd.tls.client-key-file = " + directory
                        + " (flag --set): must be a file that this user may read."));
    }

    @Test
    @Tag("R49")
    void anItemThatHoldsSomethingElseIsNamed() throws Exception {
        Pair client = authority.issue(SHARDS);
        assertTrue(onlyFault(withFiles(client.key(), client.certificate(), client.key()))
                .contains("ca-cert-file = " + client.key() + " (flag --set): holds no certificate"));
        assertTrue(onlyFault(withFiles(authority.file(), client.key(), client.key()))
                .contains("client-cert-file = " + client.key() + " (flag --set): holds no certificate"));
        assertTrue(onlyFault(withFiles(authority.file(), client.certificate(), client.certificate()))
                .contains("client-key-file = " + client.certificate() + " (flag --set): holds no private key"));
        Path half = directory.resolve("half.key");
        String key = Files.readString(client.key());
        Files.writeString(half, key.substring(0, key.length() / 2));
        assertTrue(onlyFault(withFiles(authority.file(), client.certificate(), half))
                .contains("client-key-file = " + half + " (flag --set): holds no private key"));
    }

    @Test
    @Tag("R50")
    void anEncryptedKeyIsRefusedWithTheWayToDecryptIt() {
        Pair client = authority.issue(SHARDS.key("RSA", KeyForm.ENCRYPTED));
        String fault = onlyFault(withFiles(authority.file(), client.certificate(), client.key()));
        assertTrue(fault.contains("client-key-file = " + client.key()), fault);
        assertTrue(fault.contains("holds an encrypted private key") && fault.contains("openssl pkey"), fault);
    }

    @Test
    @Tag("R51")
    void aKeyOfAnotherCertificateIsRefused() {
        Pair client = authority.issue(SHARDS);
        for (Pair other : List.of(authority.issue(SHARDS), authority.issue(SHARDS.key("RSA", KeyForm.PKCS8)))) {
            String fault = onlyFault(withFiles(authority.file(), client.certificate(), other.key()));
            assertTrue(
                    fault.contains("is not the key of the certificate of persistence.etcd.tls.client-cert-file."),
                    fault);
        }
    }

    @Test
    @Tag("R52")
    void aClientCertificateOutsideOfItsTimeIsRefused() {
        Pair over = authority.issue(SHARDS.valid(DAY.multipliedBy(-2), DAY.negated()));
        String fault = onlyFault(withFiles(authority.file(), over.certificate(), over.key()));
        assertTrue(fault.contains("holds a certificate that expired on 20"), fault);
        Pair early = authority.issue(SHARDS.valid(DAY, DAY.multipliedBy(2)));
        String other = onlyFault(withFiles(authority.file(), early.certificate(), early.key()));
        assertTrue(other.contains("holds a certificate that is not valid before 20"), other);
    }

    @Test
    @Tag("R53")
    void oneValidAuthorityAmongExpiredOnesIsEnough() throws Exception {
        Authority expired = Authority.create(Order.of("CN=old authority").valid(DAY.multipliedBy(-2), DAY.negated()));
        TestInputs old = inputs().flag(
                        "persistence.etcd.tls.ca-cert-file", expired.file().toString());
        assertTrue(onlyFault(old).contains("holds only certificates that have expired, the first on 20"));
        Path both = Files.writeString(
                directory.resolve("both.pem"), Files.readString(expired.file()) + Files.readString(authority.file()));
        assertEquals(
                Files.readString(both),
                tls(inputs().flag("persistence.etcd.tls.ca-cert-file", both.toString()))
                        .ca()
                        .pem()
                        .reveal());
    }
}
