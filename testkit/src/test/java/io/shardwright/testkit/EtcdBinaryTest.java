package io.shardwright.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
    void theDistributionsPackageIsTriedFirstThenThePinnedReleaseThenTheContainerImage() {
        assertEquals(
                List.of(
                        "Debian package etcd-server",
                        "etcd release v3.5.16",
                        "container image quay.io/coreos/etcd:v3.5.16"),
                EtcdSource.ALL.stream().map(EtcdSource::name).toList());
    }

    @Test
    void theReleaseWithThePinnedDigestIsUnpacked() throws Exception {
        byte[] archive = archive();
        try (Releases releases = new Releases(archive)) {
            Path digested = Files.write(directory.resolve("digested"), archive);
            EtcdSource pinned = releases.pinnedTo(EtcdSource.PinnedRelease.sha256(digested));
            Path found = EtcdBinary.find(Map.of(), directory, List.of(broken, pinned));
            assertEquals("#!/bin/sh\n", Files.readString(found));
            assertTrue(Files.isExecutable(found));
        }
    }

    @Test
    void aReleaseWithAnotherDigestIsNotUsedAndTheNextPlaceIsTried() throws Exception {
        String pinned = "0".repeat(64);
        try (Releases releases = new Releases(archive())) {
            IllegalStateException e = assertThrows(
                    IllegalStateException.class,
                    () -> EtcdBinary.find(Map.of(), directory, List.of(releases.pinnedTo(pinned))));
            String message = String.valueOf(e.getMessage());
            assertTrue(message.contains("instead of " + pinned + "; it was not used"), message);
            assertFalse(Files.exists(directory.resolve("target/tools/etcd/etcd")));

            EtcdBinary.find(Map.of(), directory, List.of(releases.pinnedTo(pinned), good));
            assertEquals(1, fetched.get());
        }
    }

    @Test
    void aCheckoutKeepsWhatIsFetchedInItsBuildDirectory() throws IOException {
        Files.createFile(directory.resolve("mvnw"));
        Path module = Files.createDirectories(directory.resolve("modules/one"));
        assertEquals(directory.resolve("target/tools/etcd/etcd"), EtcdBinary.find(Map.of(), module, List.of(good)));
    }

    @Test
    void whatCanNoLongerBeUsedIsFetchedAgain() throws IOException {
        ToolCache cache = ToolCache.of(Map.of(), directory);
        cache.find("tool", program -> true, EtcdBinaryTest::executable);
        cache.find("tool", program -> false, program -> {
            fetched.incrementAndGet();
            executable(program);
        });
        assertEquals(1, fetched.get());
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

    /** What the archive of a release looks like. */
    private byte[] archive() throws IOException {
        String name = EtcdSource.PinnedRelease.directory();
        Path files = Files.createDirectories(directory.resolve("release"));
        executable(Files.createDirectories(files.resolve(name)).resolve("etcd"));
        Commands.run(files, Duration.ofSeconds(30), "tar", "-czf", "archive.tar.gz", name);
        return Files.readAllBytes(files.resolve("archive.tar.gz"));
    }

    /** A site that offers one archive under every name. */
    private static final class Releases implements AutoCloseable {

        private final HttpServer server;

        Releases(byte[] archive) throws IOException {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/", exchange -> {
                exchange.sendResponseHeaders(200, archive.length);
                try (exchange) {
                    exchange.getResponseBody().write(archive);
                }
            });
            server.start();
        }

        EtcdSource pinnedTo(String digest) {
            return new EtcdSource.PinnedRelease(
                    "http://127.0.0.1:" + server.getAddress().getPort(), Map.of("amd64", digest, "arm64", digest));
        }

        @Override
        public void close() {
            server.stop(0);
        }
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
