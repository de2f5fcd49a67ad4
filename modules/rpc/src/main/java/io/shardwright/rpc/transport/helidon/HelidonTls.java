package io.shardwright.rpc.transport.helidon;

import io.helidon.common.configurable.Resource;
import io.helidon.common.pki.Keys;
import io.helidon.common.tls.Tls;
import io.helidon.common.tls.TlsClientAuth;
import io.helidon.common.tls.TlsConfig;
import io.shardwright.rpc.transport.TransportSecurity;
import io.shardwright.rpc.transport.TransportSecurity.ClientCertificate;
import io.shardwright.rpc.transport.TransportSecurity.MutualTls;
import io.shardwright.rpc.transport.TransportSecurity.Plaintext;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;

/** Reads the PEM files of a {@link TransportSecurity} into Helidon's form. */
final class HelidonTls {
    private HelidonTls() {}

    static Optional<Tls> tlsFor(TransportSecurity security) {
        return switch (security) {
            case Plaintext plaintext -> Optional.empty();
            case TransportSecurity.Tls tls ->
                Optional.of(server(tls.certificateChain(), tls.privateKey()).build());
            case MutualTls mutual ->
                Optional.of(server(mutual.certificateChain(), mutual.privateKey())
                        .trust(authorities(mutual.clientAuthorities()))
                        .clientAuth(clientAuth(mutual.clientCertificate()))
                        .build());
        };
    }

    private static List<X509Certificate> authorities(Path file) {
        return Keys.builder()
                .pem(pem -> pem.certificates(Resource.create(file)))
                .build()
                .certs();
    }

    private static TlsClientAuth clientAuth(ClientCertificate clientCertificate) {
        return switch (clientCertificate) {
            case REQUESTED -> TlsClientAuth.OPTIONAL;
            case REQUIRED -> TlsClientAuth.REQUIRED;
        };
    }

    private static TlsConfig.Builder server(Path chain, Path key) {
        Keys keys = Keys.builder()
                .pem(pem -> pem.certChain(Resource.create(chain)).key(Resource.create(key)))
                .build();
        return Tls.builder()
                .privateKey(keys.privateKey()
                        .orElseThrow(() -> new IllegalArgumentException(
                                "no private key in " + key + "; it must hold a PKCS#8 key in PEM form")))
                .privateKeyCertChain(keys.certChain());
    }
}
