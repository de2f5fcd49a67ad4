package io.shardwright.rpc.transport;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends the newest state down a server stream, as fast as its reader takes it and no faster. At most one message waits:
 * a newer one replaces it. So a slow reader costs the memory of one supplier, and gets merged updates instead of a
 * backlog.
 *
 * <p>The message is made only when it can go out: let the supplier say what changed since the message before, and the
 * merge is right by itself. Suppliers of one sender run one at a time, in the order of their offers, on a virtual
 * thread of the sender, which may block in the transport.
 *
 * <p>Thread-safe. No method blocks or does I/O: the control event loop may call them all.
 *
 * @param <T> the messages of the stream
 */
public final class StreamSender<T> {
    private final ServerCallStreamObserver<T> call;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Supplier<? extends T> waiting; // guarded by lock
    private @Nullable Runnable ending; // how to end the stream once nothing waits; guarded by lock
    private boolean writing; // a virtual thread is at it; guarded by lock
    private boolean ended; // guarded by lock

    private StreamSender(ServerCallStreamObserver<T> call) {
        this.call = call;
    }

    /**
     * Takes over the stream. Call it in the service method itself, and leave the observer alone afterwards.
     *
     * @param replies what the service method was given
     * @param whenCancelled called once if the client or the connection goes away before the sender ended the stream
     */
    public static <T> StreamSender<T> open(StreamObserver<T> replies, Runnable whenCancelled) {
        if (!(replies instanceof ServerCallStreamObserver<T> call)) {
            throw new IllegalArgumentException(
                    "replies is a " + replies.getClass().getName() + "; it must be the observer of a server call");
        }
        StreamSender<T> sender = new StreamSender<>(call);
        call.setOnReadyHandler(sender::write);
        call.setOnCancelHandler(() -> {
            if (sender.end()) {
                whenCancelled.run();
            }
        });
        return sender;
    }

    /**
     * Sends what the supplier makes when the reader can take it; replaces what waits. Ignored once the stream is
     * ending.
     */
    public void offer(Supplier<? extends T> latest) {
        lock.lock();
        try {
            if (ended || ending != null) {
                return;
            }
            waiting = latest;
        } finally {
            lock.unlock();
        }
        write();
    }

    /** Ends the stream after what waits. The first ending counts. */
    public void complete() {
        endWith(call::onCompleted);
    }

    /** Ends the stream with an error after what waits. The first ending counts. */
    public void fail(Throwable error) {
        endWith(() -> call.onError(error));
    }

    private void endWith(Runnable ending) {
        lock.lock();
        try {
            if (this.ending == null) {
                this.ending = ending;
            }
        } finally {
            lock.unlock();
        }
        write();
    }

    /** Starts a writer if there is something to write, the reader can take it, and no writer is at it. */
    private void write() {
        lock.lock();
        try {
            if (!writing && hasWork()) {
                writing = true;
                Thread.startVirtualThread(this::writeAll);
            }
        } finally {
            lock.unlock();
        }
    }

    private void writeAll() {
        try {
            for (Runnable next = next(); next != null; next = next()) {
                next.run();
            }
        } catch (RuntimeException | Error thrown) {
            if (end()) {
                call.onError(thrown);
            }
        }
    }

    private @Nullable Runnable next() {
        lock.lock();
        try {
            if (!hasWork()) {
                writing = false;
                return null;
            }
            Supplier<? extends T> message = waiting;
            waiting = null;
            if (message != null) {
                return () -> call.onNext(message.get());
            }
            ended = true;
            return ending;
        } finally {
            lock.unlock();
        }
    }

    /** An ending stream does not wait for its reader: one message more is no backlog. */
    private boolean hasWork() {
        return !ended && (ending != null || (waiting != null && call.isReady()));
    }

    /** True for the first caller. */
    private boolean end() {
        lock.lock();
        try {
            boolean first = !ended;
            ended = true;
            waiting = null;
            return first;
        } finally {
            lock.unlock();
        }
    }
}
