package io.shardwright.cli.call;

import java.nio.file.Path;
import java.util.Optional;

/** How a connection to the server is protected. */
public sealed interface Security {
    /** Not at all. */
    record Plaintext() implements Security {}

    /**
     * With TLS.
     *
     * @param authorities PEM file with the authorities to trust; absent: those of the Java runtime
     * @param identity who we are; absent: the server is not told
     * @param serverName name that the server's certificate must carry; absent: the host of its address
     */
    record Tls(Optional<Path> authorities, Optional<Identity> identity, Optional<String> serverName)
            implements Security {}

    /**
     * A client certificate.
     *
     * @param certificate PEM file with the certificate chain
     * @param key PEM file with the PKCS#8 key, not encrypted
     */
    record Identity(Path certificate, Path key) {}
}
