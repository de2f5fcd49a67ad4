package io.shardwright.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Where the tools that tests fetch are kept: {@code target/tools} of the checkout, the build directory of the parent
 * project, so that a checkout leaves nothing outside itself. {@code SHARDWRIGHT_CACHE} names another directory, for
 * example one that several checkouts share.
 */
final class ToolCache {

    private final Path root;

    private ToolCache(Path root) {
        this.root = root;
    }

    /** The cache of the checkout that a directory, usually the working directory of the tests, is part of. */
    static ToolCache of(Map<String, String> environment, Path directory) {
        String named = environment.getOrDefault("SHARDWRIGHT_CACHE", "");
        return new ToolCache(
                named.isBlank() ? Checkout.above(directory).orElse(directory).resolve("target/tools") : Path.of(named));
    }

    /**
     * Returns the file that an environment variable names; empty where it names none.
     *
     * @param usable what that file has to be
     * @param kind the same in words, for example "file that can be run"
     * @param example what belongs there, for example "an etcd"
     * @throws IllegalStateException if it is not usable
     */
    static Optional<Path> named(
            Map<String, String> environment, String variable, Predicate<Path> usable, String kind, String example) {
        String named = environment.getOrDefault(variable, "");
        if (named.isBlank()) {
            return Optional.empty();
        }
        Path path = Path.of(named);
        if (!usable.test(path)) {
            throw new IllegalStateException(
                    variable + "=" + named + " is no " + kind + "; give the path of " + example + ", or unset it");
        }
        return Optional.of(path);
    }

    /** A program: a directory can be executable too. */
    static boolean canRun(Path path) {
        return Files.isExecutable(path) && !Files.isDirectory(path);
    }

    /**
     * Returns the file {@code tool} of the directory {@code tool}, and has it fetched there if it is not there or
     * cannot be used. A file lock lets one process fetch while others wait.
     */
    Path find(String tool, Usable usable, Fetch fetch) {
        // A file lock is the whole process's; within it, threads wait here.
        synchronized (ToolCache.class) {
            return findAlone(tool, usable, fetch);
        }
    }

    private Path findAlone(String tool, Usable usable, Fetch fetch) {
        Path directory = root.resolve(tool);
        Path program = directory.resolve(tool);
        try {
            Files.createDirectories(directory);
            try (FileChannel channel = FileChannel.open(
                            directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock held = channel.lock()) {
                if (!Files.exists(program) || !usable.test(program)) {
                    Files.deleteIfExists(program);
                    fetch.into(program);
                }
                return program;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "directory " + directory + " cannot be used to keep " + tool
                            + "; make it writable or set SHARDWRIGHT_CACHE",
                    e);
        }
    }

    /** The directory of a program, which is there while the program is fetched. */
    static Path directoryOf(Path program) {
        return Objects.requireNonNull(program.getParent());
    }

    /** Whether what was fetched earlier still does its work. */
    interface Usable {
        boolean test(Path program);
    }

    /** Puts a program where it is to be, as its last and atomic step: nobody sees half of one. */
    interface Fetch {
        void into(Path program) throws IOException;
    }
}
