package io.shardwright.rpc.transport.conformance;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.BytesValue;
import io.grpc.CallOptions;
import io.grpc.ConnectivityState;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.shardwright.rpc.transport.GrpcEndpointSettings;
import io.shardwright.rpc.transport.GrpcTransport;
import io.shardwright.rpc.transport.KeepaliveSettings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;

/** How long connections live, and how an endpoint stops. */
final class ConnectionLines {
    private static final Duration IDLE = Duration.ofMillis(400);

    private ConnectionLines() {}

    static List<Line> lines() {
        return List.of(
                new Line("quiet-stream", "A quiet stream outlives the idle timeout", ConnectionLines::quietStream),
                new Line("idle", "A connection without calls is closed after the idle timeout", ConnectionLines::idle),
                new Line("pings", "Client pings are answered and not punished", ConnectionLines::pings),
                new Line(
                        "stop",
                        "A stop lets calls in flight finish, takes no new ones, and waits no longer than it must",
                        ConnectionLines::stop),
                new Line("stop-cut", "A stop cancels what is left after the grace", ConnectionLines::stopCut));
    }

    private static GrpcEndpointSettings shortIdle(GrpcEndpointSettings settings) {
        return settings.withKeepalive(KeepaliveSettings.DEFAULT.withIdleTimeout(IDLE));
    }

    private static void quietStream(GrpcTransport transport) throws Exception {
        CompletableFuture<StreamObserver<BytesValue>> stream = new CompletableFuture<>();
        Probe probe = new Probe().stream((request, replies) -> {
            replies.onNext(request);
            stream.complete(replies);
        });
        try (Rig rig = Rig.start(transport, probe, ConnectionLines::shortIdle)) {
            Received received = rig.stream();
            received.awaitCount(1);
            LockSupport.parkNanos(IDLE.multipliedBy(4).toNanos()); // quiet for as long as it is meant to be
            assertEquals("x", Probe.text(rig.unary(Probe.text("x"))));
            stream.get(1, SECONDS).onNext(Probe.text("late"));
            received.awaitCount(2);
            assertTrue(received.isOpen());
        }
    }

    private static void idle(GrpcTransport transport) throws Exception {
        try (Rig rig = Rig.start(transport, new Probe(), ConnectionLines::shortIdle)) {
            rig.unary(Probe.text("x"));
            Awaitility.await()
                    .atMost(Rig.PATIENCE)
                    .until(() -> rig.channel().getState(false) == ConnectivityState.IDLE);
            assertEquals("x", Probe.text(rig.unary(Probe.text("x"))), "a new connection is opened at need");
        }
    }

    private static void pings(GrpcTransport transport) throws Exception {
        Duration every = Duration.ofMillis(100);
        KeepaliveSettings usual = KeepaliveSettings.DEFAULT;
        KeepaliveSettings patient = new KeepaliveSettings(
                usual.probeAfter(), usual.probeTimeout(), every.dividedBy(2), usual.idleTimeout());
        try (Rig rig = Rig.start(transport, new Probe(), settings -> settings.withKeepalive(patient));
                PingingClient client = PingingClient.connect(rig.port())) {
            for (int i = 0; i < 8; i++) {
                client.ping();
                LockSupport.parkNanos(every.toNanos());
            }
        }
    }

    private static void stop(GrpcTransport transport) throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        Probe probe = new Probe().unary((request, reply) -> {
            started.countDown();
            LockSupport.parkNanos(MILLISECONDS.toNanos(700)); // work
            Probe.echo(request, reply);
        });
        Duration grace = Duration.ofSeconds(8);
        try (Rig rig = Rig.start(transport, probe, settings -> settings.withGrace(grace))) {
            Received inFlight =
                    Received.of(rig.channel().newCall(Probe.UNARY, CallOptions.DEFAULT), Probe.text("in flight"));
            assertTrue(started.await(5, SECONDS));
            long start = System.nanoTime();
            Thread stopping = Thread.startVirtualThread(rig.endpoint()::close);
            LockSupport.parkNanos(MILLISECONDS.toNanos(200));
            Received late = Received.of(rig.channel().newCall(Probe.UNARY, CallOptions.DEFAULT), Probe.text("late"));
            assertEquals(Status.Code.UNAVAILABLE, late.status().getCode());
            assertEquals(Status.Code.OK, inFlight.status().getCode(), "the call in flight");
            stopping.join();
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            assertTrue(took.compareTo(grace.dividedBy(2)) < 0, "the stop took " + took);
        }
    }

    private static void stopCut(GrpcTransport transport) throws Exception {
        CountDownLatch cancelled = new CountDownLatch(1);
        Probe probe = new Probe().stream((request, replies) -> {
            Context.current().addListener(context -> cancelled.countDown(), Runnable::run);
            replies.onNext(request);
        });
        try (Rig rig = Rig.start(transport, probe)) { // grace 200 ms
            Received received = rig.stream();
            received.awaitCount(1);
            long start = System.nanoTime();
            rig.endpoint().close();
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            assertTrue(took.compareTo(Duration.ofSeconds(3)) < 0, "the stop took " + took);
            assertTrue(cancelled.await(5, SECONDS), "the service must learn that its call ended");
            assertEquals(Status.Code.UNAVAILABLE, received.status().getCode());
        }
    }
}
