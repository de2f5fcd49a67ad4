package io.shardwright.testkit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds the checkout that tests run in, whichever module they belong to. */
public final class Checkout {

    private Checkout() {}

    /** Returns the root of the checkout that the working directory is part of. */
    public static Path root() {
        return above(Path.of(""))
                .orElseThrow(() -> new IllegalStateException(
                        "no mvnw above the working directory; run the tests inside the repository"));
    }

    /** Returns the directory with the Maven wrapper, at or above another. */
    static Optional<Path> above(Path directory) {
        return Stream.iterate(
                        Optional.of(directory.toAbsolutePath()), Optional::isPresent, at -> at.map(Path::getParent))
                .flatMap(Optional::stream)
                .filter(at -> Files.exists(at.resolve("mvnw")))
                .findFirst();
    }
}
