package io.shardwright.persistence.etcd;

import io.grpc.util.AdvancedTlsX509KeyManager;
import io.grpc.util.AdvancedTlsX509TrustManager;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.TrustManager;

/**
 * TLS towards etcd: whom to trust, and what to show. Thread-safe.
 *
 * <p>What was given can be {@linkplain #replace replaced} at any time, which is what a renewed certificate needs:
 * connections that are open go on, and later ones use the new material (R57).
 */
public final class EtcdTls {

    private final AdvancedTlsX509TrustManager trust;
    private final Optional<AdvancedTlsX509KeyManager> keys;
    private final Optional<String> serverName;

    /**
     * Certificates and key.
     *
     * @param authorities who signs the certificates of etcd's members; at least one
     * @param identity what this process shows to etcd, if etcd asks for it
     */
    public record Material(List<X509Certificate> authorities, Optional<Identity> identity) {
        public Material {
            authorities = List.copyOf(authorities);
        }
    }

    /**
     * A certificate and its key.
     *
     * @param chain the certificate, then those that lead to its authority
     */
    public record Identity(List<X509Certificate> chain, PrivateKey key) {
        public Identity {
            chain = List.copyOf(chain);
        }

        @Override
        public String toString() {
            return chain.get(0).getSubjectX500Principal().toString();
        }
    }

    private EtcdTls(Optional<AdvancedTlsX509KeyManager> keys, Optional<String> serverName)
            throws GeneralSecurityException {
        this.trust = AdvancedTlsX509TrustManager.newBuilder().build();
        this.keys = keys;
        this.serverName = serverName;
    }

    /**
     * Prepares TLS.
     *
     * @param serverName the name that etcd's certificates must have; empty: the host of the endpoint (R45)
     * @throws GeneralSecurityException when the Java runtime cannot use the material
     */
    public static EtcdTls of(Material material, Optional<String> serverName) throws GeneralSecurityException {
        EtcdTls tls = new EtcdTls(material.identity().map(identity -> new AdvancedTlsX509KeyManager()), serverName);
        tls.replace(material);
        return tls;
    }

    /**
     * Uses other certificates for each connection that is made from now on. An identity is shown only where there was
     * one from the start.
     *
     * @throws GeneralSecurityException when the Java runtime cannot use the material
     */
    public void replace(Material material) throws GeneralSecurityException {
        try {
            trust.updateTrustCredentials(material.authorities().toArray(new X509Certificate[0]));
        } catch (IOException e) {
            throw new GeneralSecurityException("the certificates of the authorities cannot be used", e);
        }
        keys.ifPresent(manager -> material.identity()
                .ifPresent(identity -> manager.updateIdentityCredentials(
                        identity.chain().toArray(new X509Certificate[0]), identity.key())));
    }

    Optional<String> serverName() {
        return serverName;
    }

    TrustManager trustManager() {
        return trust;
    }

    Optional<KeyManager> keyManager() {
        return keys.map(KeyManager.class::cast);
    }
}
