package io.shardwright.rpc.transport.helidon;

import io.helidon.http.http2.Http2Flag;
import io.helidon.http.http2.Http2Settings;
import io.helidon.http.http2.Http2StreamWriter;
import io.helidon.http.http2.Http2WindowUpdate;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The streams of one connection that Helidon still knows. The connection's thread opens them and resets them; the
 * streams' own threads bind and close them. Thread-safe.
 */
final class OpenStreams {
    private static final Http2Settings NO_SETTINGS = Http2Settings.create();

    private final Map<Integer, Entry> streams = new ConcurrentHashMap<>();
    private volatile @Nullable Http2StreamWriter writer; // the connection's; set by its streams, used by its own thread
    private volatile long quietSinceNanos = System.nanoTime(); // written by stream threads, read by the idle timer
    private @Nullable Entry justReset; // of the connection's thread alone
    private volatile boolean lost; // written by the connection's thread, read by stream threads

    /** A stream from its first frame on; the call is bound once Helidon has looked at the headers. */
    private static final class Entry {
        volatile @Nullable HelidonStream call;
        volatile boolean halfClosed;
        volatile boolean foreign;
    }

    /** The client opened the stream, or sent trailers on it. */
    void opened(int id, boolean halfClosed) {
        streams.computeIfAbsent(id, unused -> new Entry()).halfClosed = halfClosed;
    }

    /** The client sent data; false if Helidon does not know the stream any more. */
    boolean received(int id, boolean halfClosed) {
        Entry entry = streams.get(id);
        if (entry == null) {
            return false;
        }
        if (halfClosed) {
            entry.halfClosed = true;
            if (entry.foreign) {
                closed(id);
            }
        }
        return true;
    }

    /** Returns to the client the part of the connection's window that dropped data took. */
    void giveBack(int bytes) {
        Http2StreamWriter connection = writer;
        if (bytes > 0 && connection != null) {
            connection.write(new Http2WindowUpdate(bytes).toFrameData(NO_SETTINGS, 0, Http2Flag.NoFlags.create()));
        }
    }

    /** Whether Helidon knows the stream: to one that it has forgotten it would answer by ending the connection. */
    boolean known(int id) {
        return streams.containsKey(id);
    }

    /**
     * The client reset the stream. No frame of it matters after that, but the reset itself may: Helidon forgets streams
     * that both sides have ended, some time after.
     */
    boolean resetMatters(int id) {
        Entry entry = streams.get(id);
        if (entry == null) {
            return false;
        }
        HelidonStream call = entry.call;
        if (call != null && entry.halfClosed && call.answered()) {
            return false;
        }
        streams.remove(id);
        justReset = entry;
        return true;
    }

    /**
     * Helidon has handled the last frame that it was given. If that was a reset, it has not told the call when it was
     * between making its handler and keeping it; so the call is told here too.
     */
    void handled() {
        Entry entry = justReset;
        if (entry != null) {
            justReset = null;
            HelidonStream call = entry.call;
            if (call != null) {
                call.reset();
            }
        }
    }

    void bind(int id, HelidonStream call, Http2StreamWriter connectionWriter) {
        writer = connectionWriter;
        Entry entry = streams.get(id);
        if (entry == null) {
            call.reset(); // before it had a handler: the service shall not even start
            return;
        }
        entry.call = call;
        if (streams.get(id) != entry) {
            call.reset();
        }
        if (lost) {
            call.connectionLost();
        }
    }

    /** The stream is not ours: Helidon itself answers it, and has to see the rest of the request. */
    void foreign(int id) {
        Entry entry = streams.get(id);
        if (entry != null) {
            entry.foreign = true;
            if (entry.halfClosed) {
                closed(id);
            }
        }
    }

    void closed(int id) {
        quietSinceNanos = System.nanoTime();
        streams.remove(id);
    }

    void lost() {
        handled(); // of a reset that ended the connection
        lost = true;
        streams.values().forEach(entry -> {
            HelidonStream call = entry.call;
            if (call != null) {
                call.connectionLost();
            }
        });
    }

    /** How long no stream has been open. */
    Duration idleTime() {
        return streams.isEmpty() ? Duration.ofNanos(System.nanoTime() - quietSinceNanos) : Duration.ZERO;
    }
}
