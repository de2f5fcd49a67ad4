package io.shardwright.rpc.transport;

import java.nio.file.Path;

/** How a connection is protected. All files are PEM; they are read when the endpoint starts. */
public sealed interface TransportSecurity {

    /** No protection: for loopback, tests and networks that protect themselves. */
    record Plaintext() implements TransportSecurity {}

    /**
     * The server shows a certificate; clients need none.
     *
     * @param certificateChain the server's certificate, then its intermediates
     * @param privateKey its PKCS#8 key, not encrypted
     */
    record Tls(Path certificateChain, Path privateKey) implements TransportSecurity {}

    /**
     * Both sides show a certificate; {@link Peer} then says who called.
     *
     * @param certificateChain the server's certificate, then its intermediates
     * @param privateKey its PKCS#8 key, not encrypted
     * @param clientAuthorities the authorities that sign client certificates
     * @param clientCertificate whether a client without one is turned away
     */
    record MutualTls(
            Path certificateChain, Path privateKey, Path clientAuthorities, ClientCertificate clientCertificate)
            implements TransportSecurity {}

    /** Whether a client must show a certificate. */
    enum ClientCertificate {
        /** A client without a certificate is accepted as {@link Peer.Anonymous}. */
        REQUESTED,
        /** A client without a certificate fails its handshake. */
        REQUIRED
    }
}
