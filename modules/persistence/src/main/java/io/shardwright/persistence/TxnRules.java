package io.shardwright.persistence;

import io.shardwright.domain.Outcome.Fault;
import io.shardwright.persistence.Txn.Compare;
import io.shardwright.persistence.Txn.Op;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What makes a transaction wrong whatever the store holds: etcd's own rules.
 *
 * <p>Both branches are checked, also the one that would not run. One rule is stricter than etcd's: a put and an
 * open-ended delete ({@code end} is one zero byte) that covers it are refused too; etcd overlooks that pair and then
 * writes one key twice in one revision, so the adapter for etcd refuses it itself.
 */
public final class TxnRules {

    /**
     * Bytes that one compare or operation counts in addition to its keys and values: about what its frame takes on
     * etcd's wire.
     */
    public static final int OPERATION_OVERHEAD = 16;

    private TxnRules() {}

    /** Returns what is wrong with a transaction, if anything. */
    public static Optional<Fault> check(Txn txn, StoreLimits limits) {
        int most = Math.max(
                txn.compares().size(),
                Math.max(txn.success().size(), txn.failure().size()));
        if (most > limits.operationsPerTxn()) {
            return invalid("transaction has " + most + " compares or operations in one list; at most "
                    + limits.operationsPerTxn() + " are allowed; split it");
        }
        for (Compare compare : txn.compares()) {
            if (compare.key().length() == 0) {
                return invalid("compare with an empty key; a key has at least one byte");
            }
        }
        Optional<Fault> fault = branch(txn.success()).or(() -> branch(txn.failure()));
        if (fault.isPresent()) {
            return fault;
        }
        long size = size(txn);
        if (size > limits.requestBytes()) {
            return invalid("transaction has " + size + " bytes; at most " + limits.requestBytes()
                    + " are allowed; split it or store smaller values");
        }
        return Optional.empty();
    }

    /** Returns why etcd would be wrong to accept a transaction: the one rule that is stricter than its own. */
    public static Optional<Fault> checkOpenDeletes(Txn txn) {
        return Stream.of(txn.success(), txn.failure())
                .filter(ops -> ops.stream()
                        .anyMatch(op ->
                                op instanceof Op.Delete delete && delete.range().isOpen()))
                .map(TxnRules::branch)
                .flatMap(Optional::stream)
                .findFirst();
    }

    /** Returns the bytes that a transaction counts towards {@link StoreLimits#requestBytes()}. */
    public static long size(Txn txn) {
        long size = 0;
        for (Compare compare : txn.compares()) {
            size += OPERATION_OVERHEAD;
            size += compare.key().length() + compare.value().length();
        }
        return size + size(txn.success()) + size(txn.failure());
    }

    private static long size(List<Op> ops) {
        long size = 0;
        for (Op op : ops) {
            size += OPERATION_OVERHEAD;
            size += switch (op) {
                case Op.Put put -> put.key().length() + put.value().length();
                case Op.Delete delete -> size(delete.range());
                case Op.Range read -> size(read.request().range());
            };
        }
        return size;
    }

    private static int size(KeyRange range) {
        return range.start().length() + range.end().length();
    }

    private static Optional<Fault> branch(List<Op> ops) {
        TreeSet<Bytes> written = new TreeSet<>();
        List<KeyRange> deleted = new ArrayList<>();
        for (Op op : ops) {
            switch (op) {
                case Op.Put put -> {
                    if (put.key().length() == 0) {
                        return invalid("put with an empty key; a key has at least one byte");
                    }
                    if (!written.add(put.key())) {
                        return twice(put.key());
                    }
                }
                case Op.Delete delete -> {
                    if (delete.range().start().length() == 0) {
                        return invalid("delete with an empty start key; a key has at least one byte");
                    }
                    deleted.add(delete.range());
                }
                case Op.Range read -> {
                    if (read.request().range().start().length() == 0) {
                        return invalid("range with an empty start key; a key has at least one byte");
                    }
                }
            }
        }
        for (KeyRange range : deleted) {
            for (Bytes key : written) {
                if (range.contains(key)) {
                    return twice(key);
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<Fault> twice(Bytes key) {
        return invalid("key " + key + " is written twice in one transaction; write each key once");
    }

    private static Optional<Fault> invalid(String message) {
        return Optional.of(new Fault(Fault.Kind.INVALID, message));
    }
}
