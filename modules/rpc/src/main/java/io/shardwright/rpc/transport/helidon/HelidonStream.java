package io.shardwright.rpc.transport.helidon;

import io.helidon.common.buffers.BufferData;
import io.helidon.http.http2.Http2ErrorCode;
import io.helidon.http.http2.Http2FrameHeader;
import io.helidon.http.http2.Http2RstStream;
import io.helidon.http.http2.Http2StreamState;
import io.helidon.http.http2.Http2WindowUpdate;
import io.helidon.http.http2.StreamFlowControl;
import io.helidon.webserver.http2.spi.Http2SubProtocolSelector.SubProtocolHandler;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The frames of one call on their way to Helidon's handler. Whatever ends the stream early arrives there as the one
 * reset that it understands. Resets come on the connection's thread, everything else on the stream's own.
 */
final class HelidonStream implements SubProtocolHandler {
    /** Enough for the rest of any message that a writer may be stuck in; the reader has gone and drops it. */
    private static final int RELEASE_BYTES = 64 * 1024 * 1024;

    private final SubProtocolHandler handler;
    private final StreamFlowControl flowControl;
    private final Runnable whenClosed;
    private final AtomicBoolean reset = new AtomicBoolean();
    private volatile @Nullable Thread
            reader; // set by the stream's thread, interrupted by the connection's when it is lost

    HelidonStream(SubProtocolHandler handler, StreamFlowControl flowControl, Runnable whenClosed) {
        this.handler = handler;
        this.flowControl = flowControl;
        this.whenClosed = whenClosed;
    }

    @Override
    public void init() {
        reader = Thread.currentThread();
        handler.init();
        if (reset.get()) {
            handler.rstStream(new Http2RstStream(Http2ErrorCode.CANCEL)); // one that came while there was no listener
        }
        forgetIfClosed();
    }

    @Override
    public Http2StreamState streamState() {
        return handler.streamState();
    }

    /** Whether the service's side has ended. */
    boolean answered() {
        Http2StreamState state = handler.streamState();
        return state == Http2StreamState.HALF_CLOSED_LOCAL || state == Http2StreamState.CLOSED;
    }

    @Override
    public void rstStream(Http2RstStream frame) {
        reset();
    }

    /** The client takes the call back. Thread-safe, idempotent. */
    void reset() {
        if (!reset.compareAndSet(false, true)) {
            return;
        }
        // Helidon takes only CANCEL for a cancellation; to a service every reset is one.
        handler.rstStream(new Http2RstStream(Http2ErrorCode.CANCEL));
        flowControl.outbound().incrementStreamWindowSize(RELEASE_BYTES);
        whenClosed.run();
    }

    @Override
    public void windowUpdate(Http2WindowUpdate update) {
        handler.windowUpdate(update);
    }

    @Override
    public void data(Http2FrameHeader header, BufferData data) {
        handler.data(header, data);
        forgetIfClosed();
    }

    /** The connection is gone: cancels the call, and lets the threads go that wait for its frames. */
    void connectionLost() {
        reset();
        Thread waiting = reader;
        if (waiting != null) {
            waiting.interrupt();
        }
    }

    private void forgetIfClosed() {
        if (handler.streamState() == Http2StreamState.CLOSED) {
            whenClosed.run();
        }
    }
}
