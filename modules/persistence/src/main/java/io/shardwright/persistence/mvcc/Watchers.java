package io.shardwright.persistence.mvcc;

import io.shardwright.domain.Outcome;
import io.shardwright.domain.Outcome.Fault;
import io.shardwright.domain.Scheduler;
import io.shardwright.persistence.Store.Watch;
import io.shardwright.persistence.Store.WatchListener;
import io.shardwright.persistence.WatchBatch;
import io.shardwright.persistence.WatchRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The watches of an embedded store: each remembers the next revision it wants, and gets what the engine's log has
 * since.
 *
 * <p>All methods but {@link #handle} and {@link #refuse} run on the store's loop; listeners are called on the answer
 * loop.
 */
final class Watchers {

    /** Revisions in one batch, at most, so that a watch that starts far back does not make one huge message. */
    private static final int REVISIONS_PER_BATCH = 1_000;

    private final Scheduler answers;
    private final List<Watcher> watchers = new ArrayList<>();

    Watchers(Scheduler answers) {
        this.answers = answers;
    }

    /** A handle that exists before the watch does, so that it can be cancelled at once. */
    Watcher handle(WatchRequest request, WatchListener listener, Scheduler storeLoop) {
        return new Watcher(request, listener, storeLoop);
    }

    /** Ends a watch that was not added. May be called from any thread. */
    void refuse(Watcher watcher, Fault fault) {
        watcher.end(fault);
    }

    void add(Watcher watcher, MvccEngine engine) {
        watcher.next = watcher.request.fromRevision() > 0 ? watcher.request.fromRevision() : engine.revision() + 1;
        Optional<Fault> fault = watcher.request.check();
        if (fault.isPresent()) {
            watcher.end(fault.get());
            return;
        }
        watchers.add(watcher);
        pump(engine);
    }

    /** Hands out what is new. */
    void pump(MvccEngine engine) {
        watchers.removeIf(watcher -> !watcher.pump(engine));
    }

    void endAll(Fault fault) {
        watchers.forEach(watcher -> watcher.end(fault));
        watchers.clear();
    }

    final class Watcher implements Watch {
        private final WatchRequest request;
        private final WatchListener listener;
        private final Scheduler storeLoop;
        private long next;

        /**
         * Set by the caller, read before each call of the listener on the answer loop, and by the store's loop to
         * forget the watch.
         */
        private volatile boolean cancelled;

        private Watcher(WatchRequest request, WatchListener listener, Scheduler storeLoop) {
            this.request = request;
            this.listener = listener;
            this.storeLoop = storeLoop;
        }

        @Override
        public void cancel() {
            if (!cancelled) {
                cancelled = true;
                storeLoop.execute(() -> watchers.remove(this));
            }
        }

        /** Returns whether the watch goes on. */
        private boolean pump(MvccEngine engine) {
            while (!cancelled && next <= engine.revision()) {
                switch (engine.changes(request.range(), next, REVISIONS_PER_BATCH)) {
                    case Outcome.Success<WatchBatch>(WatchBatch batch) -> {
                        next = batch.revision() + 1;
                        if (!batch.events().isEmpty()) {
                            tell(() -> listener.changed(batch));
                        }
                    }
                    case Outcome.Failure<WatchBatch>(Fault fault) -> {
                        end(fault);
                        return false;
                    }
                    case Outcome.Unknown<WatchBatch>(Fault fault) -> {
                        end(fault);
                        return false;
                    }
                }
            }
            return !cancelled;
        }

        private void end(Fault fault) {
            tell(() -> listener.ended(fault));
        }

        private void tell(Runnable call) {
            answers.execute(() -> {
                if (!cancelled) {
                    call.run();
                }
            });
        }
    }
}
