package io.shardwright.rpc.transport;

import java.time.Duration;

/**
 * When quiet connections are probed, and when unused ones are closed. Immutable.
 *
 * @param probeAfter the server pings a connection on which nothing was read for this long
 * @param probeTimeout a ping unanswered for this long closes the connection
 * @param clientProbesAtMostEvery clients that ping more often than this are disconnected; pings are welcome without
 *     calls too
 * @param idleTimeout a connection without any open call for this long is closed; a quiet stream is an open call
 */
public record KeepaliveSettings(
        Duration probeAfter, Duration probeTimeout, Duration clientProbesAtMostEvery, Duration idleTimeout) {

    /**
     * Half of the default executor lease for the probe, so that a dead peer is found about when its lease ends; one
     * second for client pings, the shortest lease that executors may have.
     */
    public static final KeepaliveSettings DEFAULT = new KeepaliveSettings(
            Duration.ofSeconds(7), Duration.ofSeconds(7), Duration.ofSeconds(1), Duration.ofMinutes(30));

    public KeepaliveSettings {
        requirePositive("probeAfter", probeAfter);
        requirePositive("probeTimeout", probeTimeout);
        requirePositive("clientProbesAtMostEvery", clientProbesAtMostEvery);
        requirePositive("idleTimeout", idleTimeout);
    }

    /** The same with another idle timeout. */
    public KeepaliveSettings withIdleTimeout(Duration idleTimeout) {
        return new KeepaliveSettings(probeAfter, probeTimeout, clientProbesAtMostEvery, idleTimeout);
    }

    private static void requirePositive(String field, Duration value) {
        if (value.isZero() || value.isNegative()) {
            throw new IllegalArgumentException(field + " is " + value + "; it must be longer than zero");
        }
    }
}
