package io.shardwright.persistence;

import io.shardwright.domain.Outcome;
import java.util.function.Consumer;

/**
 * A versioned key-value store, shaped after etcd v3.
 *
 * <p>One revision counts all write transactions; it only grows. Every key remembers the revision that created it, the
 * revision that wrote it last, how often it was written since its creation, and the lease it hangs on.
 *
 * <p>Calls are made on one event loop and answered on that same loop, never inside the call. What is <em>not</em>
 * promised: that an answer comes soon, that answers come in the order of the calls, or that a write without an answer
 * did not happen (see {@link Outcome.Unknown}). No adapter ever sends a write twice (R13). Every call ends with exactly
 * one answer.
 *
 * <p>{@code StoreConformanceTest} states the behaviour; it runs against every adapter and against a real etcd.
 */
public interface Store extends AutoCloseable {

    /** Reads keys, by default at the newest revision and linearizably. */
    void range(RangeRequest request, Consumer<Outcome<RangeResponse>> answer);

    /** Runs a transaction: all of it in one revision, or nothing. */
    void txn(Txn txn, Consumer<Outcome<TxnResponse>> answer);

    /**
     * Streams the changes of keys.
     *
     * @param listener called on the event loop; each call of {@link WatchListener#changed} carries whole revisions in
     *     order
     * @return a handle that ends the watch; after its return on the event loop the listener is not called again
     */
    Watch watch(WatchRequest request, WatchListener listener);

    /** Returns the leases of this store. */
    StoreLeases leases();

    /**
     * Forgets the history up to a revision. Reads of an older revision, and watches from this or an older revision,
     * fail with {@code OUT_OF_RANGE} afterwards: what was read at this revision can be followed from the next one on.
     *
     * @param revision at least 1, at most the newest revision, greater than the last one compacted
     */
    void compact(long revision, Consumer<Outcome<Long>> answer);

    /**
     * Ends all watches and connections; unanswered calls are answered with an unknown outcome or a failure. May be
     * repeated.
     */
    @Override
    void close();

    /** A running watch. */
    interface Watch {

        /** Ends the watch. May be repeated. */
        void cancel();
    }

    /** Hears of changes. */
    interface WatchListener {

        /** All events of one or more whole revisions, in order. */
        void changed(WatchBatch batch);

        /**
         * The watch ended and no more calls follow. {@code OUT_OF_RANGE}: the revision to resume from is compacted,
         * read everything again. Otherwise resume with the revision after the last one heard of.
         */
        void ended(Outcome.Fault fault);
    }
}
