package io.shardwright.election;

import io.shardwright.domain.InvalidField;
import java.time.Duration;

/**
 * How replicas elect a leader.
 *
 * @param name of the election: candidates write their entries under {@code name/}, as etcd's own tools expect (R145)
 * @param ttl of the leadership lease: whole seconds, at least 2 (R169, R170)
 * @param clockDrift largest difference in clock rate between machines, as a fraction: 0.01 is 1 %
 * @param retryMin first pause before something that failed is tried again
 * @param retryMax longest pause (R173)
 */
public record ElectionSettings(String name, Duration ttl, double clockDrift, Duration retryMin, Duration retryMax) {

    /** Settings for an election below a key prefix, with the defaults: TTL 10 s (R9), drift 1 %. */
    public static ElectionSettings under(String keyPrefix) {
        return new ElectionSettings(
                keyPrefix + "leader", Duration.ofSeconds(10), 0.01, Duration.ofMillis(100), Duration.ofSeconds(2));
    }

    /** Checks the bounds. */
    public ElectionSettings {
        if (name.isEmpty() || name.endsWith("/")) {
            throw new InvalidField("election name", name, "must be a key that does not end with '/'");
        }
        if (ttl.toSeconds() < 2 || !ttl.equals(Duration.ofSeconds(ttl.toSeconds()))) {
            throw new InvalidField(
                    "leadership TTL",
                    ttl.toString(),
                    "must be a whole number of seconds, at least 2: etcd cuts the rest off and grants no less");
        }
        if (!(clockDrift >= 0 && clockDrift <= 0.5)) {
            throw new InvalidField("clock drift", Double.toString(clockDrift), "must be 0 to 0.5");
        }
        if (retryMin.isNegative() || retryMin.isZero() || retryMax.compareTo(retryMin) < 0) {
            throw new InvalidField(
                    "retry delays",
                    retryMin + " to " + retryMax,
                    "must be positive, and the longest not below the first");
        }
    }

    /** Returns these settings with another TTL. */
    public ElectionSettings withTtl(Duration other) {
        return new ElectionSettings(name, other, clockDrift, retryMin, retryMax);
    }
}
