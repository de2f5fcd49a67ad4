package io.shardwright.client.grpc;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Deadline;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.shardwright.domain.Scheduler;
import io.shardwright.proto.v1.NotLeader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Calls and streams to whichever server is in charge.
 *
 * <p>Everything runs on the event loop that was passed in: calls are made on it and answers are given on it. A stream
 * hands out its next message only after the one before was handled, so a slow receiver slows the server down instead of
 * filling memory.
 */
public final class Connection implements AutoCloseable {

    /** Redirects and changes of address within one call; two servers that name each other must not keep a call busy. */
    private static final int MAX_HOPS = 4;

    private static final Duration PROBE_EVERY = Duration.ofMillis(500);

    /** Whom to ask. */
    public enum Via {
        /** The leader, directly when it is known. */
        LEADER,
        /** Any replica: the configured address. */
        ANY
    }

    /** How a call ended. */
    public sealed interface Result<A> {
        /** It answered. */
        record Answer<A>(A value) implements Result<A> {}

        /**
         * It failed.
         *
         * @param reached whether any server answered meanwhile, if only to name a leader that could not be reached
         */
        record Failed<A>(CallError error, boolean reached) implements Result<A> {}
    }

    /** An open stream. */
    public interface Open {
        /** Ends it; nothing is delivered afterwards. May be repeated. Called on the event loop. */
        void cancel();
    }

    /** Opens channels. */
    @FunctionalInterface
    public interface Channels {

        /**
         * Opens a channel.
         *
         * @param address whom to connect to
         * @param configured the configured target through which the address was found; the same for that one itself
         */
        ManagedChannel open(String address, String configured);
    }

    /**
     * What a connection gets from outside.
     *
     * @param channels opens a channel to an address
     * @param ticker the monotonic clock that deadlines are counted on
     * @param loop calls are made and answered on it
     */
    public record Ports(Channels channels, Deadline.Ticker ticker, Scheduler loop) {}

    private final Ports ports;
    private final Scheduler loop;
    private final List<Link> configured = new ArrayList<>();
    private int current;
    private @Nullable Link leader;
    private Scheduler.Timer probeTimer;
    private boolean closed;

    /** Prepares a connection; channels are opened at once and connect when they are first used. */
    public Connection(List<String> targets, Ports ports) {
        this.ports = ports;
        this.loop = ports.loop();
        for (String target : targets) {
            configured.add(open(target, target));
        }
        probeTimer = loop.schedule(PROBE_EVERY, this::probe);
    }

    private Link open(String address, String target) {
        return new Link(address, ports.channels().open(address, target), ports.ticker());
    }

    /**
     * Makes a call. Follows redirects and goes to the next configured address within the deadline; other repeats are up
     * to the caller.
     *
     * @param answer called exactly once on the event loop
     */
    public <Q, A> void call(MethodDescriptor<Q, A> method, Q request, Duration deadline, Consumer<Result<A>> answer) {
        Deadline end = Deadline.after(deadline.toNanos(), TimeUnit.NANOSECONDS, ports.ticker());
        attempt(new Unary<>(method, request, end, answer), 0, false);
    }

    private record Unary<Q, A>(MethodDescriptor<Q, A> method, Q request, Deadline end, Consumer<Result<A>> answer) {}

    private <Q, A> void attempt(Unary<Q, A> unary, int hops, boolean reached) {
        Link link = link(Via.LEADER);
        ClientCall<Q, A> call = link.channel().newCall(unary.method(), CallOptions.DEFAULT.withDeadline(unary.end()));
        call.start(
                new ClientCall.Listener<>() {
                    private @Nullable A value;

                    @Override
                    public void onMessage(A message) {
                        value = message;
                    }

                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        @Nullable A message = value;
                        if (status.isOk() && message != null) {
                            link.heard();
                            loop.execute(() -> unary.answer().accept(new Result.Answer<>(message)));
                            return;
                        }
                        CallError error = CallError.of(status, trailers);
                        boolean reachedNow = reached || error.fromServer();
                        loop.execute(() -> {
                            if (tryAgain(link, error, hops) && !unary.end().isExpired()) {
                                attempt(unary, hops + 1, reachedNow);
                            } else {
                                unary.answer().accept(new Result.Failed<>(error, reachedNow));
                            }
                        });
                    }
                },
                new Metadata());
        call.request(2);
        call.sendMessage(unary.request());
        call.halfClose();
    }

    /**
     * Opens a stream. Follows redirects until the first message.
     *
     * @param onMessage called on the event loop for each message
     * @param onEnd called once on the event loop when the stream ends and was not cancelled
     */
    public <Q, A> Open stream(
            MethodDescriptor<Q, A> method, Q request, Via via, Consumer<A> onMessage, Consumer<CallError> onEnd) {
        Stream<Q, A> stream = new Stream<>(method, request, via, onMessage, onEnd);
        stream.open(0);
        return stream;
    }

    private final class Stream<Q, A> implements Open {
        private final MethodDescriptor<Q, A> method;
        private final Q request;
        private final Via via;
        private final Consumer<A> onMessage;
        private final Consumer<CallError> onEnd;
        private @Nullable ClientCall<Q, A> call;
        private boolean started;
        private boolean cancelled;

        Stream(MethodDescriptor<Q, A> method, Q request, Via via, Consumer<A> onMessage, Consumer<CallError> onEnd) {
            this.method = method;
            this.request = request;
            this.via = via;
            this.onMessage = onMessage;
            this.onEnd = onEnd;
        }

        void open(int hops) {
            Link link = link(via);
            ClientCall<Q, A> opened = link.channel().newCall(method, CallOptions.DEFAULT);
            call = opened;
            opened.start(
                    new ClientCall.Listener<>() {
                        @Override
                        public void onMessage(A message) {
                            link.heard();
                            loop.execute(() -> deliver(opened, message));
                        }

                        @Override
                        public void onClose(Status status, Metadata trailers) {
                            CallError error = CallError.of(status, trailers);
                            loop.execute(() -> end(link, error, hops));
                        }
                    },
                    new Metadata());
            opened.request(1);
            opened.sendMessage(request);
            opened.halfClose();
        }

        private void deliver(ClientCall<Q, A> from, A message) {
            if (!cancelled) {
                started = true;
                onMessage.accept(message);
                from.request(1);
            }
        }

        private void end(Link link, CallError error, int hops) {
            if (cancelled) {
                return;
            }
            boolean again = tryAgain(link, error, hops);
            if (again && !started) {
                open(hops + 1);
            } else {
                cancelled = true;
                onEnd.accept(error);
            }
        }

        @Override
        public void cancel() {
            cancelled = true;
            if (call != null) {
                call.cancel("not wanted any more", null);
            }
        }
    }

    private Link link(Via via) {
        if (via == Via.LEADER && leader != null) {
            return leader;
        }
        return configured.get(current);
    }

    /** Learns from a failure whom to ask next; says whether asking at once makes sense. */
    private boolean tryAgain(Link asked, CallError error, int hops) {
        if (closed) {
            return false;
        }
        boolean more = hops < MAX_HOPS;
        if (error.notLeader() != null) {
            asked.heard();
            return follow(asked, error.notLeader()) && more;
        }
        boolean unreachable = error.code() == Status.Code.UNAVAILABLE;
        if (!unreachable && error.code() != Status.Code.DEADLINE_EXCEEDED) {
            asked.heard();
            return false;
        }
        asked.forgetPauses();
        if (asked == leader) {
            dropLeader();
            return unreachable && more;
        }
        if (asked != configured.get(current)) {
            // Somebody else already moved on, or the link was replaced under this call.
            return unreachable && more;
        }
        current = (current + 1) % configured.size();
        return unreachable && more && hops + 1 < configured.size();
    }

    private boolean follow(Link asked, NotLeader named) {
        String address = named.getLeaderHost().contains(":")
                ? "[" + named.getLeaderHost() + "]:" + named.getLeaderPort()
                : named.getLeaderHost() + ":" + named.getLeaderPort();
        if (asked == leader && asked.address().equals(address)) {
            dropLeader();
            return false;
        }
        if (leader != null && leader.address().equals(address)) {
            return true;
        }
        dropLeader();
        leader = open(address, configured.get(current).address());
        return true;
    }

    private void dropLeader() {
        if (leader != null) {
            Link old = leader;
            leader = null;
            old.close();
        }
    }

    private void probe() {
        if (closed) {
            return;
        }
        probeTimer = loop.schedule(PROBE_EVERY, this::probe);
        configured.get(current).connect();
        for (Link link : List.copyOf(configured)) {
            link.probe(this::replace, loop::execute);
        }
        if (leader != null) {
            leader.probe(this::replace, loop::execute);
        }
    }

    /** The peer is silent: its calls fail now instead of hanging, and the next ones get a new connection. */
    private void replace(Link dead) {
        if (closed) {
            return;
        }
        if (dead == leader) {
            dropLeader();
            return;
        }
        int place = configured.indexOf(dead);
        if (place >= 0) {
            configured.set(place, open(dead.address(), dead.address()));
            dead.close();
        }
    }

    /** Returns whom calls to the leader go to now, for people. */
    public String describe() {
        return leader != null
                ? leader.address() + " (leader)"
                : configured.get(current).address();
    }

    /** Ends all calls and connections. Called on the event loop. May be repeated. */
    @Override
    public void close() {
        closed = true;
        probeTimer.cancel();
        dropLeader();
        configured.forEach(Link::close);
    }
}
