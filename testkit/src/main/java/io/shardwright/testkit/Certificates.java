package io.shardwright.testkit;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Self-signed certificates as PEM files, made once per run with the JDK's own keytool. */
public final class Certificates {
    private static final String HERE = "dns:localhost,ip:127.0.0.1";

    /** Of a server on this machine. */
    public static final Certificates SERVER = new Certificates("CN=localhost", HERE);
    /** Of a client that is known. */
    public static final Certificates CLIENT = new Certificates("CN=executor-7, O=Shardwright tests", HERE);
    /** Of a client that nobody knows. */
    public static final Certificates STRANGER = new Certificates("CN=stranger, O=Shardwright tests", HERE);

    /** Of a server that is named {@code shardwright.test}. */
    public static final Certificates ELSEWHERE = new Certificates("CN=shardwright.test", "dns:shardwright.test");

    private static final char[] PASSWORD = "not a secret".toCharArray();

    private final String subject;
    private final String names;
    private @Nullable Pair pair; // guarded by this

    private Certificates(String subject, String names) {
        this.subject = subject;
        this.names = names;
    }

    /** A certificate, which is its own authority, and its PKCS#8 key. */
    public record Pair(Path certificate, Path key) {}

    /** Returns the files, which are gone when the process ends. */
    public synchronized Pair pair() throws IOException, GeneralSecurityException, InterruptedException {
        if (pair == null) {
            pair = generate();
        }
        return pair;
    }

    private Pair generate() throws IOException, GeneralSecurityException, InterruptedException {
        Path directory = Files.createTempDirectory("shardwright-certificates");
        Path store = directory.resolve("store.p12");
        keytool(store);
        KeyStore loaded = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            loaded.load(in, PASSWORD);
        }
        Path certificate =
                pem(directory, "CERTIFICATE", loaded.getCertificate("it").getEncoded());
        Path key = pem(directory, "PRIVATE KEY", loaded.getKey("it", PASSWORD).getEncoded());
        Files.delete(store);
        for (Path path : List.of(directory, certificate, key)) {
            path.toFile().deleteOnExit();
        }
        return new Pair(certificate, key);
    }

    private void keytool(Path store) throws IOException, InterruptedException {
        Path tool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        Process process = new ProcessBuilder(
                        tool.toString(),
                        "-genkeypair",
                        "-alias",
                        "it",
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-validity",
                        "2",
                        "-dname",
                        subject,
                        "-ext",
                        "san=" + names,
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        String.valueOf(PASSWORD))
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), US_ASCII);
        if (process.waitFor() != 0) {
            throw new IOException(tool + " failed; run the tests on a full JDK. It said: " + output);
        }
    }

    private static Path pem(Path directory, String kind, byte[] der) throws IOException {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        Path file = directory.resolve(kind.toLowerCase(java.util.Locale.ROOT).replace(' ', '-') + ".pem");
        return Files.writeString(file, "-----BEGIN " + kind + "-----\n" + body + "\n-----END " + kind + "-----\n");
    }
}
