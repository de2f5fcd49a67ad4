package io.shardwright.rpc.transport.conformance;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.BytesValue;
import io.grpc.CallOptions;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.shardwright.rpc.transport.GrpcTransport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;

/** How calls end early: deadlines, cancels, lost connections. */
final class CancelLines {
    private CancelLines() {}

    static List<Line> lines() {
        return List.of(
                new Line("deadline", "A service sees the client's deadline in its context", CancelLines::deadlineSeen),
                new Line(
                        "deadline-passed",
                        "A deadline that passes cancels the service's context and is told to the client",
                        CancelLines::deadlinePassed),
                new Line(
                        "cancel",
                        "A client's cancel reaches the service's context and its cancel handler",
                        CancelLines::cancelled),
                new Line("connection-lost", "A lost connection cancels its calls", CancelLines::connectionLost),
                new Line(
                        "many-cancels",
                        "200 calls cancelled in two seconds leave the other calls on the connection alone",
                        CancelLines::manyCancels),
                new Line(
                        "crossing-cancel",
                        "A cancel that crosses the end of its call leaves the other calls on the connection alone",
                        CancelLines::crossingCancels));
    }

    private static void deadlineSeen(GrpcTransport transport) throws Exception {
        CompletableFuture<Long> leftMillis = new CompletableFuture<>();
        CompletableFuture<Boolean> unlimited = new CompletableFuture<>();
        Probe probe = new Probe().unary((request, reply) -> {
            Deadline deadline = Context.current().getDeadline();
            if (deadline == null) {
                unlimited.complete(true);
                leftMillis.complete(Long.MAX_VALUE);
            } else {
                leftMillis.complete(deadline.timeRemaining(MILLISECONDS));
            }
            Probe.echo(request, reply);
        });
        try (Rig rig = Rig.start(transport, probe)) {
            rig.unary(Probe.text("x"), CallOptions.DEFAULT.withDeadlineAfter(9, SECONDS));
            long left = leftMillis.get(5, SECONDS);
            assertTrue(left > 0 && left <= 9_000, "the service saw " + left + " ms");
            Received stream = rig.stream();
            assertEquals(Status.Code.OK, stream.status().getCode());
        }
    }

    private static void deadlinePassed(GrpcTransport transport) throws Exception {
        CountDownLatch cancelled = new CountDownLatch(1);
        Probe probe = new Probe().unary((request, reply) -> {
            Context.current().addListener(context -> cancelled.countDown(), Runnable::run);
        });
        try (Rig rig = Rig.start(transport, probe)) {
            CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(200, MILLISECONDS);
            StatusRuntimeException failure =
                    assertThrows(StatusRuntimeException.class, () -> rig.unary(Probe.text("x"), options));
            assertEquals(Status.Code.DEADLINE_EXCEEDED, failure.getStatus().getCode());
            assertTrue(cancelled.await(5, SECONDS), "the context must be cancelled");
        }
    }

    /** Lets a test see how its streams end: never by themselves. */
    private static final class EndlessStreams {
        final AtomicInteger opened = new AtomicInteger();
        final AtomicInteger contexts = new AtomicInteger();
        final AtomicInteger handlers = new AtomicInteger();

        Probe probe() {
            return new Probe().stream(this::open);
        }

        private void open(BytesValue request, StreamObserver<BytesValue> replies) {
            Context.current().addListener(context -> contexts.incrementAndGet(), Runnable::run);
            ((ServerCallStreamObserver<BytesValue>) replies).setOnCancelHandler(handlers::incrementAndGet);
            opened.incrementAndGet();
            replies.onNext(request);
        }

        void awaitCancelled(int count) {
            Awaitility.await().atMost(Rig.PATIENCE).untilAsserted(() -> {
                assertEquals(count, contexts.get(), "contexts cancelled");
                assertEquals(count, handlers.get(), "cancel handlers called");
            });
        }
    }

    private static void cancelled(GrpcTransport transport) throws Exception {
        EndlessStreams streams = new EndlessStreams();
        try (Rig rig = Rig.start(transport, streams.probe())) {
            Received received = rig.stream();
            received.awaitCount(1);
            received.cancel();
            streams.awaitCancelled(1);
        }
    }

    private static void connectionLost(GrpcTransport transport) throws Exception {
        EndlessStreams streams = new EndlessStreams();
        try (Rig rig = Rig.start(transport, streams.probe());
                Relay relay = Relay.to(rig.port())) {
            ManagedChannel channel = Rig.channelTo(relay.port());
            try {
                Received received =
                        Received.of(channel.newCall(Probe.STREAM, CallOptions.DEFAULT), Probe.text("start"));
                received.awaitCount(1);
                relay.cut();
                streams.awaitCancelled(1);
            } finally {
                channel.shutdownNow();
            }
        }
    }

    private static void manyCancels(GrpcTransport transport) throws Exception {
        EndlessStreams streams = new EndlessStreams();
        try (Rig rig = Rig.start(transport, streams.probe())) {
            Received bystander = rig.stream();
            bystander.awaitCount(1);
            for (int i = 0; i < 200; i++) {
                Received victim = rig.stream();
                if (i % 2 == 0) {
                    victim.awaitCount(1); // half of them after, half before the first answer
                }
                victim.cancel();
                LockSupport.parkNanos(MILLISECONDS.toNanos(2));
            }
            assertEquals("x", Probe.text(rig.unary(Probe.text("x"))));
            Awaitility.await().atMost(Rig.PATIENCE).until(() -> streams.handlers.get() >= streams.opened.get() - 1);
            assertTrue(bystander.isOpen(), "the bystander's stream ended");
            assertEquals(1, bystander.count());
        }
    }

    private static void crossingCancels(GrpcTransport transport) throws Exception {
        Probe probe = new Probe()
                        .unary((request, reply) -> {
                            if (request.getValue().isEmpty()) {
                                return; // never answered
                            }
                            Probe.echo(request, reply);
                        })
                        .stream((request, replies) -> {
                    replies.onNext(request);
                    replies.onCompleted();
                });
        try (Rig rig = Rig.start(transport, probe)) {
            Received bystander = Received.of(
                    rig.channel().newCall(Probe.UNARY, CallOptions.DEFAULT), BytesValue.getDefaultInstance());
            for (int round = 0; round < 100; round++) {
                List<Received> crossing = new ArrayList<>();
                for (int i = 0; i < 8; i++) {
                    crossing.add(rig.stream());
                }
                LockSupport.parkNanos(round * 20_000L);
                crossing.forEach(Received::cancel);
                assertTrue(bystander.isOpen(), "the bystander's call ended in round " + round);
            }
            assertEquals("x", Probe.text(rig.unary(Probe.text("x"))));
            assertTrue(bystander.isOpen(), "the bystander's call ended");
            assertFalse(rig.channel().isShutdown());
        }
    }
}
