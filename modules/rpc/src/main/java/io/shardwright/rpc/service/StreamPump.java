package io.shardwright.rpc.service;

import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Writes one stream at the pace of its reader.
 *
 * <p>The pump pulls: while the transport is ready it asks its {@link Source} what this reader should hear next, so
 * nothing queues up for a slow reader and a source can merge what it missed. {@link #wake} only leaves a note and never
 * blocks, so the event loop may call it. Writing is done by one thread at a time.
 */
final class StreamPump<T> {

    private final ServerCallStreamObserver<T> out;
    private final Executor writers;
    private final Source<T> source;

    /**
     * How often {@link #wake} was called since the writer last found nothing to do; the writer runs while it is not
     * zero.
     */
    private final AtomicInteger wakes = new AtomicInteger();

    // Written by the writer, one thread at a time; the hand-over goes through wakes.
    private boolean over;

    /** What a reader should hear next. Called by one thread at a time, never on the event loop. */
    interface Source<T> {

        /** Returns the end of the stream, once it is over. It is told at once, whatever else waits. */
        Optional<StatusRuntimeException> end();

        /** Returns the next message, or empty until the next {@link StreamPump#wake}. */
        Optional<T> next();
    }

    StreamPump(ServerCallStreamObserver<T> out, Executor writers, Source<T> source) {
        this.out = out;
        this.writers = writers;
        this.source = source;
    }

    /** Says that there may be something to write. Any thread; never blocks. */
    void wake() {
        if (wakes.getAndIncrement() == 0) {
            writers.execute(this::run);
        }
    }

    private void run() {
        int seen;
        do {
            seen = wakes.get();
            drain();
        } while (!wakes.compareAndSet(seen, 0));
    }

    private void drain() {
        while (!over) {
            if (out.isCancelled()) {
                over = true;
                return;
            }
            Optional<StatusRuntimeException> end = source.end();
            if (end.isPresent()) {
                over = true;
                out.onError(end.get());
                return;
            }
            if (!out.isReady()) {
                return; // the transport wakes us when it is
            }
            try {
                Optional<T> message = source.next();
                if (message.isEmpty()) {
                    return;
                }
                out.onNext(message.get());
            } catch (RuntimeException bug) {
                over = true;
                out.onError(bug);
            }
        }
    }
}
