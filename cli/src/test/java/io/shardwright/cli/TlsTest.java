package io.shardwright.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ServerCredentials;
import io.grpc.TlsServerCredentials;
import io.shardwright.proto.v1.ListNamespacesResponse;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS both ways, with a certificate that the JDK's keytool makes. */
final class TlsTest {
    private static final String PASSWORD = "changeit";

    @TempDir
    Path directory;

    private Path certificate = Path.of("");
    private Path key = Path.of("");

    @BeforeEach
    void makeCertificate() throws IOException, InterruptedException, GeneralSecurityException {
        Path store = directory.resolve("store.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "it",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=shardwright.test",
                        "-validity",
                        "2",
                        "-ext",
                        "san=dns:shardwright.test",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertTrue(keytool.waitFor(60, TimeUnit.SECONDS) && keytool.exitValue() == 0, said);
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        certificate = pem("CERTIFICATE", keys.getCertificate("it").getEncoded());
        key = pem("PRIVATE KEY", keys.getKey("it", PASSWORD.toCharArray()).getEncoded());
    }

    @Test
    void aServerThatAsksForACertificateIsReached() throws IOException {
        ServerCredentials mutual = TlsServerCredentials.newBuilder()
                .keyManager(certificate.toFile(), key.toFile())
                .trustManager(certificate.toFile())
                .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE)
                .build();
        try (FakeServer server = new FakeServer(mutual)) {
            server.answer(ListNamespacesResponse.getDefaultInstance());
            Run run = Run.of(
                    "-a",
                    server.address(),
                    "--tls",
                    "--ca-cert",
                    certificate.toString(),
                    "--cert",
                    certificate.toString(),
                    "--key",
                    key.toString(),
                    "--server-name",
                    "shardwright.test",
                    "namespace",
                    "list");
            assertEquals(0, run.exitCode(), run.err());

            Run anonymous = Run.of(
                    "-a",
                    server.address(),
                    "--tls",
                    "--ca-cert",
                    certificate.toString(),
                    "--server-name",
                    "shardwright.test",
                    "namespace",
                    "list");
            assertEquals(4, anonymous.exitCode(), anonymous.err());
        }
    }

    @Test
    void aCertificateForAnotherNameIsRefusedAndTheOptionsAreNamed() throws IOException {
        ServerCredentials tls = TlsServerCredentials.create(certificate.toFile(), key.toFile());
        try (FakeServer server = new FakeServer(tls)) {
            Run run = Run.of("-a", server.address(), "--tls", "--ca-cert", certificate.toString(), "namespace", "list");
            assertEquals(4, run.exitCode(), run.err());
            assertTrue(run.err().contains("--server-name"), run.err());
        }
    }

    private Path pem(String type, byte[] der) throws IOException {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return Files.writeString(
                directory.resolve(type.replace(' ', '-')),
                "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n");
    }
}
