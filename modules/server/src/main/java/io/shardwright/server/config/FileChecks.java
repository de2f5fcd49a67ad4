package io.shardwright.server.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Checks of the files that the configuration names, so that a wrong path is found before a port opens. */
final class FileChecks {
    private static final int MAX_PASSWORD_BYTES = 4096;

    private final Values values;
    private final Faults faults;

    FileChecks(Values values) {
        this.values = values;
        this.faults = values.faults();
    }

    /** What a text has to be. */
    @FunctionalInterface
    private interface Check {
        void on(String text) throws Pem.PemException;
    }

    /** The path of a key that names a file with certificates in PEM form. */
    Optional<Path> certificates(Setting<Path> setting) {
        return holding(setting, Pem::certificates);
    }

    /** The path of a key that names a file with a private key that the transports can read: PKCS#8. */
    Optional<Path> privateKey(Setting<Path> setting) {
        return holding(setting, text -> {
            Pem.key(text);
            if (!text.contains("-----BEGIN PRIVATE KEY-----")) {
                throw new Pem.PemException(
                        "holds a private key that is not in the form PKCS#8.",
                        "Make one with -----BEGIN PRIVATE KEY-----: openssl pkcs8 -topk8 -nocrypt -in old.key -out new.key.");
            }
        });
    }

    /** The path of a file to read later; reported when it cannot be read now, or is not what it should be. */
    private Optional<Path> holding(Setting<Path> setting, Check check) {
        Optional<Path> path = values.find(setting);
        path.ifPresent(file -> {
            try {
                check.on(PemItem.read(setting.key(), file).pem().reveal());
            } catch (IOException e) {
                refuse(setting, file, "must be a file that this user may read.", "Check the path and its permissions.");
            } catch (Pem.PemException e) {
                refuse(setting, file, e.rule(), e.remedy());
            }
        });
        return path;
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

    /** The password in a file. */
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
            Secret secret = Secret.read(file);
            if (secret.reveal().isEmpty()) {
                refuse(setting, file, "holds no password.", "Write the password into it.");
                return Optional.empty();
            }
            return Optional.of(secret);
        } catch (IOException e) {
            refuse(setting, file, FileLayer.problem(e), "Check the path, its permissions and that it holds text.");
            return Optional.empty();
        }
    }

    private void refuse(Setting<Path> setting, Path file, String rule, String remedy) {
        String origin = values.given(setting).map(Given::origin).orElse("default");
        faults.add(Fault.of(setting.key(), file.toString(), origin, rule, remedy));
    }
}
