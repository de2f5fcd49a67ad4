package io.shardwright.rpc.transport;

import java.time.Duration;

/**
 * Where and how a gRPC endpoint listens. Immutable.
 *
 * @param host name or address to bind; {@code 0.0.0.0} for all
 * @param port 0 to 65535; 0 takes any free port
 * @param maxMessageBytes largest message accepted from a client, after decompression; larger ones end their call with
 *     RESOURCE_EXHAUSTED
 * @param grace how long {@link GrpcEndpoint#close()} waits for calls in flight
 * @param keepalive when quiet connections are probed and closed
 * @param security plain text, TLS or mutual TLS
 */
public record GrpcEndpointSettings(
        String host,
        int port,
        int maxMessageBytes,
        Duration grace,
        KeepaliveSettings keepalive,
        TransportSecurity security) {

    /** Four times grpc-java's own default: a segment of 100,000 shards with its metadata fits with room to spare. */
    public static final int DEFAULT_MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

    /** Shorter than the 30 s that Kubernetes gives a pod between SIGTERM and SIGKILL. */
    public static final Duration DEFAULT_GRACE = Duration.ofSeconds(10);

    public GrpcEndpointSettings {
        if (host.isBlank()) {
            throw new IllegalArgumentException("host is blank; give a name or address to bind, 0.0.0.0 for all");
        }
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("port is " + port + "; it must be 0 (any free port) to 65535");
        }
        if (maxMessageBytes < 1) {
            throw new IllegalArgumentException("maxMessageBytes is " + maxMessageBytes + "; it must be at least 1");
        }
        if (grace.isNegative()) {
            throw new IllegalArgumentException("grace is " + grace + "; it must not be negative");
        }
    }

    /** Plain text with default limits on the given address. */
    public static GrpcEndpointSettings plaintext(String host, int port) {
        return new GrpcEndpointSettings(
                host,
                port,
                DEFAULT_MAX_MESSAGE_BYTES,
                DEFAULT_GRACE,
                KeepaliveSettings.DEFAULT,
                new TransportSecurity.Plaintext());
    }

    /** The same with another security. */
    public GrpcEndpointSettings withSecurity(TransportSecurity security) {
        return new GrpcEndpointSettings(host, port, maxMessageBytes, grace, keepalive, security);
    }

    /** The same with another grace. */
    public GrpcEndpointSettings withGrace(Duration grace) {
        return new GrpcEndpointSettings(host, port, maxMessageBytes, grace, keepalive, security);
    }

    /** The same with another keepalive. */
    public GrpcEndpointSettings withKeepalive(KeepaliveSettings keepalive) {
        return new GrpcEndpointSettings(host, port, maxMessageBytes, grace, keepalive, security);
    }

    /** The same with another message limit. */
    public GrpcEndpointSettings withMaxMessageBytes(int maxMessageBytes) {
        return new GrpcEndpointSettings(host, port, maxMessageBytes, grace, keepalive, security);
    }
}
