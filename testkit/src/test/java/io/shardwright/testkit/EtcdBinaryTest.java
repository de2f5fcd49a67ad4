package io.shardwright.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EtcdBinaryTest {

    @TempDir
    Path directory;

    private final AtomicInteger fetched = new AtomicInteger();

    private final EtcdSource broken = source("broken", work -> {
        throw new IOException("no network");
    });

    private final EtcdSource good = source("good", work -> {
        fetched.incrementAndGet();
        return executable(work.resolve("downloaded"));
    });

    @Test
    void theEnvironmentNamesTheBinary() throws IOException {
        Path named = executable(directory.resolve("my-etcd"));
        assertEquals(named, EtcdBinary.find(Map.of("SHARDWRIGHT_ETCD", named.toString()), directory, List.of()));
    }

    @Test
    void aNameThatIsNoBinaryIsAnErrorAndNotASkip() {
        IllegalStateException e = assertThrows(
                IllegalStateException.class,
                () -> EtcdBinary.find(Map.of("SHARDWRIGHT_ETCD", "/does/not/exist"), directory, List.of(good)));
        assertTrue(String.valueOf(e.getMessage()).contains("/does/not/exist"));
    }

    @Test
    void theSearchPathComesBeforeTheCache() throws IOException {
        Path bin = Files.createDirectories(directory.resolve("bin"));
        Path binary = executable(bin.resolve("etcd"));
        assertEquals(binary, EtcdBinary.find(Map.of("PATH", "/nowhere:" + bin), directory, List.of(good)));
        assertEquals(0, fetched.get());
    }

    @Test
    void whatIsFetchedIsKept() throws IOException {
        Map<String, String> environment =
                Map.of("SHARDWRIGHT_CACHE", directory.resolve("cache").toString());
        Path first = EtcdBinary.find(environment, directory, List.of(broken, good));
        assertTrue(Files.isExecutable(first));
        assertEquals(first, EtcdBinary.find(environment, directory, List.of(broken)));
        assertEquals(1, fetched.get());
        try (var left = Files.list(directory.resolve("cache/etcd"))) {
            assertEquals(
                    List.of("etcd", "lock"),
                    left.map(path -> path.getFileName().toString()).sorted().toList());
        }
    }

    @Test
    void whenNothingWorksTheMessageSaysWhatWasTriedAndWhatHelps() {
        IllegalStateException e =
                assertThrows(IllegalStateException.class, () -> EtcdBinary.find(Map.of(), directory, List.of(broken)));
        String message = String.valueOf(e.getMessage());
        assertTrue(message.contains("broken: no network") && message.contains("set SHARDWRIGHT_ETCD"), message);
    }

    @Test
    void digestsAreSha256() throws IOException {
        Path file = Files.writeString(directory.resolve("abc"), "abc");
        assertEquals(
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                EtcdSource.PinnedRelease.sha256(file));
    }

    private static Path executable(Path path) throws IOException {
        Files.writeString(path, "#!/bin/sh\n");
        assertTrue(path.toFile().setExecutable(true));
        return path;
    }

    private static EtcdSource source(String name, Fetch fetch) {
        return new EtcdSource() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Path fetch(Path work) throws IOException {
                return fetch.from(work);
            }
        };
    }

    private interface Fetch {
        Path from(Path work) throws IOException;
    }
}
