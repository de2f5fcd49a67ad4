package io.shardwright.rpc.transport.helidon;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.http.http2.ConnectionFlowControl;
import io.helidon.http.http2.Http2ErrorCode;
import io.helidon.http.http2.Http2FrameHeader;
import io.helidon.http.http2.Http2RstStream;
import io.helidon.http.http2.Http2StreamState;
import io.helidon.http.http2.Http2StreamWriter;
import io.helidon.http.http2.Http2WindowUpdate;
import io.helidon.http.http2.StreamFlowControl;
import io.helidon.webserver.http2.spi.Http2SubProtocolSelector.SubProtocolHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/**
 * Ends a connection's calls in the orders that need luck on real sockets. Helidon answers every frame for a stream that
 * it has forgotten by ending the connection, with all other calls on it; the conformance suite has seen it once in some
 * ten thousand cancels.
 */
final class FrameFilterTest {
    private static final byte[] PREFACE = new byte[24];

    private final Queue<byte[]> incoming = new ArrayDeque<>();
    private final OpenStreams streams = new OpenStreams();
    private final FrameFilter filter = new FrameFilter(DataReader.create(this::nextBytes), streams);
    private final DataReader reader = filter.reader();
    private final RecordingHandler handler = new RecordingHandler();

    @Test
    void aResetWhileHelidonTakesUpTheHandlerReachesTheCallAndItsDataDoesNotReachHelidon() {
        sent(frame("HEADERS", 1), frame("RST_STREAM", 1), frame("DATA", 1), frame("PING", 0));

        assertEquals("HEADERS 1", next());
        bind(1); // and Helidon has not kept the handler when the reset comes, so it tells nobody
        assertEquals("RST_STREAM 1", next());
        assertEquals("PING 0", next());

        assertEquals(1, handler.resets);
    }

    @Test
    void aResetBeforeTheCallIsBoundReachesTheCallWhenItIs() {
        sent(frame("HEADERS", 1), frame("RST_STREAM", 1), frame("DATA", 1), frame("PING", 0));

        assertEquals("HEADERS 1", next());
        assertEquals("RST_STREAM 1", next());
        assertEquals("PING 0", next());
        bind(1);

        assertEquals(1, handler.resets);
    }

    @Test
    void aResetThatHelidonHandsOnIsToldOnce() {
        sent(frame("HEADERS", 1), frame("RST_STREAM", 1), frame("PING", 0));

        assertEquals("HEADERS 1", next());
        HelidonStream call = bind(1);
        assertEquals("RST_STREAM 1", next());
        call.rstStream(new Http2RstStream(Http2ErrorCode.CANCEL));
        assertEquals("PING 0", next());

        assertEquals(1, handler.resets);
    }

    @Test
    void aWindowForACallThatHasEndedDoesNotReachHelidon() {
        sent(
                frame("HEADERS", 1),
                frame("WINDOW_UPDATE", 1),
                frame("WINDOW_UPDATE", 0),
                frame("WINDOW_UPDATE", 1),
                frame("PING", 0));

        assertEquals("HEADERS 1", next());
        HelidonStream call = bind(1);
        assertEquals("WINDOW_UPDATE 1", next());
        assertEquals("WINDOW_UPDATE 0", next());
        handler.state = Http2StreamState.CLOSED;
        call.init();
        assertEquals("PING 0", next());
    }

    private HelidonStream bind(int id) {
        StreamFlowControl flowControl = ConnectionFlowControl.serverBuilder(FrameFilterTest::ignore)
                .blockTimeout(Duration.ofSeconds(1))
                .build()
                .createStreamFlowControl(id, 65_535, 16_384);
        HelidonStream call = new HelidonStream(handler, flowControl, () -> streams.closed(id));
        streams.bind(id, call, silentWriter());
        return call;
    }

    private static void ignore(Integer stream, Http2WindowUpdate update) {}

    private static Http2StreamWriter silentWriter() {
        return (Http2StreamWriter) Proxy.newProxyInstance(
                FrameFilterTest.class.getClassLoader(),
                new Class<?>[] {Http2StreamWriter.class},
                (proxy, method, args) -> {
                    throw new AssertionError("nothing is to be written, but " + method);
                });
    }

    private static final List<String> TYPES = List.of(
            "DATA",
            "HEADERS",
            "PRIORITY",
            "RST_STREAM",
            "SETTINGS",
            "PUSH_PROMISE",
            "PING",
            "GOAWAY",
            "WINDOW_UPDATE",
            "CONTINUATION");

    private static byte[] frame(String type, int stream) {
        return new byte[] {0, 0, 0, (byte) TYPES.indexOf(type), 0, 0, 0, 0, (byte) stream};
    }

    private void sent(byte[]... frames) {
        incoming.add(PREFACE);
        incoming.addAll(List.of(frames));
        reader.readBuffer(PREFACE.length);
    }

    private byte[] nextBytes() {
        return incoming.remove();
    }

    /** The next frame that Helidon sees. */
    private String next() {
        BufferData header = reader.readBuffer(Http2FrameHeader.LENGTH);
        Http2FrameHeader frame = Http2FrameHeader.create(header);
        return frame.type().name() + " " + frame.streamId();
    }

    private static final class RecordingHandler implements SubProtocolHandler {
        int resets;
        Http2StreamState state = Http2StreamState.OPEN;

        @Override
        public void init() {}

        @Override
        public Http2StreamState streamState() {
            return state;
        }

        @Override
        public void rstStream(Http2RstStream reset) {
            resets++;
            state = Http2StreamState.CLOSED;
        }

        @Override
        public void windowUpdate(Http2WindowUpdate update) {}

        @Override
        public void data(Http2FrameHeader header, BufferData data) {}
    }
}
