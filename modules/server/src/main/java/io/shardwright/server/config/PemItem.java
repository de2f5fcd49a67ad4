package io.shardwright.server.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Certificates or a key, as they were read once from a file or from the configuration itself (R42, R47).
 *
 * @param key the setting that gave it
 * @param file where it was read from; empty when the configuration holds it
 * @param pem the text
 */
public record PemItem(String key, Optional<Path> file, Secret pem) {

    /** Returns what the file holds now; the same where there is no file (R63). */
    public PemItem readAgain() throws IOException {
        return file.isPresent() ? read(key, file.get()) : this;
    }

    static PemItem read(String key, Path file) throws IOException {
        return new PemItem(key, Optional.of(file), new Secret(Files.readString(file, StandardCharsets.ISO_8859_1)));
    }
}
