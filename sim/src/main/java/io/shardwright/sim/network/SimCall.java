package io.shardwright.sim.network;

import com.google.protobuf.MessageLite;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.shardwright.domain.Scheduler;
import io.shardwright.sim.kernel.SimProcess;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The client's side of a call with one request: it is sent with the half-close. Callbacks run as tasks of the client's
 * process, so a paused process hears nothing.
 */
final class SimCall<Q, A> extends ClientCall<Q, A> {

    private static final int HEADER_BYTES = 100;

    private final SimChannel channel;
    private final MethodDescriptor<Q, A> method;
    private final @Nullable Deadline deadline;
    private final ArrayDeque<A> inbox = new ArrayDeque<>();
    private final Order toServer = new Order();
    private final Order toClient = new Order();

    private @Nullable Listener<A> listener;
    private @Nullable Q request;
    private Optional<Conn> conn = Optional.empty();
    private Optional<SimServerCall<Q, A>> served = Optional.empty();
    private Optional<Scheduler.Timer> timer = Optional.empty();
    private Optional<Runnable> close = Optional.empty();
    private int wanted;
    private boolean draining;
    private boolean over;
    private boolean requestLost;
    private boolean answersLost;

    SimCall(SimChannel channel, MethodDescriptor<Q, A> method, CallOptions options) {
        this.channel = channel;
        this.method = method;
        this.deadline = options.getDeadline();
    }

    private SimProcess process() {
        return channel.process();
    }

    private Network network() {
        return channel.network();
    }

    @Override
    public void start(Listener<A> responses, Metadata headers) {
        listener = responses;
        if (deadline != null) {
            long left = Math.max(0, deadline.timeRemaining(TimeUnit.NANOSECONDS));
            timer = Optional.of(process().schedule(Duration.ofNanos(left), this::expire));
        }
    }

    private void expire() {
        if (!over) {
            end(Status.DEADLINE_EXCEEDED.withDescription("no answer in time"));
            tellServer();
        }
    }

    @Override
    public void request(int messages) {
        wanted += messages;
        drain();
    }

    @Override
    public void sendMessage(Q message) {
        request = message;
    }

    @Override
    public void halfClose() {
        channel.submit(this);
    }

    @Override
    public void cancel(@Nullable String message, @Nullable Throwable cause) {
        if (!over) {
            end(Status.CANCELLED.withDescription(message));
            tellServer();
        }
    }

    private void tellServer() {
        channel.forget(this);
        conn.ifPresent(c -> {
            if (!requestLost && !c.broken()) {
                c.toServer().send(toServer, () -> served.ifPresent(SimServerCall::cancelled));
            }
        });
    }

    // ------------------------------------------------------------------ towards the server

    void sendOn(Conn connection) {
        Q message = request;
        if (over || message == null) {
            return;
        }
        conn = Optional.of(connection);
        connection.add(this);
        Wire.Packet packet = packet(message, false);
        network().wire().sent(packet);
        if (connection.toServer().drops()) {
            requestLost = true;
            network().wire().lost(packet);
            return;
        }
        connection.toServer().send(toServer, bytes(message), () -> arrive(connection, message, packet));
    }

    private void arrive(Conn connection, Q message, Wire.Packet packet) {
        SimProcess server = connection.server();
        if (connection.brokenAtServer() || !server.alive()) {
            network().wire().lost(packet);
            return;
        }
        network().wire().delivered(packet);
        network().digest().message(message);
        Optional<ServerMethodDefinition<?, ?>> found = connection.method(method.getFullMethodName());
        SimServerCall<Q, A> call = new SimServerCall<>(this, connection, method);
        served = Optional.of(call);
        connection.add(call);
        server.execute(() -> {
            if (found.isEmpty()) {
                call.close(Status.UNIMPLEMENTED, new Metadata());
                return;
            }
            @SuppressWarnings("unchecked") // the method was found by the name that stands for its two types
            ServerMethodDefinition<Q, A> definition = (ServerMethodDefinition<Q, A>) found.get();
            call.run(definition.getServerCallHandler(), message);
        });
    }

    private static int bytes(Object message) {
        return HEADER_BYTES + (message instanceof MessageLite proto ? proto.getSerializedSize() : 0);
    }

    private Wire.Packet packet(Object content, boolean answer) {
        String client = process().name();
        String server = conn.map(c -> c.server().name()).orElse("?");
        return new Wire.Packet(
                answer ? server : client, answer ? client : server, method.getFullMethodName(), content, answer);
    }

    // ------------------------------------------------------------------ towards the client

    /** The server sends a message; called in its process. */
    void answer(Conn connection, A message) {
        Wire.Packet packet = packet(message, true);
        network().wire().sent(packet);
        if (answersLost || connection.toClient().drops()) {
            answersLost = true;
            network().wire().lost(packet);
            return;
        }
        connection.toClient().send(toClient, bytes(message), () -> {
            if (over || !process().alive()) {
                network().wire().lost(packet);
                return;
            }
            process().execute(() -> {
                network().wire().delivered(packet);
                network().digest().message(message);
                inbox.add(message);
                drain();
            });
        });
    }

    /** The server ends the call; called in its process. */
    void answerEnd(Conn connection, Status status, Metadata trailers) {
        Wire.Packet packet = packet(status, true);
        network().wire().sent(packet);
        if (answersLost || connection.toClient().drops()) {
            answersLost = true;
            network().wire().lost(packet);
            return;
        }
        connection
                .toClient()
                .send(
                        toClient,
                        () -> process().execute(() -> {
                            if (!over) {
                                network().wire().delivered(packet);
                                network().digest().end(status, trailers);
                                close = Optional.of(() -> finish(status, trailers));
                                drain();
                            }
                        }));
    }

    private void drain() {
        if (draining || over || listener == null) {
            return;
        }
        draining = true;
        try {
            while (wanted > 0 && !over) {
                A next = inbox.poll();
                if (next == null) {
                    break;
                }
                wanted--;
                listener.onMessage(next);
                conn.ifPresent(c -> {
                    if (!c.broken()) {
                        c.toServer().send(toServer, () -> served.ifPresent(SimServerCall::consumed));
                    }
                });
            }
        } finally {
            draining = false;
        }
        if (inbox.isEmpty()) {
            close.ifPresent(Runnable::run);
        }
    }

    /** Ends the call on the client's side, from wherever. */
    void end(Status status) {
        if (over) {
            return;
        }
        over = true;
        process().execute(() -> closed(status, new Metadata()));
    }

    private void finish(Status status, Metadata trailers) {
        if (!over) {
            over = true;
            closed(status, trailers);
        }
    }

    private void closed(Status status, Metadata trailers) {
        timer.ifPresent(Scheduler.Timer::cancel);
        conn.ifPresent(c -> c.remove(this));
        if (listener != null) {
            listener.onClose(status, trailers);
        }
    }
}
