package io.shardwright.server.etcd;

import io.shardwright.persistence.etcd.EtcdTls;
import io.shardwright.persistence.etcd.EtcdTls.Material;
import io.shardwright.server.config.Pem;
import io.shardwright.server.config.Pem.PemException;
import io.shardwright.server.config.PemItem;
import io.shardwright.server.config.PersistenceConfig;
import io.shardwright.server.config.PersistenceConfig.ClientCertificate;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * The texts of the certificates and the key, at one time.
 *
 * @param texts as they were read
 */
record TlsItems(PersistenceConfig.EtcdTls texts) {

    /** Reads the files again; what the configuration itself holds stays (R63). */
    TlsItems readAgain() throws IOException {
        Optional<ClientCertificate> client = Optional.empty();
        if (texts.clientCertificate().isPresent()) {
            ClientCertificate before = texts.clientCertificate().get();
            client = Optional.of(new ClientCertificate(
                    before.certificate().readAgain(), before.key().readAgain()));
        }
        return new TlsItems(new PersistenceConfig.EtcdTls(texts.ca().readAgain(), client, texts.serverName()));
    }

    /** Parses the texts; refuses what the configuration would refuse at a start. */
    Material material() throws PemException {
        Instant now = Instant.now();
        List<X509Certificate> authorities = Pem.authorities(text(texts.ca()), now);
        Optional<EtcdTls.Identity> identity = Optional.empty();
        if (texts.clientCertificate().isPresent()) {
            ClientCertificate client = texts.clientCertificate().get();
            List<X509Certificate> chain = Pem.chain(text(client.certificate()), now);
            PrivateKey key = Pem.key(text(client.key()));
            Pem.requireBelonging(key, chain.get(0), client.certificate().key());
            identity = Optional.of(new EtcdTls.Identity(chain, key));
        }
        return new Material(authorities, identity);
    }

    private static String text(PemItem item) {
        return item.pem().reveal();
    }

    /** Says who each certificate is of, when it ends, and its fingerprint (R47). */
    static List<String> describe(Material material) {
        List<String> lines = new ArrayList<>();
        material.authorities().forEach(each -> lines.add("authority of etcd: " + describe(each)));
        material.identity()
                .ifPresent(
                        own -> own.chain().forEach(each -> lines.add("certificate shown to etcd: " + describe(each))));
        return lines;
    }

    private static String describe(X509Certificate certificate) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
            return certificate.getSubjectX500Principal() + ", valid until "
                    + certificate.getNotAfter().toInstant() + ", SHA-256 "
                    + HexFormat.ofDelimiter(":").withUpperCase().formatHex(digest);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a certificate that was read cannot be written", e);
        }
    }
}
