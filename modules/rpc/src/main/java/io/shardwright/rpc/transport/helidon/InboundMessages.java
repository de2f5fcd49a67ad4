package io.shardwright.rpc.transport.helidon;

import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.zip.GZIPInputStream;

/**
 * Takes messages from Helidon as bytes, and parses them only in our own code: an error in Helidon's handler would leave
 * the client without a status.
 *
 * <p>Helidon forgets that a message is compressed when it spans several DATA frames, and then hands over the compressed
 * bytes. They are told apart by gzip's magic number, which no protobuf message starts with: 0x1f would be a field of
 * wire type 7, and there is none. Immutable.
 *
 * @param maxBytes largest message after decompression
 */
record InboundMessages(int maxBytes) implements MethodDescriptor.Marshaller<byte[]> {
    private static final int GZIP_MAGIC_1 = 0x1f;
    private static final int GZIP_MAGIC_2 = 0x8b;

    @Override
    public byte[] parse(InputStream stream) {
        try {
            // One byte more than the limit tells too large from just right.
            return stream.readNBytes(maxBytes + 1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public InputStream stream(byte[] value) {
        return new ByteArrayInputStream(value);
    }

    /**
     * The message in plain bytes.
     *
     * @throws io.grpc.StatusRuntimeException RESOURCE_EXHAUSTED beyond the limit, INTERNAL if it cannot be decompressed
     */
    InputStream decode(byte[] received) {
        byte[] plain = isGzip(received) ? unzip(received) : received;
        if (plain.length > maxBytes) {
            throw tooLarge().asRuntimeException();
        }
        return new ByteArrayInputStream(plain);
    }

    Status tooLarge() {
        return Status.RESOURCE_EXHAUSTED.withDescription("message is larger than the limit of " + maxBytes
                + " bytes; send less at once or raise grpc.max-message-bytes");
    }

    private byte[] unzip(byte[] compressed) {
        try (InputStream plain = new GZIPInputStream(new ByteArrayInputStream(compressed))) {
            return plain.readNBytes(maxBytes + 1);
        } catch (IOException e) {
            throw Status.INTERNAL
                    .withDescription("message cannot be decompressed: " + e.getMessage())
                    .withCause(e)
                    .asRuntimeException();
        }
    }

    private static boolean isGzip(byte[] bytes) {
        return bytes.length >= 2 && (bytes[0] & 0xff) == GZIP_MAGIC_1 && (bytes[1] & 0xff) == GZIP_MAGIC_2;
    }
}
