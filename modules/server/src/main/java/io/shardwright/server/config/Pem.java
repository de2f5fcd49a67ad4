package io.shardwright.server.config;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.List;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.openssl.PEMEncryptedKeyPair;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.pkcs.PKCS8EncryptedPrivateKeyInfo;
import org.jspecify.annotations.Nullable;

/** Reads certificates and keys from PEM text, and says what is wrong with them. */
public final class Pem {

    /** What a text breaks, as the sentence that follows the name of its setting, and what to do. */
    public static final class PemException extends Exception {
        private static final long serialVersionUID = 1L;

        private final String remedy;

        PemException(String rule, String remedy) {
            super(rule);
            this.remedy = remedy;
        }

        String rule() {
            return String.valueOf(getMessage());
        }

        String remedy() {
            return remedy;
        }
    }

    private Pem() {}

    /** Returns the certificates of a text, at least one. */
    public static List<X509Certificate> certificates(String text) throws PemException {
        try {
            List<X509Certificate> found = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1)))
                    .stream()
                    .map(X509Certificate.class::cast)
                    .toList();
            if (!found.isEmpty()) {
                return found;
            }
        } catch (GeneralSecurityException e) {
            // Said below: the words of the parser help nobody.
        }
        throw new PemException(
                "holds no certificate that can be read.", "Give it in PEM form, with -----BEGIN CERTIFICATE-----.");
    }

    /** Returns the authorities of a text, of which at least one is valid (R53). */
    public static List<X509Certificate> authorities(String text, Instant now) throws PemException {
        List<X509Certificate> found = certificates(text);
        if (found.stream().allMatch(each -> each.getNotAfter().toInstant().isBefore(now))) {
            throw new PemException(
                    "holds only certificates that have expired, the first on " + end(found.get(0)) + ".",
                    "Give the authority that signs now, or check the clock of this machine.");
        }
        return found;
    }

    /** Returns a certificate, which is valid, and those behind it (R52). */
    public static List<X509Certificate> chain(String text, Instant now) throws PemException {
        List<X509Certificate> found = certificates(text);
        X509Certificate own = found.get(0);
        if (own.getNotAfter().toInstant().isBefore(now)) {
            throw new PemException(
                    "holds a certificate that expired on " + end(own) + ".",
                    "Renew it, or check the clock of this machine.");
        }
        if (own.getNotBefore().toInstant().isAfter(now)) {
            throw new PemException(
                    "holds a certificate that is not valid before "
                            + own.getNotBefore().toInstant() + ".",
                    "Wait, give the one that is valid now, or check the clock of this machine.");
        }
        return found;
    }

    private static Instant end(X509Certificate certificate) {
        return certificate.getNotAfter().toInstant();
    }

    /** Returns the private key of a text: PKCS#8, PKCS#1 or SEC1, not encrypted (R44, R50). */
    public static PrivateKey key(String text) throws PemException {
        try (PEMParser parser = new PEMParser(new StringReader(text))) {
            for (@Nullable Object next = parser.readObject(); next != null; next = parser.readObject()) {
                switch (next) {
                    case PrivateKeyInfo info -> {
                        return privateKey(info);
                    }
                    case PEMKeyPair pair -> {
                        return privateKey(pair.getPrivateKeyInfo());
                    }
                    case PKCS8EncryptedPrivateKeyInfo encrypted -> throw encrypted();
                    case PEMEncryptedKeyPair encrypted -> throw encrypted();
                    default -> {} // openssl writes the parameters of a curve, or the certificate, before the key
                }
            }
        } catch (IOException | IllegalArgumentException | IllegalStateException e) {
            throw unreadableKey();
        }
        throw unreadableKey();
    }

    private static PrivateKey privateKey(PrivateKeyInfo info) throws IOException, PemException {
        PKCS8EncodedKeySpec encoded = new PKCS8EncodedKeySpec(info.getEncoded());
        for (String algorithm : List.of("EC", "RSA", "EdDSA")) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
            } catch (GeneralSecurityException e) {
                // it is a key of another kind
            }
        }
        throw unreadableKey();
    }

    private static PemException encrypted() {
        return new PemException(
                "holds an encrypted private key, and nothing asks for its passphrase.",
                "Decrypt it: openssl pkey -in encrypted.key -out plain.key.");
    }

    private static PemException unreadableKey() {
        return new PemException(
                "holds no private key that can be read.",
                "Give it in PEM form: -----BEGIN PRIVATE KEY-----, -----BEGIN RSA PRIVATE KEY----- or -----BEGIN EC PRIVATE KEY-----.");
    }

    /** Refuses a key that is not that of a certificate (R51). */
    public static void requireBelonging(PrivateKey key, X509Certificate certificate, String setting)
            throws PemException {
        if (!belong(key, certificate)) {
            throw new PemException(
                    "is not the key of the certificate of " + setting + ".", "Give the two that were made together.");
        }
    }

    private static boolean belong(PrivateKey key, X509Certificate certificate) {
        PublicKey published = certificate.getPublicKey();
        String algorithm =
                switch (published.getAlgorithm()) {
                    case "EC" -> "SHA256withECDSA";
                    case "RSA" -> "SHA256withRSA";
                    default -> published.getAlgorithm();
                };
        byte[] text = "whose key is it?".getBytes(StandardCharsets.US_ASCII);
        try {
            Signature signing = Signature.getInstance(algorithm);
            signing.initSign(key);
            signing.update(text);
            Signature checking = Signature.getInstance(algorithm);
            checking.initVerify(published);
            checking.update(text);
            return checking.verify(signing.sign());
        } catch (GeneralSecurityException e) {
            return false;
        }
    }
}
