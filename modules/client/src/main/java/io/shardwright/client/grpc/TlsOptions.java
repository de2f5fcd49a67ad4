package io.shardwright.client.grpc;

import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.handler.ssl.SslContextBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * How the connections to the shard manager are secured. Immutable; each method returns a copy.
 *
 * <p>Files are read when the client starts; {@link #applyTo} refuses files that are missing or hold no certificate.
 */
public final class TlsOptions {

    private final @Nullable Path trusted;
    private final @Nullable Path certificate;
    private final @Nullable Path key;
    private final @Nullable String serverName;

    private TlsOptions(
            @Nullable Path trusted, @Nullable Path certificate, @Nullable Path key, @Nullable String serverName) {
        this.trusted = trusted;
        this.certificate = certificate;
        this.key = key;
        this.serverName = serverName;
    }

    /** TLS that trusts the authorities of the Java installation. */
    public static TlsOptions systemTrust() {
        return new TlsOptions(null, null, null, null);
    }

    /**
     * TLS that trusts the authorities of one file alone.
     *
     * @param authorities PEM file with one certificate or more
     */
    public static TlsOptions trusting(Path authorities) {
        return new TlsOptions(authorities, null, null, null);
    }

    /**
     * Presents a client certificate (mutual TLS).
     *
     * @param chain PEM file with the certificate and its issuers
     * @param privateKey PEM file with the unencrypted PKCS#8 key
     */
    public TlsOptions clientCertificate(Path chain, Path privateKey) {
        return new TlsOptions(trusted, chain, privateKey, serverName);
    }

    /**
     * Expects this name in the server's certificate, on every connection (R39). Without it the name is the host of the
     * configured target, also for the leader whose address a standby named (R37); where the target is an address, it is
     * the one that is connected to.
     */
    public TlsOptions serverName(String name) {
        return new TlsOptions(trusted, certificate, key, name);
    }

    /** @param configuredName expected in the certificate unless a server name is set; empty: whoever is connected to */
    void applyTo(NettyChannelBuilder channel, String configuredName) {
        for (@Nullable Path file : new @Nullable Path[] {trusted, certificate, key}) {
            if (file != null && !Files.isReadable(file)) {
                throw new IllegalArgumentException("tls: cannot read " + file + "; check the path and its permissions");
            }
        }
        try {
            SslContextBuilder context = GrpcSslContexts.forClient();
            if (trusted != null) {
                context.trustManager(trusted.toFile());
            }
            if (certificate != null && key != null) {
                context.keyManager(certificate.toFile(), key.toFile());
            }
            channel.sslContext(context.build());
        } catch (SSLException | IllegalArgumentException e) {
            throw new IllegalArgumentException("tls: a certificate or key file is not usable: " + e.getMessage(), e);
        }
        String expected = serverName != null ? serverName : configuredName;
        if (!expected.isEmpty()) {
            channel.overrideAuthority(expected);
        }
    }

    @Override
    public String toString() {
        List<String> parts = List.of(
                "trusted=" + (trusted == null ? "system" : trusted),
                "client certificate=" + (certificate == null ? "none" : certificate),
                "server name=" + (serverName == null ? "as connected" : serverName));
        return String.join(", ", parts);
    }
}
