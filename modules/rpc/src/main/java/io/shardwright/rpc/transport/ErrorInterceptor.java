package io.shardwright.rpc.transport;

import com.google.protobuf.Any;
import com.google.rpc.ErrorInfo;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Turns whatever a service throws into the status of its call. A thrown or reported status goes out as it is; anything
 * else is a bug of ours: it is logged once and the client gets INTERNAL with {@code google.rpc.ErrorInfo} reason
 * {@code BUG}, without our internals in the text.
 *
 * <p>A call is closed once: what a service sends after its call was closed for it is dropped.
 */
public final class ErrorInterceptor implements ServerInterceptor {
    /** Domain of every {@code google.rpc.ErrorInfo} that we send. */
    public static final String ERROR_DOMAIN = "shardwright";

    /** Reason of an error that nobody foresaw. */
    public static final String BUG = "BUG";

    private static final System.Logger LOG = System.getLogger(ErrorInterceptor.class.getName());

    private final OpenCalls openCalls;

    /** @param openCalls counts the calls, and refuses and cuts them while the endpoint stops */
    public ErrorInterceptor(OpenCalls openCalls) {
        this.openCalls = openCalls;
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        GuardedCall<Q, R> guarded = new GuardedCall<>(call, openCalls);
        if (!openCalls.enter(guarded)) {
            guarded.cut();
            return new ServerCall.Listener<>() {};
        }
        try {
            return new GuardedListener<>(next.startCall(guarded, headers), guarded);
        } catch (Throwable thrown) {
            guarded.fail(thrown);
            return new ServerCall.Listener<>() {};
        }
    }

    /** The call as the service sees it: closed at most once, and never with an unexplained UNKNOWN. */
    private static final class GuardedCall<Q, R> extends SimpleForwardingServerCall<Q, R> implements OpenCalls.Call {
        private final ReentrantLock lock = new ReentrantLock();
        private boolean failed; // guarded by lock

        private final OpenCalls openCalls;

        GuardedCall(ServerCall<Q, R> delegate, OpenCalls openCalls) {
            super(delegate);
            this.openCalls = openCalls;
        }

        @Override
        public void cut() {
            fail(Status.UNAVAILABLE
                    .withDescription("the server is stopping; call another one")
                    .asRuntimeException());
        }

        void ended() {
            openCalls.leave(this);
        }

        @Override
        public void sendHeaders(Metadata headers) {
            unlessFailed(() -> super.sendHeaders(headers));
        }

        @Override
        public void sendMessage(R message) {
            unlessFailed(() -> super.sendMessage(message));
        }

        @Override
        public void close(Status status, Metadata trailers) {
            Throwable cause = status.getCause();
            if (status.getCode() == Status.Code.UNKNOWN && cause != null && !carriesStatus(cause)) {
                fail(cause); // onError(anything else) of a service arrives here
                return;
            }
            unlessFailed(() -> super.close(status, trailers));
        }

        void fail(Throwable thrown) {
            lock.lock();
            try {
                if (failed) {
                    return;
                }
                failed = true;
                closeWith(thrown);
                ended();
            } finally {
                lock.unlock();
            }
        }

        private void closeWith(Throwable thrown) {
            try {
                if (carriesStatus(thrown)) {
                    Metadata trailers = Status.trailersFromThrowable(thrown);
                    super.close(Status.fromThrowable(thrown), trailers == null ? new Metadata() : trailers);
                    return;
                }
                String method = getMethodDescriptor().getFullMethodName();
                LOG.log(System.Logger.Level.ERROR, () -> method + " failed: this is a bug", thrown);
                StatusRuntimeException bug = bug(method);
                Metadata trailers = bug.getTrailers();
                super.close(bug.getStatus(), trailers == null ? new Metadata() : trailers);
            } catch (IllegalStateException e) {
                // The service closed the call itself before it threw: the client has its status.
                LOG.log(System.Logger.Level.DEBUG, "call was closed before it failed", e);
            }
        }

        private void unlessFailed(Runnable action) {
            lock.lock();
            try {
                if (!failed) {
                    action.run();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    private static final class GuardedListener<Q> extends SimpleForwardingServerCallListener<Q> {
        private final GuardedCall<Q, ?> call;

        GuardedListener(ServerCall.Listener<Q> delegate, GuardedCall<Q, ?> call) {
            super(delegate);
            this.call = call;
        }

        @Override
        public void onMessage(Q message) {
            guarded(() -> super.onMessage(message));
        }

        @Override
        public void onHalfClose() {
            guarded(super::onHalfClose);
        }

        @Override
        public void onCancel() {
            call.ended();
            guarded(super::onCancel);
        }

        @Override
        public void onComplete() {
            call.ended();
            guarded(super::onComplete);
        }

        @Override
        public void onReady() {
            guarded(super::onReady);
        }

        private void guarded(Runnable callback) {
            try {
                callback.run();
            } catch (Throwable thrown) {
                call.fail(thrown);
            }
        }
    }

    private static boolean carriesStatus(@Nullable Throwable thrown) {
        return thrown instanceof StatusRuntimeException || thrown instanceof StatusException;
    }

    private static StatusRuntimeException bug(String method) {
        ErrorInfo info = ErrorInfo.newBuilder()
                .setDomain(ERROR_DOMAIN)
                .setReason(BUG)
                .putMetadata("method", method)
                .build();
        return StatusProto.toStatusRuntimeException(com.google.rpc.Status.newBuilder()
                .setCode(Status.Code.INTERNAL.value())
                .setMessage(
                        method + " failed on an error that nobody foresaw; the server's log has it, please report it")
                .addDetails(Any.pack(info))
                .build());
    }
}
