package io.shardwright.server.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks of the files that the configuration names, so that a wrong path is found before a port opens. */
final class FileChecks {
    private static final int MAX_PASSWORD_BYTES = 4096;
    private static final Pattern PRIVATE_KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]*)-----END PRIVATE KEY-----");
    private static final List<String> KEY_ALGORITHMS = List.of("EC", "RSA", "EdDSA");

    private final Values values;
    private final Faults faults;

    FileChecks(Values values) {
        this.values = values;
        this.faults = values.faults();
    }

    /** The path of a key that names a file with certificates in PEM form. */
    Optional<Path> certificates(Setting<Path> setting) {
        return holding(
                setting,
                FileChecks::holdsCertificates,
                "holds no certificate that can be read.",
                "Name a file in PEM form, with -----BEGIN CERTIFICATE-----.");
    }

    /** The path of a key that names a file with a private key in PEM form. */
    Optional<Path> privateKey(Setting<Path> setting) {
        return holding(
                setting,
                FileChecks::holdsPrivateKey,
                "holds no private key that can be read.",
                "Name a file with -----BEGIN PRIVATE KEY----- (PKCS#8, not encrypted); openssl pkcs8 -topk8 -nocrypt makes one.");
    }

    /** The path of a file to read later; reported when it cannot be read now, or is not what it should be. */
    private Optional<Path> holding(Setting<Path> setting, Predicate<Path> holds, String rule, String remedy) {
        Optional<Path> path = values.find(setting);
        path.ifPresent(file -> {
            if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
                refuse(setting, file, "must be a file that this user may read.", "Check the path and its permissions.");
            } else if (!holds.test(file)) {
                refuse(setting, file, rule, remedy);
            }
        });
        return path;
    }

    private static boolean holdsCertificates(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            return !CertificateFactory.getInstance("X.509")
                    .generateCertificates(in)
                    .isEmpty();
        } catch (IOException | CertificateException e) {
            return false;
        }
    }

    private static boolean holdsPrivateKey(Path file) {
        try {
            Matcher key = PRIVATE_KEY.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
            if (!key.find()) {
                return false;
            }
            PKCS8EncodedKeySpec der =
                    new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(key.group(1)));
            return KEY_ALGORITHMS.stream().anyMatch(algorithm -> isKey(algorithm, der));
        } catch (IOException | IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean isKey(String algorithm, PKCS8EncodedKeySpec der) {
        try {
            KeyFactory.getInstance(algorithm).generatePrivate(der);
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /** The path of a database file: it may not exist yet, its directory has to. */
    Path creatable(Setting<Path> setting) {
        Path file = values.get(setting);
        Path directory = file.toAbsolutePath().normalize().getParent();
        if (Files.isDirectory(file)) {
            refuse(
                    setting,
                    file,
                    "is a directory, but must be a file.",
                    "Name a file in it, for example " + file.resolve("shardwright.db") + ".");
        } else if (directory == null || !Files.isDirectory(directory)) {
            refuse(
                    setting,
                    file,
                    "needs a directory that exists: there is no " + directory + ".",
                    "Create it, or correct the path.");
        } else if (!Files.isWritable(Files.exists(file) ? file : directory)) {
            refuse(setting, file, "must be writable by this user.", "Change its owner or its permissions.");
        }
        return file;
    }

    /**
     * The password in a file. Only one line ending is taken from its end (R66): blanks and further line ends may belong
     * to it.
     */
    Optional<Secret> password(Setting<Path> setting, Path file) {
        try {
            if (Files.size(file) > MAX_PASSWORD_BYTES) {
                refuse(
                        setting,
                        file,
                        "is larger than " + MAX_PASSWORD_BYTES + " bytes, too long for a password.",
                        "Name the file that holds the password alone.");
                return Optional.empty();
            }
            String text = withoutLineEnd(Files.readString(file, StandardCharsets.UTF_8));
            if (text.isEmpty()) {
                refuse(setting, file, "holds no password.", "Write the password into it.");
                return Optional.empty();
            }
            return Optional.of(new Secret(text));
        } catch (IOException e) {
            refuse(setting, file, FileLayer.problem(e), "Check the path, its permissions and that it holds text.");
            return Optional.empty();
        }
    }

    private static String withoutLineEnd(String text) {
        if (text.endsWith("\r\n")) {
            return text.substring(0, text.length() - 2);
        }
        return text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
    }

    private void refuse(Setting<Path> setting, Path file, String rule, String remedy) {
        String origin = values.given(setting).map(Given::origin).orElse("default");
        faults.add(Fault.of(setting.key(), file.toString(), origin, rule, remedy));
    }
}
