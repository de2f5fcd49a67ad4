package io.shardwright.rpc.transport.conformance;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.BytesValue;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.shardwright.rpc.transport.GrpcTransport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;

/** Readers and writers of different speed. */
final class FlowLines {
    private static final int MESSAGE_BYTES = 10_000;

    private FlowLines() {}

    static List<Line> lines() {
        return List.of(
                new Line(
                        "slow-consumer",
                        "A half-close behind requests that the service takes one by one loses none of them",
                        FlowLines::halfClose),
                new Line(
                        "slow-reader",
                        "A client that does not read bounds what the server holds in memory for it",
                        FlowLines::slowReader),
                new Line(
                        "slow-reader-neighbour",
                        "A client that does not read one stream can use others on its connection",
                        FlowLines::slowReaderNeighbour),
                new Line(
                        "slow-consumer-neighbour",
                        "A service that does not take requests of one call leaves others on the connection alone",
                        FlowLines::slowConsumerNeighbour),
                new Line(
                        "parallel-answers",
                        "Large answers to parallel calls on one connection arrive whole",
                        FlowLines::parallelAnswers));
    }

    private static void halfClose(GrpcTransport transport) throws Exception {
        int total = 20;
        ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();
        Probe probe = new Probe().chat(replies -> {
            ServerCallStreamObserver<BytesValue> call = (ServerCallStreamObserver<BytesValue>) replies;
            call.disableAutoRequest();
            call.request(1);
            return new StreamObserver<>() {
                @Override
                public void onNext(BytesValue request) {
                    replies.onNext(request);
                    var unused = later.schedule(() -> call.request(1), 5, MILLISECONDS);
                }

                @Override
                public void onError(Throwable cancelled) {
                    // The count below tells.
                }

                @Override
                public void onCompleted() {
                    replies.onCompleted();
                }
            };
        });
        try (Rig rig = Rig.start(transport, probe)) {
            ClientCall<BytesValue, BytesValue> call = rig.channel().newCall(Probe.CHAT, CallOptions.DEFAULT);
            Received received = Received.started(call, new Metadata());
            call.request(Integer.MAX_VALUE);
            for (int i = 0; i < total; i++) {
                call.sendMessage(Probe.text("request " + i));
            }
            call.halfClose();
            assertEquals(Status.Code.OK, received.status().getCode());
            assertEquals(total, received.count(), "requests answered");
            assertEquals("request 19", Probe.text(received.messages().getLast()));
        } finally {
            later.shutdownNow();
        }
    }

    /** Writes as much as the transport takes: until it is not ready, or blocks, or far too much was taken. */
    private static final class Flood {
        static final int ENOUGH = 20_000;
        final AtomicInteger sent = new AtomicInteger();
        final AtomicInteger writersAtWork = new AtomicInteger();

        void open(BytesValue request, StreamObserver<BytesValue> replies) {
            ServerCallStreamObserver<BytesValue> call = (ServerCallStreamObserver<BytesValue>) replies;
            call.setOnCancelHandler(() -> {});
            BytesValue message = Probe.bytes(MESSAGE_BYTES);
            writersAtWork.incrementAndGet();
            while (call.isReady() && !call.isCancelled() && sent.get() < ENOUGH) {
                replies.onNext(message);
                sent.incrementAndGet();
            }
            writersAtWork.decrementAndGet();
        }

        /** How many messages the transport took from the service. */
        int awaitStandstill() {
            AtomicInteger before = new AtomicInteger(-1);
            Awaitility.await()
                    .atMost(Rig.PATIENCE)
                    .pollInterval(Duration.ofMillis(300))
                    .until(() -> before.getAndSet(sent.get()) == sent.get() && sent.get() > 0);
            return sent.get();
        }
    }

    private static Received slowReader(Rig rig) {
        ClientCall<BytesValue, BytesValue> call = rig.channel().newCall(Probe.STREAM, CallOptions.DEFAULT);
        Received received = Received.started(call, new Metadata());
        call.request(1);
        call.sendMessage(Probe.text("start"));
        call.halfClose();
        return received;
    }

    private static void slowReader(GrpcTransport transport) throws Exception {
        Flood flood = new Flood();
        try (Rig rig = Rig.start(transport, new Probe().stream(flood::open))) {
            Received received = slowReader(rig);
            int sent = flood.awaitStandstill();
            assertTrue(sent < 800, "the server took " + sent + " messages of " + MESSAGE_BYTES + " bytes");
            assertEquals(1, received.count());
            received.cancel();
            Awaitility.await()
                    .atMost(Rig.PATIENCE)
                    .untilAsserted(() -> assertEquals(0, flood.writersAtWork.get(), "threads left behind"));
        }
    }

    private static void slowReaderNeighbour(GrpcTransport transport) throws Exception {
        Flood flood = new Flood();
        try (Rig rig = Rig.start(transport, new Probe().stream(flood::open))) {
            Received received = slowReader(rig);
            flood.awaitStandstill();
            assertEquals("x", Probe.text(rig.unary(Probe.text("x"))));
            assertTrue(received.isOpen());
        }
    }

    private static void slowConsumerNeighbour(GrpcTransport transport) throws Exception {
        Probe probe = new Probe().chat(replies -> {
            ((ServerCallStreamObserver<BytesValue>) replies).disableAutoRequest();
            return new StreamObserver<>() {
                @Override
                public void onNext(BytesValue request) {
                    // Never asked for.
                }

                @Override
                public void onError(Throwable cancelled) {
                    // The client gives up at the end of the test.
                }

                @Override
                public void onCompleted() {
                    replies.onCompleted();
                }
            };
        });
        try (Rig rig = Rig.start(transport, probe)) {
            ClientCall<BytesValue, BytesValue> call = rig.channel().newCall(Probe.CHAT, CallOptions.DEFAULT);
            Received received = Received.started(call, new Metadata());
            for (int i = 0; i < 300; i++) {
                call.sendMessage(Probe.bytes(MESSAGE_BYTES));
            }
            CallOptions soon = CallOptions.DEFAULT.withDeadlineAfter(3, SECONDS);
            assertEquals("x", Probe.text(rig.unary(Probe.text("x"), soon)));
            received.cancel();
        }
    }

    private static void parallelAnswers(GrpcTransport transport) throws Exception {
        int size = 300_000;
        Probe probe = new Probe().unary((request, reply) -> {
            reply.onNext(Probe.bytes(size));
            reply.onCompleted();
        });
        try (Rig rig = Rig.start(transport, probe)) {
            for (int round = 0; round < 4; round++) {
                List<Received> calls = new ArrayList<>();
                for (int i = 0; i < 32; i++) {
                    calls.add(Received.of(rig.channel().newCall(Probe.UNARY, CallOptions.DEFAULT), Probe.text("x")));
                }
                for (Received call : calls) {
                    assertEquals(Status.Code.OK, call.status().getCode(), "round " + round + ": " + call.status());
                    assertEquals(size, call.messages().getFirst().getValue().size());
                }
            }
        }
    }
}
