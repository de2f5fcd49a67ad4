package io.shardwright.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A place to fetch an etcd from, without root. */
interface EtcdSource {

    /** All places, the one that is tried first in front. */
    List<EtcdSource> ALL = List.of(new DebianPackage(), new PinnedRelease(), new ContainerImage());

    /** How the place is named in messages. */
    String name();

    /** Fetches into a work directory and returns the binary there. */
    Path fetch(Path work) throws IOException;

    /** The {@code etcd-server} package of the machine's Debian or Ubuntu, unpacked and not installed. */
    final class DebianPackage implements EtcdSource {

        @Override
        public String name() {
            return "Debian package etcd-server";
        }

        @Override
        public Path fetch(Path work) throws IOException {
            return Commands.existing(DebianPackages.alone(work, "etcd-server").resolve("usr/bin/etcd"));
        }
    }

    /** One release of the etcd project, checked by the digest written here. */
    final class PinnedRelease implements EtcdSource {

        private static final String VERSION = "v3.5.16";

        /** SHA-256 of the archives, by architecture. */
        private static final Map<String, String> DIGESTS = Map.of(
                "amd64", "b414b27a5ad05f7cb01395c447c85d3227e3fb1c176e51757a283b817f645ccc",
                "arm64", "8e68c55e6d72b791a9e98591c755af36f6f55aa9eca63767822cd8a3817fdb23");

        private final String releases;
        private final Map<String, String> digests;

        PinnedRelease() {
            this("https://github.com/etcd-io/etcd/releases/download", DIGESTS);
        }

        PinnedRelease(String releases, Map<String, String> digests) {
            this.releases = releases;
            this.digests = digests;
        }

        @Override
        public String name() {
            return "etcd release " + VERSION;
        }

        @Override
        public Path fetch(Path work) throws IOException {
            String system = System.getProperty("os.name");
            String architecture = architecture();
            String digest = Optional.ofNullable(digests.get(architecture))
                    .filter(known -> system.equals("Linux"))
                    .orElseThrow(() -> new IOException("no archive is known for " + system + " on " + architecture));
            String directory = directory();
            Path archive = work.resolve(directory + ".tar.gz");
            download(releases + "/" + VERSION + "/" + directory + ".tar.gz", archive);
            String found = sha256(archive);
            if (!found.equals(digest)) {
                throw new IOException(
                        "the archive has SHA-256 " + found + " instead of " + digest + "; it was not used");
            }
            Commands.run(work, Duration.ofMinutes(1), "tar", "-xzf", archive.toString());
            return Commands.existing(work.resolve(directory).resolve("etcd"));
        }

        /** The directory that an archive unpacks to. */
        static String directory() {
            return "etcd-" + VERSION + "-linux-" + architecture();
        }

        private static String architecture() {
            String machine = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
            return Map.of("x86_64", "amd64", "aarch64", "arm64").getOrDefault(machine, machine);
        }

        private static void download(String address, Path to) throws IOException {
            HttpRequest request = HttpRequest.newBuilder(URI.create(address))
                    .timeout(Duration.ofMinutes(5))
                    .build();
            try (HttpClient client = HttpClient.newBuilder()
                    .connectTimeout(Duration.ofSeconds(10))
                    .followRedirects(HttpClient.Redirect.NORMAL)
                    .build()) {
                HttpResponse<Path> response = client.send(request, HttpResponse.BodyHandlers.ofFile(to));
                if (response.statusCode() != 200) {
                    throw new IOException(address + " answered with status " + response.statusCode());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }

        static String sha256(Path file) throws IOException {
            try (InputStream content = Files.newInputStream(file)) {
                MessageDigest digest = MessageDigest.getInstance("SHA-256");
                byte[] buffer = new byte[1 << 16];
                for (int read = content.read(buffer); read >= 0; read = content.read(buffer)) {
                    digest.update(buffer, 0, read);
                }
                return HexFormat.of().formatHex(digest.digest());
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every JDK has SHA-256", e);
            }
        }
    }

    /** The binary out of the project's container image, where there is Docker; the last resort. */
    final class ContainerImage implements EtcdSource {

        private static final String IMAGE = "quay.io/coreos/etcd:" + PinnedRelease.VERSION;

        @Override
        public String name() {
            return "container image " + IMAGE;
        }

        @Override
        public Path fetch(Path work) throws IOException {
            Commands.require("docker");
            String container = Commands.run(work, Duration.ofMinutes(5), "docker", "create", IMAGE)
                    .strip();
            try {
                Commands.run(
                        work,
                        Duration.ofMinutes(1),
                        "docker",
                        "cp",
                        container + ":/usr/local/bin/etcd",
                        work.toString());
            } finally {
                Commands.run(work, Duration.ofMinutes(1), "docker", "rm", container);
            }
            return Commands.existing(work.resolve("etcd"));
        }
    }
}
