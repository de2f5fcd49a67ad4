package io.shardwright.rpc.transport.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.BytesValue;
import io.grpc.CallOptions;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.shardwright.rpc.transport.GrpcTransport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.stream.DoubleStream;
import org.awaitility.Awaitility;

/** Large, too large, compressed, and single messages. */
final class SizeLines {
    private static final int MIB = 1024 * 1024;
    private static final int WARM_UP_CALLS = 500;

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
                        "Of calls one after the other half take less than 2 ms: they do not wait for a delayed acknowledgement",
                        SizeLines::loneCall),
                new Line(
                        "first-call",
                        "Of first calls, each on a new connection, half take less than 10 ms",
                        SizeLines::firstCall));
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
     * One call after the other on one connection. With Nagle's algorithm an answer in several writes waits for a
     * delayed acknowledgement, about 40 ms. No pauses: after one the peer acknowledges at once, and the delay does not
     * show.
     */
    private static void loneCall(GrpcTransport transport) throws Exception {
        try (Rig rig = warmRig(transport)) {
            assertUsuallyShort(2, 99, () -> millisOfCall(rig.channel()));
        }
    }

    /** Each on a connection that is open and has carried nothing yet; it costs both ends more than a later one. */
    private static void firstCall(GrpcTransport transport) throws Exception {
        try (Rig rig = warmRig(transport)) {
            assertUsuallyShort(10, 9, () -> {
                ManagedChannel fresh = Rig.channelTo(rig.port());
                try {
                    Awaitility.await()
                            .pollDelay(Duration.ZERO)
                            .pollInterval(Duration.ofMillis(1))
                            .atMost(Rig.PATIENCE)
                            .until(() -> fresh.getState(true) == ConnectivityState.READY);
                    return millisOfCall(fresh);
                } finally {
                    fresh.shutdownNow();
                }
            });
        }
    }

    private static Rig warmRig(GrpcTransport transport) throws Exception {
        Rig rig = Rig.start(transport, new Probe());
        for (int i = 0; i < WARM_UP_CALLS; i++) {
            rig.unary(Probe.text("warm-up"));
        }
        return rig;
    }

    private static double millisOfCall(ManagedChannel channel) {
        CallOptions patient = CallOptions.DEFAULT.withDeadlineAfter(Rig.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        long start = System.nanoTime();
        ClientCalls.blockingUnaryCall(channel, Probe.UNARY, patient, Probe.text("x"));
        return (System.nanoTime() - start) / 1e6;
    }

    /** On a busy machine most calls of a round may wait for the processor; so one round of several has to pass. */
    private static void assertUsuallyShort(double boundMillis, int calls, DoubleSupplier millisOfCall) {
        List<Double> medians = new ArrayList<>();
        do {
            double[] millis =
                    DoubleStream.generate(millisOfCall).limit(calls).sorted().toArray();
            medians.add(millis[calls / 2]);
        } while (medians.getLast() >= boundMillis && medians.size() < 10);
        assertTrue(medians.getLast() < boundMillis, "medians of each " + calls + " calls, in ms: " + medians);
    }
}
