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
import io.shardwright.rpc.transport.GrpcEndpointSettings;
import io.shardwright.rpc.transport.GrpcTransport;
import io.shardwright.rpc.transport.KeepaliveSettings;
import java.time.Duration;
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
                        "server-pings",
                        "A client that hangs, its connection still open, is found by pings, and its calls are cancelled",
                        CancelLines::clientHangs),
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
        final CompletableFuture<StreamObserver<BytesValue>> first = new CompletableFuture<>();

        Probe probe() {
            return new Probe().stream(this::open);
        }

        private void open(BytesValue request, StreamObserver<BytesValue> replies) {
            Context.current().addListener(context -> contexts.incrementAndGet(), Runnable::run);
            ((ServerCallStreamObserver<BytesValue>) replies).setOnCancelHandler(handlers::incrementAndGet);
            opened.incrementAndGet();
            replies.onNext(request);
            first.complete(replies);
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

    private static void clientHangs(GrpcTransport transport) throws Exception {
        CountDownLatch cancelled = new CountDownLatch(1);
        Probe probe = new Probe().stream((request, replies) -> {
            Context.current().addListener(context -> cancelled.countDown(), Runnable::run);
            replies.onNext(request);
        });
        try (Rig rig = Rig.start(transport, probe, CancelLines::impatient);
                Relay relay = Relay.to(rig.port())) {
            ManagedChannel hanging = Rig.channelTo(relay.port());
            try {
                Received stream = Received.of(hanging.newCall(Probe.STREAM, CallOptions.DEFAULT), Probe.text("x"));
                stream.awaitCount(1);
                relay.freeze();
                assertFalse(cancelled.await(5, SECONDS), "it was not even probed yet");
                assertTrue(cancelled.await(8, SECONDS), "nobody noticed");
            } finally {
                hanging.shutdownNow();
            }
        }
    }

    private static GrpcEndpointSettings impatient(GrpcEndpointSettings settings) {
        return settings.withKeepalive(KeepaliveSettings.DEFAULT.withProbeTimeout(Duration.ofSeconds(1)));
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
            int seen = 0;
            int cancelled = 0;
            Duration taken;
            // A busy machine may need longer than two seconds; then once more.
            do {
                long start = System.nanoTime();
                for (int i = 0; i < 200; i++) {
                    Received victim = rig.stream();
                    if (i % 2 == 0) {
                        victim.awaitCount(1);
                        seen++;
                    }
                    victim.cancel();
                    cancelled++;
                    assertEquals(Status.Code.CANCELLED, victim.status().getCode());
                }
                taken = Duration.ofNanos(System.nanoTime() - start);
            } while (taken.toMillis() > 2000 && cancelled < 1000);
            assertTrue(taken.toMillis() <= 2000, "200 cancels took " + taken);
            assertEquals("x", Probe.text(rig.unary(Probe.text("x"))));
            // Of those that were cancelled before the first answer some never reached the service.
            int atLeast = seen;
            Awaitility.await().atMost(Rig.PATIENCE).untilAsserted(() -> {
                int others = streams.opened.get() - 1;
                assertTrue(others >= atLeast, "opened: " + others + " of " + atLeast);
                assertEquals(others, streams.handlers.get(), "cancel handlers called");
                assertEquals(others, streams.contexts.get(), "contexts cancelled");
            });
            assertEquals(1, bystander.count());
            streams.first.join().onNext(Probe.text("still here"));
            bystander.awaitCount(2);
            assertEquals("still here", Probe.text(bystander.messages().getLast()));
            assertTrue(bystander.isOpen(), "the bystander's stream ended");
        }
    }

    /**
     * Calls that are cancelled about when their end arrives: earlier after a round in which all ended, later after one
     * in which all were cancelled. It has crossed where the service had ended the call and the client cancelled it.
     */
    private static void crossingCancels(GrpcTransport transport) throws Exception {
        CompletableFuture<StreamObserver<BytesValue>> waiting = new CompletableFuture<>();
        AtomicInteger endedByService = new AtomicInteger();
        Probe probe = new Probe()
                        .unary((request, reply) -> {
                            if (request.getValue().isEmpty()) {
                                waiting.complete(reply);
                            } else {
                                Probe.echo(request, reply);
                            }
                        })
                        .stream((request, replies) -> {
                    ServerCallStreamObserver<BytesValue> call = (ServerCallStreamObserver<BytesValue>) replies;
                    call.setOnCancelHandler(() -> {}); // without one a late answer throws
                    replies.onNext(request);
                    replies.onCompleted();
                    if (!call.isCancelled()) {
                        endedByService.incrementAndGet();
                    }
                });
        try (Rig rig = Rig.start(transport, probe)) {
            Received bystander = Received.of(
                    rig.channel().newCall(Probe.UNARY, CallOptions.DEFAULT), BytesValue.getDefaultInstance());
            StreamObserver<BytesValue> bystandersReply = waiting.get(Rig.PATIENCE.toSeconds(), SECONDS);
            double pauseNanos = 500_000;
            int endedForClient = 0;
            int rounds = 0;
            while (rounds < 100 || (rounds < 1000 && endedByService.get() - endedForClient < 50)) {
                List<Received> crossing = new ArrayList<>();
                for (int i = 0; i < 8; i++) {
                    crossing.add(rig.stream());
                }
                LockSupport.parkNanos((long) pauseNanos);
                crossing.forEach(Received::cancel);
                int ended = 0;
                for (Received call : crossing) {
                    ended += call.status().isOk() ? 1 : 0;
                }
                pauseNanos *= ended < 4 ? 1.2 : 1 / 1.2;
                endedForClient += ended;
                rounds++;
                assertTrue(bystander.isOpen(), "the bystander's call ended in round " + rounds);
            }
            int crossed = endedByService.get() - endedForClient;
            assertTrue(crossed >= 50, crossed + " cancels crossed the end of their call in " + rounds + " rounds");
            assertEquals("x", Probe.text(rig.unary(Probe.text("x"))));
            Probe.echo(Probe.text("late"), bystandersReply);
            assertEquals(Status.Code.OK, bystander.status().getCode());
            assertEquals(List.of(Probe.text("late")), bystander.messages());
        }
    }
}
