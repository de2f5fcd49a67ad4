package io.shardwright.persistence;

/**
 * How large one request to an embedded store may be; etcd has the same limits in its own configuration.
 *
 * @param operationsPerTxn at most so many compares, and so many operations in each branch
 * @param requestBytes at most so many bytes of keys and values, counted with {@value TxnRules#OPERATION_OVERHEAD} bytes
 *     for each compare and operation
 */
public record StoreLimits(int operationsPerTxn, int requestBytes) {

    /** The defaults of etcd: 128 operations, 1.5 MiB. */
    public static final StoreLimits ETCD_DEFAULTS = new StoreLimits(128, 1536 * 1024);

    public StoreLimits {
        if (operationsPerTxn < 1 || requestBytes < 1024) {
            throw new IllegalArgumentException("operationsPerTxn=" + operationsPerTxn
                    + " must be at least 1 and requestBytes=" + requestBytes + " at least 1024");
        }
    }
}
