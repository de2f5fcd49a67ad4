package io.shardwright.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;

/**
 * A file of a Debian package that tests need: looked for where an environment variable says and in {@code PATH}, else
 * fetched from the machine's Debian or Ubuntu packages without root, and kept in {@code target/tools} of the checkout
 * (or the directory that {@code SHARDWRIGHT_CACHE} names). A test never skips for want of it.
 */
public enum DebianTool {
    /** Checks and tries out rules of Prometheus. */
    PROMTOOL("promtool", "SHARDWRIGHT_PROMTOOL", "prometheus", "usr/bin/promtool"),

    /** The JSON schema of Compose files; the package of Debian 12 and Ubuntu 24.04 has it. */
    COMPOSE_SCHEMA(
            "compose_spec.json",
            "SHARDWRIGHT_COMPOSE_SCHEMA",
            "docker-compose",
            "usr/lib/python3/dist-packages/compose/config/compose_spec.json");

    private final String file;
    private final String variable;
    private final String debianPackage;
    private final String path;

    DebianTool(String file, String variable, String debianPackage, String path) {
        this.file = file;
        this.variable = variable;
        this.debianPackage = debianPackage;
        this.path = path;
    }

    /**
     * Returns the file.
     *
     * @throws IllegalStateException if there is none and none can be fetched; the message says what was tried and what
     *     helps
     */
    public Path find() {
        return find(System.getenv(), Path.of(""));
    }

    Path find(Map<String, String> environment, Path directory) {
        return ToolCache.named(environment, variable, Files::isRegularFile, "file", "a " + file)
                .or(() -> EtcdBinary.inPath(environment.getOrDefault("PATH", ""), file))
                .orElseGet(() -> ToolCache.of(environment, directory).find(file, Files::isReadable, this::fetch));
    }

    private void fetch(Path target) {
        Path cache = ToolCache.directoryOf(target);
        try {
            Path work = Files.createTempDirectory(cache, "fetch");
            try {
                Path found = Commands.existing(
                        DebianPackages.alone(work, debianPackage).resolve(path));
                Files.move(found, target, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Commands.deleteTree(work);
            }
        } catch (IOException e) {
            throw new IllegalStateException(
                    "the tests need " + file + " and none was found or could be fetched: set " + variable
                            + " to its path. Tried " + variable + ", PATH, " + target + ", then the package "
                            + debianPackage + " of this machine's Debian or Ubuntu: " + e.getMessage(),
                    e);
        }
    }
}
