package io.shardwright.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.openssl.jcajce.JceOpenSSLPKCS8EncryptorBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.util.io.pem.PemObject;

/** Signs certificates for tests, good ones and bad ones. The files are gone when the process ends. */
public final class Authority {

    private static final AtomicLong SERIAL = new AtomicLong(System.currentTimeMillis());

    private final X500Name name;
    private final KeyPair keys;
    private final X509Certificate certificate;

    /** How a key stands in its file. */
    public enum KeyForm {
        /** {@code BEGIN PRIVATE KEY}. */
        PKCS8,
        /** {@code BEGIN RSA PRIVATE KEY} (PKCS#1) or {@code BEGIN EC PRIVATE KEY} (SEC1). */
        TRADITIONAL,
        /** {@code BEGIN ENCRYPTED PRIVATE KEY}. */
        ENCRYPTED
    }

    /**
     * What is asked for.
     *
     * @param subject such as {@code CN=localhost}
     * @param names such as {@code localhost} and {@code 127.0.0.1}
     * @param from from now on that long until it is valid; negative: it has been valid that long
     * @param until from now on that long until it has expired; negative: it has expired
     * @param algorithm {@code EC} or {@code RSA}
     */
    public record Order(
            String subject, List<String> names, Duration from, Duration until, String algorithm, KeyForm form) {

        /** Returns an order for a certificate of this machine that is valid for two days. */
        public static Order of(String subject, String... names) {
            return new Order(subject, List.of(names), Duration.ofHours(-1), Duration.ofDays(2), "EC", KeyForm.PKCS8);
        }

        /** Returns this order with other bounds of its validity. */
        public Order valid(Duration from, Duration until) {
            return new Order(subject, names, from, until, algorithm, form);
        }

        /** Returns this order with another kind of key. */
        public Order key(String algorithm, KeyForm form) {
            return new Order(subject, names, from, until, algorithm, form);
        }
    }

    private Authority(X500Name name, KeyPair keys, X509Certificate certificate) {
        this.name = name;
        this.keys = keys;
        this.certificate = certificate;
    }

    /** Makes an authority that is valid for two days. */
    public static Authority create(String subject) {
        return create(Order.of(subject));
    }

    /** Makes an authority. */
    public static Authority create(Order order) {
        KeyPair keys = keys(order.algorithm());
        X500Name name = name(order);
        return new Authority(name, keys, sign(name, keys.getPrivate(), order, keys, true));
    }

    /** Returns a certificate that is its own authority. */
    public static Certificates.Pair selfSigned(Order order) {
        Authority itself = create(order);
        return files(order, itself.certificate, itself.keys.getPrivate());
    }

    /** Returns a certificate that this authority has signed. */
    public Certificates.Pair issue(Order order) {
        KeyPair issued = keys(order.algorithm());
        return files(order, sign(name, keys.getPrivate(), order, issued, false), issued.getPrivate());
    }

    /** Returns the file with the certificate of this authority. */
    public Path file() {
        return write(directory(), "ca.pem", certificate);
    }

    private static KeyPair keys(String algorithm) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
            generator.initialize("EC".equals(algorithm) ? 256 : 2048);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime makes no key of kind " + algorithm, e);
        }
    }

    private static X509Certificate sign(
            X500Name issuer, PrivateKey issuerKey, Order order, KeyPair subject, boolean authority) {
        Instant now = Instant.now();
        X509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                issuer,
                BigInteger.valueOf(SERIAL.incrementAndGet()),
                Date.from(now.plus(order.from())),
                Date.from(now.plus(order.until())),
                name(order),
                subject.getPublic());
        try {
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(authority));
            int usage = KeyUsage.digitalSignature | (authority ? KeyUsage.keyCertSign : 0);
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(usage));
            if (!order.names().isEmpty()) {
                builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names(order)));
            }
            String algorithm = "EC".equals(issuerKey.getAlgorithm()) ? "SHA256withECDSA" : "SHA256withRSA";
            return new JcaX509CertificateConverter()
                    .getCertificate(builder.build(new JcaContentSignerBuilder(algorithm).build(issuerKey)));
        } catch (IOException | GeneralSecurityException | OperatorCreationException e) {
            throw new IllegalStateException("no certificate for " + order.subject(), e);
        }
    }

    /** In the order in which Java writes it, the common name first. */
    private static X500Name name(Order order) {
        return X500Name.getInstance(new X500Principal(order.subject()).getEncoded());
    }

    private static GeneralName[] names(Order order) {
        return order.names().stream()
                .map(name -> new GeneralName(
                        name.matches("[0-9.]+|.*:.*") ? GeneralName.iPAddress : GeneralName.dNSName, name))
                .toArray(GeneralName[]::new);
    }

    private static Certificates.Pair files(Order order, X509Certificate certificate, PrivateKey key) {
        Path directory = directory();
        return new Certificates.Pair(
                write(directory, "certificate.pem", certificate),
                write(directory, "key.pem", inForm(key, order.form())));
    }

    private static Object inForm(PrivateKey key, KeyForm form) {
        try {
            return switch (form) {
                case PKCS8 -> new JcaPKCS8Generator(key, null);
                case TRADITIONAL -> traditional(key);
                case ENCRYPTED ->
                    new JcaPKCS8Generator(
                            key,
                            new JceOpenSSLPKCS8EncryptorBuilder(JcaPKCS8Generator.AES_256_CBC)
                                    .setProvider(new BouncyCastleProvider())
                                    .setPassword("not a secret".toCharArray())
                                    .build());
            };
        } catch (IOException | OperatorCreationException e) {
            throw new IllegalStateException("the key cannot be written as " + form, e);
        }
    }

    /** As openssl writes it: a key of a curve names its curve, which Bouncy Castle leaves out. */
    private static Object traditional(PrivateKey key) throws IOException {
        if (!(key instanceof ECPrivateKey ofCurve)) {
            return key;
        }
        return new PemObject(
                "EC PRIVATE KEY",
                new org.bouncycastle.asn1.sec.ECPrivateKey(256, ofCurve.getS(), SECObjectIdentifiers.secp256r1)
                        .getEncoded());
    }

    private static Path directory() {
        try {
            Path directory = Files.createTempDirectory("shardwright-certificates");
            directory.toFile().deleteOnExit();
            return directory;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path write(Path directory, String name, Object content) {
        Path file = directory.resolve(name);
        try (Writer out = Files.newBufferedWriter(file);
                JcaPEMWriter pem = new JcaPEMWriter(out)) {
            pem.writeObject(content);
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be written", e);
        }
        file.toFile().deleteOnExit();
        return file;
    }
}
