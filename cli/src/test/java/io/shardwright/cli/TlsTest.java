package io.shardwright.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ServerCredentials;
import io.grpc.TlsServerCredentials;
import io.shardwright.proto.v1.ListNamespacesResponse;
import io.shardwright.testkit.Certificates;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** TLS both ways, with a certificate that the JDK's keytool makes. */
final class TlsTest {
    private Path certificate = Path.of("");
    private Path key = Path.of("");

    @BeforeEach
    void makeCertificate() throws Exception {
        Certificates.Pair pair = Certificates.ELSEWHERE.pair();
        certificate = pair.certificate();
        key = pair.key();
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
}
