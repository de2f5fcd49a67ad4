package io.shardwright.rpc.transport.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.BytesValue;
import io.grpc.CallOptions;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.shardwright.rpc.transport.GrpcTransport;
import java.util.List;
import java.util.Random;

/** Large, too large, compressed, and single messages. */
final class SizeLines {
    private static final int MIB = 1024 * 1024;
    private static final int WARM_UP_CALLS = 500;
    private static final int LONE_CALLS = 100;

    private SizeLines() {}

    static List<Line> lines() {
        return List.of(
                new Line("large", "Messages of 10 MiB pass in both directions", SizeLines::large),
                new Line(
                        "too-large",
                        "A message beyond the limit ends its call with RESOURCE_EXHAUSTED, and no other",
                        SizeLines::tooLarge),
                new Line("gzip", "Gzip requests are understood, small ones and 200 KB", SizeLines::gzip),
                new Line("gzip-bomb", "The limit holds after decompression", SizeLines::gzipBomb),
                new Line(
                        "lone-call",
                        "A lone call takes less than 2 ms: it does not wait for a delayed acknowledgement",
                        SizeLines::loneCall));
    }

    /** Random bytes, which do not compress; the seed is fixed. */
    private static BytesValue noise(int size) {
        byte[] bytes = new byte[size];
        new Random(7).nextBytes(bytes);
        return BytesValue.of(ByteString.copyFrom(bytes));
    }

    private static void large(GrpcTransport transport) throws Exception {
        try (Rig rig = Rig.start(transport, new Probe())) {
            BytesValue message = noise(10 * MIB);
            assertEquals(message, rig.unary(message));
        }
    }

    private static void tooLarge(GrpcTransport transport) throws Exception {
        EndlessBystander bystander = new EndlessBystander();
        try (Rig rig = Rig.start(transport, bystander.probe(), settings -> settings.withMaxMessageBytes(MIB))) {
            Received stream = rig.stream();
            stream.awaitCount(1);
            for (int size : new int[] {MIB + 1, 5 * MIB}) {
                StatusRuntimeException failure = rig.unaryFailure(noise(size));
                assertEquals(Status.Code.RESOURCE_EXHAUSTED, failure.getStatus().getCode(), failure::toString);
            }
            BytesValue fits = noise(MIB - 10);
            assertEquals(fits, rig.unary(fits));
            assertTrue(stream.isOpen(), "the bystander's stream ended");
        }
    }

    /** Streams that answer once and stay open. */
    private static final class EndlessBystander {
        Probe probe() {
            return new Probe().stream((request, replies) -> replies.onNext(request));
        }
    }

    private static void gzip(GrpcTransport transport) throws Exception {
        try (Rig rig = Rig.start(transport, new Probe())) {
            CallOptions gzip = CallOptions.DEFAULT.withCompression("gzip");
            assertEquals("small", Probe.text(rig.unary(Probe.text("small"), gzip)));
            BytesValue large = noise(200_000);
            assertEquals(large, rig.unary(large, gzip));
            assertEquals(large, rig.unary(large), "plain after compressed");
        }
    }

    private static void gzipBomb(GrpcTransport transport) throws Exception {
        try (Rig rig = Rig.start(transport, new Probe(), settings -> settings.withMaxMessageBytes(MIB))) {
            CallOptions gzip = CallOptions.DEFAULT.withCompression("gzip");
            StatusRuntimeException failure =
                    assertThrows(StatusRuntimeException.class, () -> rig.unary(Probe.bytes(20 * MIB), gzip));
            // grpc-java itself answers UNKNOWN here; what counts is that the message is refused at once.
            assertNotEquals(Status.Code.DEADLINE_EXCEEDED, failure.getStatus().getCode(), failure::toString);
            assertEquals("x", Probe.text(rig.unary(Probe.text("x"))));
        }
    }

    /**
     * One call after the other, each alone on its connection. With Nagle's algorithm an answer in several writes waits
     * for a delayed acknowledgement, about 40 ms; without it the fastest shows what a call costs, also on a busy
     * machine. No pauses: after one the peer acknowledges at once, and the delay does not show.
     */
    private static void loneCall(GrpcTransport transport) throws Exception {
        try (Rig rig = Rig.start(transport, new Probe())) {
            for (int i = 0; i < WARM_UP_CALLS; i++) {
                rig.unary(Probe.text("warm-up"));
            }
            double fastestMillis = Double.MAX_VALUE;
            for (int i = 0; i < LONE_CALLS; i++) {
                long start = System.nanoTime();
                rig.unary(Probe.text("x"));
                fastestMillis = Math.min(fastestMillis, (System.nanoTime() - start) / 1e6);
            }
            assertTrue(fastestMillis < 2, "the fastest of the lone calls took " + fastestMillis + " ms");
        }
    }
}
