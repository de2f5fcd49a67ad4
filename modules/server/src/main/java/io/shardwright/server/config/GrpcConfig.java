package io.shardwright.server.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The endpoint that executors, spectators and operators call.
 *
 * @param listen where it listens; port 0 takes any free one
 * @param advertised where others reach this server (R20); always there when the store is etcd
 * @param maxMessageBytes the largest message that is read, in bytes
 * @param grace how long calls in flight may take to end after a stop was asked for
 * @param tls empty: plain text
 */
public record GrpcConfig(
        Transport transport,
        Listen listen,
        Optional<Advertised> advertised,
        int maxMessageBytes,
        Duration grace,
        Optional<Tls> tls) {

    /** A host that is no wildcard, and a port; empty: the one that is bound (R23). */
    public record Advertised(String host, OptionalInt port) {}

    /** Which HTTP/2 implementation hosts the services. */
    public enum Transport {
        NETTY,
        HELIDON
    }

    /** Server certificate and key (PEM), and what is asked of clients. */
    public record Tls(Path certFile, Path keyFile, Optional<Path> clientCaFile, boolean requireClientCert) {}
}
