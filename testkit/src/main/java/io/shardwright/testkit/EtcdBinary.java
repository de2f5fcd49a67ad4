package io.shardwright.testkit;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Finds an etcd to test with, and fetches one if there is none: a test never skips for want of an etcd.
 *
 * <p>In this order: the file that the environment variable {@code SHARDWRIGHT_ETCD} names; {@code etcd} in
 * {@code PATH}; one that was fetched before; and then what {@link EtcdSource} can fetch without root. What is fetched
 * stays in {@code target/tools} of the checkout, or in the directory that {@code SHARDWRIGHT_CACHE} names.
 */
public final class EtcdBinary {

    private EtcdBinary() {}

    /**
     * Returns an etcd that can be run.
     *
     * @throws IllegalStateException if there is none and none can be fetched; the message says what was tried and what
     *     helps
     */
    public static Path find() {
        return find(System.getenv(), Path.of(""), EtcdSource.ALL);
    }

    static Path find(Map<String, String> environment, Path directory, List<EtcdSource> sources) {
        return ToolCache.named(environment, "SHARDWRIGHT_ETCD", ToolCache::canRun, "file that can be run", "an etcd")
                .or(() -> inPath(environment.getOrDefault("PATH", ""), "etcd"))
                .orElseGet(() -> ToolCache.of(environment, directory)
                        .find("etcd", Files::isExecutable, binary -> fetch(binary, sources)));
    }

    /** Returns a program in a search path. */
    static Optional<Path> inPath(String path, String program) {
        for (String directory : path.split(Pattern.quote(File.pathSeparator), -1)) {
            if (!directory.isEmpty()) {
                Path candidate = Path.of(directory, program);
                if (ToolCache.canRun(candidate)) {
                    return Optional.of(candidate);
                }
            }
        }
        return Optional.empty();
    }

    private static void fetch(Path binary, List<EtcdSource> sources) throws IOException {
        List<String> tried = new ArrayList<>();
        for (EtcdSource source : sources) {
            Path work = Files.createTempDirectory(ToolCache.directoryOf(binary), "fetch");
            try {
                Path found = source.fetch(work);
                // The move is the last step and atomic: nobody sees half an etcd.
                Files.move(found, binary, StandardCopyOption.ATOMIC_MOVE);
                return;
            } catch (IOException e) {
                tried.add(source.name() + ": " + e.getMessage());
            } finally {
                Commands.deleteTree(work);
            }
        }
        throw new IllegalStateException(
                "the tests need an etcd and none was found or could be fetched: put etcd (3.4 or later) into PATH, or set SHARDWRIGHT_ETCD to its"
                        + " path.\nTried SHARDWRIGHT_ETCD, PATH, " + binary + ", then\n  "
                        + String.join("\n  ", tried));
    }
}
