package io.shardwright.sim.network;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.MessageLite;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import io.shardwright.sim.kernel.Digest;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * Takes what arrives into the digest of a run: the bytes of each message, since the hash codes of protobuf differ
 * between processes.
 */
final class WireDigest {

    private final Digest digest;
    private byte[] buffer = new byte[4096];

    WireDigest(Digest digest) {
        this.digest = digest;
    }

    /** A message arrived. */
    void message(Object content) {
        if (content instanceof MessageLite message) {
            bytes(message);
        }
    }

    /** The end of a call arrived, with its details. */
    void end(Status status, Metadata trailers) {
        digest.add(status.getCode().value());
        com.google.rpc.@Nullable Status details = StatusProto.fromStatusAndTrailers(status, trailers);
        if (details != null) {
            bytes(details);
        }
    }

    private void bytes(MessageLite message) {
        int size = message.getSerializedSize();
        if (size > buffer.length) {
            buffer = new byte[size * 2];
        }
        try {
            message.writeTo(CodedOutputStream.newInstance(buffer, 0, size));
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a message has the size that it says
        }
        digest.add(buffer, size);
    }
}
