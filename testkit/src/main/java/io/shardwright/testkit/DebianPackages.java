package io.shardwright.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** Fetches and unpacks packages of the machine's Debian or Ubuntu, without root and without installing them. */
final class DebianPackages {

    private DebianPackages() {}

    /**
     * Unpacks one package; what it depends on must be on the machine. Returns the directory that stands for {@code /}.
     */
    static Path alone(Path work, String name) throws IOException {
        return fetch(work, "download", name);
    }

    /**
     * Unpacks one package and everything that it depends on and that the machine lacks. Returns the directory that
     * stands for {@code /}.
     */
    static Path withDependencies(Path work, String name) throws IOException {
        return fetch(work, "--yes", "--no-install-recommends", "--download-only", "install", name);
    }

    private static Path fetch(Path work, String... command) throws IOException {
        Commands.require("apt-get");
        Commands.require("dpkg-deb");
        Files.createDirectories(work.resolve("cache/archives/partial"));
        List<String> options = List.of("-q", "-o", "Debug::NoLocking=1", "-o", "Dir::Cache=" + work.resolve("cache"));
        try {
            // The machine's package lists, where they exist, save the update.
            Commands.run(work, Duration.ofMinutes(5), aptGet(options, command));
        } catch (IOException noLists) {
            Files.createDirectories(work.resolve("lists/partial"));
            List<String> withLists = Stream.concat(
                            options.stream(), Stream.of("-o", "Dir::State::lists=" + work.resolve("lists")))
                    .toList();
            Commands.run(work, Duration.ofMinutes(5), aptGet(withLists, "update"));
            Commands.run(work, Duration.ofMinutes(5), aptGet(withLists, command));
        }
        Path unpacked = work.resolve("unpacked");
        for (Path archive : archives(work)) {
            Commands.run(work, Duration.ofMinutes(1), "dpkg-deb", "-x", archive.toString(), unpacked.toString());
        }
        return Commands.existing(unpacked);
    }

    /** {@code download} leaves archives in the work directory, {@code install} in the cache. */
    private static List<Path> archives(Path work) throws IOException {
        try (Stream<Path> here = Files.list(work);
                Stream<Path> cached = Files.list(work.resolve("cache/archives"))) {
            return Stream.concat(here, cached)
                    .filter(file -> file.toString().endsWith(".deb"))
                    .sorted()
                    .toList();
        }
    }

    private static String[] aptGet(List<String> options, String... command) {
        return Stream.of(Stream.of("apt-get"), options.stream(), Stream.of(command))
                .flatMap(part -> part)
                .toArray(String[]::new);
    }
}
