package io.shardwright.persistence.mvcc;

import io.shardwright.domain.Outcome.Fault;
import io.shardwright.persistence.WatchBatch.Event;
import java.util.List;

/**
 * Where an embedded store writes a change before it makes it.
 *
 * <p>Each method returns after the change is as safe as the journal makes it, or throws {@link JournalException} and
 * says what is known. Called by one thread.
 */
public interface Journal extends AutoCloseable {

    /** A journal that keeps nothing. */
    Journal NONE = new Journal() {
        @Override
        public void commit(List<Commit> commits) {}

        @Override
        public void grant(long leaseId, long ttlSeconds) {}

        @Override
        public void revoke(long leaseId, List<Commit> deletions) {}

        @Override
        public void compact(long revision, List<Event> forgotten) {}

        @Override
        public Loaded load() {
            return Loaded.EMPTY;
        }

        @Override
        public void probe() {}

        @Override
        public void close() {}
    };

    /** Writes the changes of revisions that follow each other: all or none. */
    void commit(List<Commit> commits) throws JournalException;

    /** Writes a granted lease. */
    void grant(long leaseId, long ttlSeconds) throws JournalException;

    /** Removes a lease and writes the deletion of its keys (at most one commit): both or none. */
    void revoke(long leaseId, List<Commit> deletions) throws JournalException;

    /** Writes the compaction point and removes versions. */
    void compact(long revision, List<Event> forgotten) throws JournalException;

    /** Reads everything back. */
    Loaded load() throws JournalException;

    /** Finds out whether the journal still works; called now and then when nothing is written. */
    void probe() throws JournalException;

    @Override
    void close();

    /**
     * What a journal holds.
     *
     * @param commits of the versions that are kept, in the order of their revisions
     * @param revision newest revision
     * @param compacted compaction point
     * @param leases in the order of their ids
     * @param lastLeaseId greatest lease id that was ever granted
     */
    record Loaded(List<Commit> commits, long revision, long compacted, List<LoadedLease> leases, long lastLeaseId) {

        /** The content of a new store. */
        public static final Loaded EMPTY = new Loaded(List.of(), MvccEngine.FIRST_REVISION, 0, List.of(), 0);

        public Loaded {
            commits = List.copyOf(commits);
            leases = List.copyOf(leases);
        }
    }

    /** A lease that a journal holds; its time starts again in full when it is loaded. */
    record LoadedLease(long id, long ttlSeconds) {}

    /** A change was not written, or nobody knows. */
    final class JournalException extends Exception {

        /** How much is known after a fault. */
        public enum Effect {
            /** Nothing was written, and the journal can go on. */
            NONE,
            /** The change may have been written; what the journal holds must be loaded again. */
            UNKNOWN,
            /** Nothing was written, and the journal is of no further use. */
            NONE_AND_ENDED,
            /** The change may have been written, and the journal is of no further use. */
            UNKNOWN_AND_ENDED
        }

        private final transient Fault fault;
        private final Effect effect;

        /** Makes the exception. */
        public JournalException(Fault fault, Effect effect, Throwable cause) {
            super(fault.message(), cause);
            this.fault = fault;
            this.effect = effect;
        }

        /** Returns what the caller of the store is told. */
        public Fault fault() {
            return fault;
        }

        /** Returns how much is known. */
        public Effect effect() {
            return effect;
        }
    }
}
