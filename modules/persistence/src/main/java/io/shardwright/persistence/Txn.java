package io.shardwright.persistence;

import java.util.List;

/**
 * If all compares hold then one list of operations, else the other; in one revision.
 *
 * <p>Operations run in order, and a read sees the writes before it. Two writes of one key in one transaction are
 * refused ({@code INVALID}), as etcd does.
 */
public record Txn(List<Compare> compares, List<Op> success, List<Op> failure) {

    public Txn {
        compares = List.copyOf(compares);
        success = List.copyOf(success);
        failure = List.copyOf(failure);
    }

    /** A condition on one key; an absent key has version, revisions and lease 0. */
    public record Compare(Bytes key, Target target, Relation relation, long number, Bytes value) {

        /** Returns a condition on a number of the key. */
        public static Compare on(Bytes key, Target target, Relation relation, long number) {
            if (target == Target.VALUE) {
                throw new IllegalArgumentException("compare of " + key + ": target VALUE needs bytes; use onValue");
            }
            return new Compare(key, target, relation, number, Bytes.EMPTY);
        }

        /** Returns a condition on the value of the key; it fails when the key is absent. */
        public static Compare onValue(Bytes key, Relation relation, Bytes value) {
            return new Compare(key, Target.VALUE, relation, 0, value);
        }

        /** Returns the condition that the key was last written at {@code revision}; 0: the key is absent. */
        public static Compare modRevision(Bytes key, long revision) {
            return on(key, Target.MOD_REVISION, Relation.EQUAL, revision);
        }

        /** Returns the condition that the key was created at {@code revision}; 0: the key is absent. */
        public static Compare createRevision(Bytes key, long revision) {
            return on(key, Target.CREATE_REVISION, Relation.EQUAL, revision);
        }
    }

    /** What of a key is compared. */
    public enum Target {
        VERSION,
        CREATE_REVISION,
        MOD_REVISION,
        LEASE,
        VALUE
    }

    /** How it is compared: key's side first. */
    public enum Relation {
        EQUAL,
        NOT_EQUAL,
        LESS,
        GREATER
    }

    /** One operation. */
    public sealed interface Op {

        /** Writes a key; a {@code leaseId} of 0 detaches it from any lease. */
        record Put(Bytes key, Bytes value, long leaseId) implements Op {}

        /** Deletes keys. */
        record Delete(KeyRange range) implements Op {}

        /** Reads keys. */
        record Range(RangeRequest request) implements Op {}
    }
}
