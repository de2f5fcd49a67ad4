package io.shardwright.rpc.transport;

import java.time.Duration;

/**
 * When quiet connections are probed, and when unused ones are closed. Immutable.
 *
 * @param probeAfter the server pings a connection on which nothing was read for this long; at least 10 s, because
 *     grpc-java takes any shorter time for 10 s
 * @param probeTimeout a ping unanswered for this long closes the connection
 * @param clientProbesAtMostEvery clients that ping more often than this are disconnected; pings are welcome without
 *     calls too
 * @param idleTimeout a connection without any open call for this long is closed; a quiet stream is an open call
 */
public record KeepaliveSettings(
        Duration probeAfter, Duration probeTimeout, Duration clientProbesAtMostEvery, Duration idleTimeout) {

    /** The least that grpc-java keeps to. */
    private static final Duration SHORTEST_PROBE = Duration.ofSeconds(10);

    /**
     * A dead peer is found about when a lease of the default length ends; one second for client pings, the shortest
     * lease that executors may have.
     */
    public static final KeepaliveSettings DEFAULT =
            new KeepaliveSettings(SHORTEST_PROBE, Duration.ofSeconds(5), Duration.ofSeconds(1), Duration.ofMinutes(30));

    public KeepaliveSettings {
        if (probeAfter.compareTo(SHORTEST_PROBE) < 0) {
            throw new IllegalArgumentException("probeAfter is " + probeAfter + "; it must be 10 s or more");
        }
        requirePositive("probeTimeout", probeTimeout);
        requirePositive("clientProbesAtMostEvery", clientProbesAtMostEvery);
        requirePositive("idleTimeout", idleTimeout);
    }

    /** The same with another idle timeout. */
    public KeepaliveSettings withIdleTimeout(Duration idleTimeout) {
        return new KeepaliveSettings(probeAfter, probeTimeout, clientProbesAtMostEvery, idleTimeout);
    }

    /** The same with another time that a ping may be unanswered. */
    public KeepaliveSettings withProbeTimeout(Duration probeTimeout) {
        return new KeepaliveSettings(probeAfter, probeTimeout, clientProbesAtMostEvery, idleTimeout);
    }

    private static void requirePositive(String field, Duration value) {
        if (value.isZero() || value.isNegative()) {
            throw new IllegalArgumentException(field + " is " + value + "; it must be longer than zero");
        }
    }
}
