package io.shardwright.rpc.transport.helidon;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.grpc.Attributes;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One call, between Helidon's handler ({@code wire}) and the service, with the behaviour that grpc-java promises to
 * services: a context with the client's deadline that is cancelled when the call ends, callbacks one at a time,
 * messages only when asked for, a description that survives the wire.
 *
 * <p>Thread-safe: Helidon calls from the stream's thread and, for a reset, from the connection's; the service from
 * anywhere. The service's callbacks run under {@link #callbacks}, what it sends under {@link #output}; a thread that
 * holds the first may take the second, never the other way round.
 */
final class HelidonCall<Q, R> extends ServerCall<Q, R> {
    private static final System.Logger LOG = System.getLogger(HelidonCall.class.getName());

    /**
     * Credit that Helidon never runs out of: it miscounts at zero. Half of the range, since it adds without a check.
     */
    private static final int ENDLESS = Integer.MAX_VALUE / 2;

    private final ServerCall<byte[], R> wire;
    private final MethodDescriptor<Q, R> method;
    private final InboundMessages messages;
    private final Credit credit = new Credit();
    private final ReentrantLock callbacks = new ReentrantLock();
    private final ReentrantLock output = new ReentrantLock();

    private volatile boolean cancelled; // read by the service from anywhere
    private volatile boolean ended; // nothing may be sent any more; once true, stays true
    private final AtomicBoolean finished = new AtomicBoolean();
    private boolean listening; // Helidon has our listener; guarded by output
    private Runnable closeOnceListening = () -> {}; // guarded by output
    private Context.CancellableContext context =
            Context.ROOT.withCancellation(); // replaced before the service sees the call
    private Listener<Q> service = new Listener<>() {}; // likewise

    HelidonCall(ServerCall<byte[], R> wire, MethodDescriptor<Q, R> method, InboundMessages messages) {
        this.wire = wire;
        this.method = method;
        this.messages = messages;
    }

    /** Starts the service's side in a context of its own, and answers what Helidon shall call. */
    Listener<byte[]> start(
            ServerCallHandler<Q, R> handler, Metadata headers, Context parent, ScheduledExecutorService timer) {
        context = GrpcTimeout.in(headers)
                .map(timeout -> parent.withDeadlineAfter(timeout.toNanos(), NANOSECONDS, timer))
                .orElseGet(parent::withCancellation);
        context.addListener(this::contextEnded, Runnable::run);
        wire.request(ENDLESS);
        callback(() -> service = handler.startCall(this, headers));
        return new FromWire();
    }

    @Override
    public void request(int messages) {
        credit.add(messages);
    }

    @Override
    public void sendHeaders(Metadata headers) {
        send(() -> wire.sendHeaders(headers));
    }

    @Override
    public void sendMessage(R message) {
        send(() -> wire.sendMessage(message));
    }

    @Override
    public boolean isReady() {
        return !ended;
    }

    @Override
    public void close(Status status, Metadata trailers) {
        String description = status.getDescription();
        Status encoded = description == null ? status : status.withDescription(PercentEncoding.encode(description));
        output.lock();
        try {
            if (ended) {
                return;
            }
            ended = true;
            if (listening) {
                wire.close(encoded, trailers);
            } else {
                closeOnceListening = () -> wire.close(encoded, trailers);
            }
        } catch (RuntimeException connectionLost) {
            LOG.log(System.Logger.Level.DEBUG, "connection lost while a call was closed", connectionLost);
            cancelled = true;
        } finally {
            output.unlock();
        }
        finish();
    }

    @Override
    public boolean isCancelled() {
        return cancelled;
    }

    @Override
    public Attributes getAttributes() {
        return wire.getAttributes();
    }

    @Override
    public MethodDescriptor<Q, R> getMethodDescriptor() {
        return method;
    }

    /** The client or the connection is gone: nothing more can be sent. Never blocks. Idempotent. */
    void cancel() {
        if (ended) {
            return;
        }
        cancelled = true;
        finish();
    }

    /**
     * Helidon forgets a stream that is closed before it has the listener, and then trips over the rest of the request.
     */
    private void startListening() {
        output.lock();
        try {
            listening = true;
            closeOnceListening.run();
        } finally {
            output.unlock();
        }
    }

    private void send(Runnable action) {
        output.lock();
        try {
            if (!ended) {
                action.run();
            }
        } catch (RuntimeException connectionLost) {
            LOG.log(System.Logger.Level.DEBUG, "connection lost while a call was answered", connectionLost);
            cancel();
        } finally {
            output.unlock();
        }
    }

    /** Ends the call for the service; the last callback comes later, since the caller may hold locks. */
    private void finish() {
        ended = true;
        if (!finished.compareAndSet(false, true)) {
            return;
        }
        credit.end();
        Thread.startVirtualThread(() -> {
            context.cancel(null);
            callback(cancelled ? service::onCancel : service::onComplete);
        });
    }

    private void contextEnded(Context ended) {
        if (ended.cancellationCause() instanceof TimeoutException) {
            Thread.startVirtualThread(() -> {
                cancelled = true;
                close(Status.DEADLINE_EXCEEDED.withDescription("the client's deadline passed"), new Metadata());
            });
        }
    }

    private void callback(Runnable callback) {
        callbacks.lock();
        try {
            context.run(callback);
        } finally {
            callbacks.unlock();
        }
    }

    /** What Helidon calls. */
    private final class FromWire extends Listener<byte[]> {
        @Override
        public void onMessage(byte[] message) {
            wire.request(1);
            if (!credit.take()) {
                return;
            }
            Q parsed;
            try {
                parsed = method.parseRequest(messages.decode(message));
            } catch (StatusRuntimeException unreadable) {
                close(unreadable.getStatus(), new Metadata());
                return;
            }
            callback(() -> service.onMessage(parsed));
        }

        @Override
        public void onHalfClose() {
            if (!ended) {
                callback(service::onHalfClose);
            }
        }

        @Override
        public void onReady() {
            startListening();
            callback(service::onReady);
        }

        @Override
        public void onCancel() {
            if (wire.isCancelled()) {
                cancel();
            } else {
                // Helidon failed on a message before it reached us; all that is left there is the size.
                close(messages.tooLarge(), new Metadata());
            }
        }
    }
}
