package io.shardwright.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds a Chromium to test pages with, and fetches one if there is none: a test never skips for want of a browser.
 *
 * <p>In this order: the file that the environment variable {@code SHARDWRIGHT_CHROMIUM} names; Chromium or Chrome in
 * {@code PATH}; one that was fetched before; and then the machine's Debian or Ubuntu packages, unpacked with the
 * libraries that the machine lacks, without root. What is fetched stays in {@code target/tools} of the checkout, or in
 * the directory that {@code SHARDWRIGHT_CACHE} names.
 */
public final class ChromiumBinary {

    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome", "chrome");

    private static final Pattern LIBRARY = Pattern.compile("-linux-gnu/(.*/)?lib[^/]*\\.so(\\.[^/]*)?$");
    private static final Duration RUN = Duration.ofSeconds(30);

    private ChromiumBinary() {}

    /**
     * Returns a Chromium that can be run.
     *
     * @throws IllegalStateException if there is none and none can be fetched; the message says what was tried and what
     *     helps
     */
    public static Path find() {
        return find(System.getenv(), Path.of(""));
    }

    static Path find(Map<String, String> environment, Path directory) {
        return ToolCache.named(
                        environment, "SHARDWRIGHT_CHROMIUM", ToolCache::canRun, "file that can be run", "a Chromium")
                .or(() -> NAMES.stream()
                        .map(name -> EtcdBinary.inPath(environment.getOrDefault("PATH", ""), name))
                        .flatMap(Optional::stream)
                        .findFirst())
                .orElseGet(() -> ToolCache.of(environment, directory)
                        .find("chromium", ChromiumBinary::runs, ChromiumBinary::fetch));
    }

    private static void fetch(Path launcher) {
        try {
            fetch(ToolCache.directoryOf(launcher), launcher);
        } catch (IOException e) {
            throw new IllegalStateException(
                    "the tests need a Chromium and none was found or could be fetched: put chromium into PATH (Debian: apt-get install"
                            + " --no-install-recommends chromium), or set SHARDWRIGHT_CHROMIUM to its path. Tried SHARDWRIGHT_CHROMIUM, "
                            + NAMES + " in PATH, " + launcher
                            + ", then the packages of this machine's Debian or Ubuntu: "
                            + e.getMessage(),
                    e);
        }
    }

    private static void fetch(Path cache, Path launcher) throws IOException {
        Path work = Files.createTempDirectory(cache, "fetch");
        try {
            Path unpacked = DebianPackages.withDependencies(work, "chromium");
            Path root = cache.resolve("root");
            Commands.deleteTree(root);
            Files.move(unpacked, root, StandardCopyOption.ATOMIC_MOVE);
            Path binary = Commands.existing(root.resolve("usr/lib/chromium/chromium"));
            // The launcher comes last: where it is, everything is.
            Path script = work.resolve("chromium");
            Files.writeString(
                    script,
                    "#!/bin/sh\nexport LD_LIBRARY_PATH=\"" + String.join(":", libraries(root)) + "\"\nexec \"" + binary
                            + "\" \"$@\"\n");
            Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
            Commands.run(work, RUN, script.toString(), "--version");
            Files.move(script, launcher, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Commands.deleteTree(work);
        }
    }

    /** An interrupted clean-up, or a system that changed under it, can leave a Chromium that starts no more. */
    private static boolean runs(Path launcher) {
        try {
            Commands.run(ToolCache.directoryOf(launcher), RUN, launcher.toString(), "--version");
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Every directory with libraries below {@code /usr/lib/<architecture>-linux-gnu} of the unpacked packages: some
     * packages keep private ones in a directory of their own, which they name by an absolute path.
     */
    private static List<String> libraries(Path root) throws IOException {
        try (Stream<Path> all = Files.find(
                root.resolve("usr/lib"),
                6,
                (file, attributes) -> LIBRARY.matcher(file.toString()).find())) {
            return all.map(library -> ToolCache.directoryOf(library).toString())
                    .distinct()
                    .sorted()
                    .toList();
        }
    }
}
