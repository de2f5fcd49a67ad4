package io.shardwright.rpc.service;

import io.shardwright.control.NamespaceView;
import io.shardwright.control.Reply.Refusal;
import io.shardwright.proto.v1.RoutingDelta;
import io.shardwright.proto.v1.RoutingEvent;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The routing table of one namespace, for all who watch it. Thread-safe.
 *
 * <p>The event loop only hands a view over ({@link #offer}, {@link #end}) and never waits here; whoever reads next
 * computes the change, once for everybody.
 */
final class NamespaceRoutes {

    private final Executor writers;
    private final Queue<NamespaceView> arrived = new ConcurrentLinkedQueue<>();
    private final ConcurrentSkipListMap<Long, RoutingStream> streams =
            new ConcurrentSkipListMap<>(); // by their order of arrival
    private final AtomicLong arrivals = new AtomicLong();
    private final AtomicBoolean publishing = new AtomicBoolean();
    private volatile Optional<Refusal> ended = Optional.empty();

    /** Guards everything below. */
    private final ReentrantLock lock = new ReentrantLock();

    private final RoutingHistory history;
    private final RoutingParts parts;
    private NamespaceView current;
    private boolean unannounced;

    /** What a reader should hear next. */
    sealed interface Next {

        /** It has everything up to this revision. */
        record UpToDate(long revision) implements Next {}

        /** A change, from the revision that the reader has. */
        record Delta(RoutingEvent event) implements Next {}

        /** The change is forgotten; the whole table must be read. */
        record Whole(NamespaceView view) implements Next {}
    }

    NamespaceRoutes(String incarnation, RoutingHistory.Limits limits, NamespaceView view, Executor writers) {
        this.writers = writers;
        this.current = view;
        this.history = new RoutingHistory(incarnation, limits, view.revision());
        this.parts = new RoutingParts(incarnation);
    }

    // ------------------------------------------------------------------ event loop

    /** Takes the next state over. */
    void offer(NamespaceView view) {
        arrived.add(view);
        if (publishing.compareAndSet(false, true)) {
            writers.execute(this::publish);
        }
    }

    /** Ends every stream. */
    void end(Refusal why) {
        ended = Optional.of(why);
        streams.values().forEach(RoutingStream::wake);
    }

    // ------------------------------------------------------------------ readers

    private void publish() {
        publishing.set(false); // what arrives from here on calls for another run
        boolean news;
        lock.lock();
        try {
            catchUp();
            news = unannounced;
            unannounced = false;
        } finally {
            lock.unlock();
        }
        if (news) {
            streams.values().forEach(RoutingStream::wake);
        }
    }

    Optional<Refusal> ended() {
        return ended;
    }

    /** Wakes a stream at each change, until it runs what this returns. */
    Runnable join(RoutingStream stream) {
        long number = arrivals.incrementAndGet();
        streams.put(number, stream);
        return () -> streams.remove(number);
    }

    /** Returns the newest state. */
    NamespaceView newest() {
        lock.lock();
        try {
            catchUp();
            return current;
        } finally {
            lock.unlock();
        }
    }

    /** Returns what a reader that has everything up to a revision should hear. */
    Next after(long known) {
        lock.lock();
        try {
            catchUp();
            if (known == history.revision()) {
                return new Next.UpToDate(known);
            }
            Optional<RoutingEvent> event = history.after(known);
            if (event.isEmpty()) {
                return new Next.Whole(current);
            }
            boolean nothing = RoutingChanges.isEmpty(event.get().getDelta());
            return nothing && event.get().getRevision() == history.revision()
                    ? new Next.UpToDate(history.revision())
                    : new Next.Delta(event.get());
        } finally {
            lock.unlock();
        }
    }

    /** Returns a part of a whole table. */
    RoutingParts.Part part(NamespaceView view, RoutingParts.Place place) {
        lock.lock();
        try {
            return parts.part(view, place);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Computes the changes that arrived. Where one of them matters to routers, {@link #publish} still has to wake them,
     * whoever called this.
     */
    private void catchUp() {
        for (NamespaceView view = arrived.poll(); view != null; view = arrived.poll()) {
            RoutingDelta delta = RoutingChanges.between(current, view);
            history.add(delta, view.revision());
            current = view;
            parts.forget();
            unannounced |= !RoutingChanges.isEmpty(delta);
        }
    }
}
