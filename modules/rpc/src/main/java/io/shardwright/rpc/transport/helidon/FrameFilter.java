package io.shardwright.rpc.transport.helidon;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import java.util.Arrays;

/**
 * Reads a connection frame by frame and leaves out what Helidon must not see: it takes a reset, data or a window for a
 * stream that it has forgotten for a protocol error and ends the connection. Yet resets and windows cross the ends of
 * their calls all the time, and a netty client that cancels at once sends its data behind the reset. One frame is
 * handed over at a time, so that the decision and Helidon's look at its streams are not apart. For the connection's
 * thread alone.
 *
 * @param source the connection as it comes in
 * @param streams which streams Helidon still knows
 */
record FrameFilter(DataReader source, OpenStreams streams) {
    private static final int PREFACE_BYTES = 24;
    private static final int HEADER_BYTES = 9;

    /** The largest frame that Helidon allows by default; it refuses larger ones by their header alone. */
    private static final int MAX_PAYLOAD_BYTES = 16_384;

    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int WINDOW_UPDATE = 8;
    private static final int END_STREAM = 1;

    DataReader reader() {
        boolean[] prefaceRead = {false};
        return DataReader.create(() -> {
            if (!prefaceRead[0]) {
                prefaceRead[0] = true;
                return read(PREFACE_BYTES);
            }
            return nextFrame();
        });
    }

    private byte[] nextFrame() {
        streams.handled();
        while (true) {
            byte[] header = read(HEADER_BYTES);
            BufferData fields = BufferData.create(header);
            int length = fields.read() << 16 | fields.read() << 8 | fields.read();
            int type = fields.read();
            int flags = fields.read();
            int stream = fields.readInt32() & Integer.MAX_VALUE;
            if (length > MAX_PAYLOAD_BYTES) {
                return header;
            }
            byte[] frame = Arrays.copyOf(header, HEADER_BYTES + length);
            if (length > 0) {
                System.arraycopy(read(length), 0, frame, HEADER_BYTES, length);
            }
            if (passes(type, flags, stream, length)) {
                return frame;
            }
        }
    }

    private byte[] read(int length) {
        byte[] bytes = new byte[length];
        source.readBuffer(length).read(bytes);
        return bytes;
    }

    private boolean passes(int type, int flags, int stream, int length) {
        boolean ends = (flags & END_STREAM) != 0;
        return switch (type) {
            case RST_STREAM -> streams.resetMatters(stream);
            case WINDOW_UPDATE -> stream == 0 || streams.known(stream);
            case HEADERS -> {
                streams.opened(stream, ends);
                yield true;
            }
            case DATA -> {
                boolean known = streams.received(stream, ends);
                if (!known) {
                    streams.giveBack(length);
                }
                yield known;
            }
            default -> true;
        };
    }
}
