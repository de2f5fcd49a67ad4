package io.shardwright.rpc.transport.conformance;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.BytesValue;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.shardwright.rpc.transport.GrpcTransport;
import io.shardwright.rpc.transport.StreamSender;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class StreamSenderTest {
    private static final int MESSAGE_BYTES = 10_000;

    private final CompletableFuture<StreamSender<BytesValue>> opened = new CompletableFuture<>();
    private final CountDownLatch cancelled = new CountDownLatch(1);
    private final AtomicInteger made = new AtomicInteger();

    private Probe probe() {
        return new Probe()
                .stream((request, replies) -> opened.complete(StreamSender.open(replies, cancelled::countDown)));
    }

    private BytesValue numbered(int number) {
        made.incrementAndGet();
        byte[] bytes = new byte[MESSAGE_BYTES];
        ByteBuffer.wrap(bytes).putInt(number);
        return BytesValue.newBuilder().setValue(ByteString.copyFrom(bytes)).build();
    }

    private static int number(BytesValue message) {
        return message.getValue().asReadOnlyByteBuffer().getInt();
    }

    @ParameterizedTest
    @EnumSource
    void slowReaderGetsTheNewestStateAndOnlyAFewOlderOnes(GrpcTransport transport) throws Exception {
        try (Rig rig = Rig.start(transport, probe())) {
            ClientCall<BytesValue, BytesValue> call = rig.channel().newCall(Probe.STREAM, CallOptions.DEFAULT);
            Received received = Received.started(call, new Metadata());
            call.request(1);
            call.sendMessage(Probe.text("start"));
            call.halfClose();
            StreamSender<BytesValue> sender = opened.get(5, SECONDS);
            int offers = 20_000;
            for (int i = 1; i <= offers; i++) {
                int number = i;
                sender.offer(() -> numbered(number));
            }
            Awaitility.await().atMost(Rig.PATIENCE).until(() -> received.count() == 1);
            assertTrue(made.get() < 1_000, () -> made + " messages were made for a reader that takes none");
            call.request(Integer.MAX_VALUE);
            Awaitility.await()
                    .atMost(Rig.PATIENCE)
                    .until(() -> number(received.messages().getLast()) == offers);
            int[] numbers = received.messages().stream()
                    .mapToInt(StreamSenderTest::number)
                    .toArray();
            assertTrue(
                    IntStream.range(1, numbers.length).allMatch(i -> numbers[i - 1] < numbers[i]), "order of messages");
            sender.complete();
            assertEquals(Status.Code.OK, received.status().getCode());
        }
    }

    @ParameterizedTest
    @EnumSource
    void endingWaitsForTheLastMessage(GrpcTransport transport) throws Exception {
        try (Rig rig = Rig.start(transport, probe())) {
            Received received = rig.stream();
            StreamSender<BytesValue> sender = opened.get(5, SECONDS);
            sender.offer(() -> numbered(1));
            sender.fail(Status.ABORTED.withDescription("replaced").asRuntimeException());
            sender.offer(() -> numbered(2));
            sender.complete();
            assertEquals(Status.Code.ABORTED, received.status().getCode());
            assertEquals(1, received.count());
        }
    }

    @ParameterizedTest
    @EnumSource
    void leavingReaderIsReportedOnceAndNothingMoreIsMade(GrpcTransport transport) throws Exception {
        try (Rig rig = Rig.start(transport, probe())) {
            Received received = rig.stream();
            StreamSender<BytesValue> sender = opened.get(5, SECONDS);
            sender.offer(() -> numbered(1));
            received.awaitCount(1);
            received.cancel();
            assertTrue(cancelled.await(5, SECONDS), "the service must learn that its reader left");
            sender.offer(() -> numbered(2));
            sender.complete();
            assertEquals(1, made.get());
        }
    }

    @ParameterizedTest
    @EnumSource
    void supplierThatThrowsEndsTheStreamAsABug(GrpcTransport transport) throws Exception {
        try (Rig rig = Rig.start(transport, probe())) {
            Received received = rig.stream();
            opened.get(5, SECONDS).offer(() -> {
                throw new IllegalStateException("no such state");
            });
            assertEquals(Status.Code.INTERNAL, received.status().getCode());
        }
    }

    @Test
    void observerOfAnythingElseIsRefused() {
        StreamObserver<BytesValue> stranger = new StreamObserver<>() {
            @Override
            public void onNext(BytesValue value) {}

            @Override
            public void onError(Throwable t) {}

            @Override
            public void onCompleted() {}
        };
        assertThrows(IllegalArgumentException.class, () -> StreamSender.open(stranger, () -> {}));
    }
}
