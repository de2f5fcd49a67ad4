package io.shardwright.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs other programs. */
final class Commands {

    private static final int QUOTED_OUTPUT = 500;

    private Commands() {}

    /** Fails unless a program is in PATH. */
    static void require(String program) throws IOException {
        if (EtcdBinary.inPath(System.getenv().getOrDefault("PATH", ""), program).isEmpty()) {
            throw new IOException("there is no " + program + " here");
        }
    }

    /** Runs a command and returns what it printed; fails with the end of that if the command does. */
    static String run(Path directory, Duration atMost, String... command) throws IOException {
        Path output = Files.createTempFile(directory, "output", ".txt");
        try {
            return run(directory, output, atMost, command);
        } finally {
            Files.deleteIfExists(output);
        }
    }

    private static String run(Path directory, Path output, Duration atMost, String... command) throws IOException {
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            if (!process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IOException(String.join(" ", List.of(command)) + " did not end within " + atMost);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            process.destroyForcibly();
        }
        String printed = Files.readString(output);
        if (process.exitValue() != 0) {
            String end = printed.substring(Math.max(0, printed.length() - QUOTED_OUTPUT))
                    .strip();
            throw new IOException(command[0] + " ended with " + process.exitValue() + ": " + end.replace("\n", " | "));
        }
        return printed;
    }

    /** Returns a path that must exist. */
    static Path existing(Path path) throws IOException {
        if (!Files.exists(path)) {
            throw new IOException(path.getFileName() + " is not where it was expected: " + path);
        }
        return path;
    }

    /** Deletes a directory and all in it, as far as that is possible. */
    static void deleteTree(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
