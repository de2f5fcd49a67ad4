package io.shardwright.control;

import io.shardwright.domain.InvalidField;

/**
 * Limits and choices of the control plane.
 *
 * @param keyPrefix under which every key lies; ends with '/'
 * @param maxTxnOperations most operations in one transaction, at least 4; etcd's default limit is 128
 * @param maxRequestBytes most bytes of keys and values in one transaction; etcd's default limit is 1.5 MiB
 * @param massLossShare when more than this share of the executors of a namespace (and at least two) would be lost at
 *     once, nothing moves until another lease has passed (B7); 0 to 1
 */
public record ControlSettings(String keyPrefix, int maxTxnOperations, int maxRequestBytes, double massLossShare) {

    /** The settings that fit a store with etcd's default limits. */
    public static final ControlSettings DEFAULT = new ControlSettings("/shardwright/", 128, 1 << 20, 0.5);

    /** Checks the values. */
    public ControlSettings {
        if (!keyPrefix.endsWith("/")) {
            throw new InvalidField("key-prefix", keyPrefix, "must end with '/'");
        }
        if (maxTxnOperations < 4) {
            throw new InvalidField("max-txn-operations", Integer.toString(maxTxnOperations), "must be at least 4");
        }
        if (maxRequestBytes < 64 * 1024) {
            throw new InvalidField("max-request-bytes", Integer.toString(maxRequestBytes), "must be at least 65536");
        }
        if (!(massLossShare >= 0 && massLossShare <= 1)) {
            throw new InvalidField("mass-loss-share", Double.toString(massLossShare), "must be 0 to 1");
        }
    }
}
