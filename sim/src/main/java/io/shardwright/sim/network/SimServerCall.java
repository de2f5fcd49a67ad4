package io.shardwright.sim.network;

import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.Status;
import java.util.Optional;

/** The server's side of a call. Callbacks run as tasks of the server's process. */
final class SimServerCall<Q, A> extends ServerCall<Q, A> {

    /** Messages on their way or unread, after which the server is told to wait. */
    private static final int WINDOW = 16;

    private final SimCall<Q, A> peer;
    private final Conn conn;
    private final MethodDescriptor<Q, A> method;
    private Optional<Listener<Q>> listener = Optional.empty();
    private int unread;
    private boolean cancelled;
    private boolean over;

    SimServerCall(SimCall<Q, A> peer, Conn conn, MethodDescriptor<Q, A> method) {
        this.peer = peer;
        this.conn = conn;
        this.method = method;
    }

    void run(ServerCallHandler<Q, A> handler, Q message) {
        if (cancelled) {
            return;
        }
        Listener<Q> heard = handler.startCall(this, new Metadata());
        listener = Optional.of(heard);
        heard.onReady();
        heard.onMessage(message);
        heard.onHalfClose();
    }

    /** The client read a message. */
    void consumed() {
        conn.server().execute(() -> {
            boolean waited = !isReady();
            unread--;
            if (waited && isReady() && !over) {
                listener.ifPresent(Listener::onReady);
            }
        });
    }

    /** The client cancelled, or the connection was lost. */
    void cancelled() {
        conn.server().execute(() -> {
            if (!over) {
                over = true;
                cancelled = true;
                conn.remove(this);
                listener.ifPresent(Listener::onCancel);
            }
        });
    }

    @Override
    public void request(int messages) {}

    @Override
    public void sendHeaders(Metadata headers) {}

    @Override
    public void sendMessage(A message) {
        if (!over) {
            unread++;
            peer.answer(conn, message);
        }
    }

    @Override
    public boolean isReady() {
        return unread < WINDOW && !over;
    }

    @Override
    public void close(Status status, Metadata trailers) {
        if (over) {
            return;
        }
        over = true;
        conn.remove(this);
        peer.answerEnd(conn, status, trailers);
        listener.ifPresent(heard -> conn.server().execute(heard::onComplete));
    }

    @Override
    public boolean isCancelled() {
        return cancelled;
    }

    @Override
    public MethodDescriptor<Q, A> getMethodDescriptor() {
        return method;
    }
}
