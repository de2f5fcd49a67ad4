package io.shardwright.cli.watch;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.shardwright.cli.call.Address;
import io.shardwright.cli.call.CallFailedException;
import io.shardwright.cli.call.Server;
import io.shardwright.proto.v1.RoutingEvent;
import io.shardwright.proto.v1.SpectatorServiceGrpc;
import io.shardwright.proto.v1.WatchRoutingRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a routing stream open and feeds a view. A stream that breaks, or that is silent for three beats, is opened
 * again where it ended, with growing pauses, until the time is up. A first stream that fails, and an error that will
 * not pass by itself (the namespace is gone), end it.
 *
 * <p>Not thread-safe: one thread calls {@link #follow} once.
 */
public final class RoutingFollower {
    /** A quiet stream carries a beat at least every 5 seconds. */
    private static final Duration SILENCE = Duration.ofSeconds(15);

    private static final Duration TICK = Duration.ofSeconds(1);
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(200);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final Server server;
    private final String namespace;
    private final WatchView view;
    private final RoutingTable table = new RoutingTable();
    private final long endNanos;
    private final boolean endless;

    private boolean resumable;
    private boolean heard; // something arrived on the current stream

    /** Follows {@code namespace} for {@code atMost}, or without end. */
    public RoutingFollower(Server server, String namespace, WatchView view, Optional<Duration> atMost) {
        this.server = server;
        this.namespace = namespace;
        this.view = view;
        this.endless = atMost.isEmpty();
        this.endNanos = System.nanoTime() + atMost.orElse(Duration.ZERO).toNanos();
    }

    /**
     * Returns when the time is up.
     *
     * @throws CallFailedException when there is nothing to follow
     * @throws InterruptedException when the thread is interrupted
     */
    public void follow() throws InterruptedException {
        Address at = server.address();
        Duration pause = SHORTEST_PAUSE;
        int redirects = 0;
        while (!timeIsUp()) {
            heard = false;
            String why;
            try {
                stream(at);
                return;
            } catch (RoutingTable.GapException gap) {
                resumable = false;
                why = String.valueOf(gap.getMessage());
            } catch (StatusRuntimeException e) {
                Optional<Address> leader = Server.leaderNamedBy(e);
                if (leader.isPresent() && redirects < Server.MAX_REDIRECTS) {
                    at = leader.get();
                    redirects++;
                    continue;
                }
                CallFailedException failure = server.explain(e, at);
                if (table.incarnation().isEmpty() || !failure.isTransient()) {
                    throw failure;
                }
                why = failure.sentence();
            }
            redirects = 0;
            at = server.address();
            pause = heard ? SHORTEST_PAUSE : shorter(pause.multipliedBy(2), LONGEST_PAUSE);
            view.interrupted("the stream broke, trying again: " + why);
            view.tick(table);
            TimeUnit.NANOSECONDS.sleep(Math.min(pause.toNanos(), remainingNanos()));
        }
    }

    /** Returns when the time is up; every other end of the stream is an exception. */
    private void stream(Address at) throws RoutingTable.GapException, InterruptedException {
        ManagedChannel channel = server.connect(at);
        try {
            Inbox inbox = new Inbox();
            table.streamBegins();
            SpectatorServiceGrpc.newStub(channel).watchRouting(request(), inbox);
            long lastHeard = System.nanoTime();
            long lastTick = lastHeard;
            while (!timeIsUp()) {
                RoutingEvent event = inbox.next(Math.min(TICK.toNanos(), remainingNanos()));
                long now = System.nanoTime();
                if (event != null) {
                    heard = true;
                    lastHeard = now;
                    view.changed(table, table.apply(event));
                    resumable = !table.incarnation().isEmpty();
                    inbox.more();
                } else if (now - lastHeard >= patience().toNanos()) {
                    throw silence(at);
                }
                if (now - lastTick >= TICK.toNanos()) {
                    lastTick = now;
                    view.tick(table);
                }
            }
        } finally {
            channel.shutdownNow();
        }
    }

    private WatchRoutingRequest request() {
        WatchRoutingRequest.Builder request = WatchRoutingRequest.newBuilder().setNamespace(namespace);
        if (resumable) {
            request.setKnownIncarnation(table.incarnation()).setKnownRevision(table.revision());
        }
        return request.build();
    }

    private Duration patience() {
        return heard ? SILENCE : server.timeout();
    }

    private StatusRuntimeException silence(Address at) {
        return heard
                ? Status.UNAVAILABLE
                        .withDescription(
                                "no sign of life on the stream from " + at + " for " + SILENCE.toSeconds() + "s")
                        .asRuntimeException()
                : Status.DEADLINE_EXCEEDED.asRuntimeException();
    }

    private boolean timeIsUp() {
        return !endless && System.nanoTime() - endNanos >= 0;
    }

    private long remainingNanos() {
        return endless ? Long.MAX_VALUE : Math.max(0, endNanos - System.nanoTime());
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    /**
     * Brings events from the thread of gRPC to ours, one at a time: who asks slowly gets changes merged by the server.
     */
    private static final class Inbox implements ClientResponseObserver<WatchRoutingRequest, RoutingEvent> {
        private sealed interface Item {
            record Arrived(RoutingEvent event) implements Item {}

            record Ended(StatusRuntimeException why) implements Item {}
        }

        private final BlockingQueue<Item> items = new LinkedBlockingQueue<>();
        private volatile @Nullable ClientCallStreamObserver<WatchRoutingRequest> call; // set before the call starts

        @Nullable
        RoutingEvent next(long nanos) throws InterruptedException {
            return switch (items.poll(nanos, TimeUnit.NANOSECONDS)) {
                case null -> null;
                case Item.Arrived arrived -> arrived.event();
                case Item.Ended ended -> throw ended.why();
            };
        }

        void more() {
            ClientCallStreamObserver<WatchRoutingRequest> running = call;
            if (running != null) {
                running.request(1);
            }
        }

        @Override
        public void beforeStart(ClientCallStreamObserver<WatchRoutingRequest> starting) {
            call = starting;
            starting.disableAutoRequestWithInitial(1);
        }

        @Override
        public void onNext(RoutingEvent event) {
            items.add(new Item.Arrived(event));
        }

        @Override
        public void onError(Throwable thrown) {
            items.add(new Item.Ended(
                    thrown instanceof StatusRuntimeException status
                            ? status
                            : Status.fromThrowable(thrown).asRuntimeException()));
        }

        @Override
        public void onCompleted() {
            items.add(new Item.Ended(Status.UNAVAILABLE
                    .withDescription("the server ended the stream")
                    .asRuntimeException()));
        }
    }
}
