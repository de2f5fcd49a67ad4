package io.shardwright.persistence.mvcc;

import io.shardwright.persistence.StoreLimits;
import java.time.Duration;

/**
 * How an embedded store behaves where etcd has a configuration of its own.
 *
 * @param limits of one request
 * @param minLeaseTtlSeconds a shorter lease is granted this length
 * @param leaseScan how often ended leases are looked for
 * @param retainedRevisions about how many revisions of history are kept; the store compacts itself
 * @param retainedBytes about how much memory the history may take
 */
public record EmbeddedSettings(
        StoreLimits limits, long minLeaseTtlSeconds, Duration leaseScan, int retainedRevisions, long retainedBytes) {

    /**
     * Limits and scan interval of etcd; leases from 1 s, because an embedded store has no election of its own to
     * outlast; history of 1,000 revisions or 32 MiB, which serves a watch that fell behind for seconds and fits a small
     * heap.
     */
    public static final EmbeddedSettings DEFAULTS =
            new EmbeddedSettings(StoreLimits.ETCD_DEFAULTS, 1, Duration.ofMillis(500), 1_000, 32L * 1024 * 1024);

    public EmbeddedSettings {
        if (minLeaseTtlSeconds < 1
                || leaseScan.isNegative()
                || leaseScan.isZero()
                || retainedRevisions < 1
                || retainedBytes < 1) {
            throw new IllegalArgumentException(
                    "minLeaseTtlSeconds=" + minLeaseTtlSeconds + ", leaseScan=" + leaseScan + ", retainedRevisions="
                            + retainedRevisions + " and retainedBytes=" + retainedBytes + " must be positive");
        }
    }

    /** Returns these settings with other limits. */
    public EmbeddedSettings withLimits(StoreLimits other) {
        return new EmbeddedSettings(other, minLeaseTtlSeconds, leaseScan, retainedRevisions, retainedBytes);
    }

    /** Returns these settings with another length of history. */
    public EmbeddedSettings withRetention(int revisions, long bytes) {
        return new EmbeddedSettings(limits, minLeaseTtlSeconds, leaseScan, revisions, bytes);
    }

    /** Returns these settings with another shortest lease. */
    public EmbeddedSettings withMinLeaseTtlSeconds(long seconds) {
        return new EmbeddedSettings(limits, seconds, leaseScan, retainedRevisions, retainedBytes);
    }
}
