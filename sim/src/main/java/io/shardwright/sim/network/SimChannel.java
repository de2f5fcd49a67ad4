package io.shardwright.sim.network;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.shardwright.sim.kernel.SimProcess;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A channel to one address. Connects when it is used, fails fast between attempts, and waits longer after each failed
 * one, as grpc-java does (connection back-off: from 1 s, times 1.6, to 2 minutes).
 */
final class SimChannel extends ManagedChannel {

    private static final long SECOND = 1_000_000_000L;
    private static final long CONNECT_PATIENCE = 20 * SECOND;
    private static final long FIRST_BACKOFF = SECOND;
    private static final long LONGEST_BACKOFF = 120 * SECOND;

    private final Network network;
    private final SimProcess process;
    private final String address;
    private final ArrayDeque<SimCall<?, ?>> waiting = new ArrayDeque<>();
    private ConnectivityState state = ConnectivityState.IDLE;
    private Optional<Conn> conn = Optional.empty();
    private long backoff = FIRST_BACKOFF;
    private long attempt;

    SimChannel(Network network, SimProcess process, String address) {
        this.network = network;
        this.process = process;
        this.address = address;
    }

    SimProcess process() {
        return process;
    }

    String address() {
        return address;
    }

    Network network() {
        return network;
    }

    @Override
    public <Q, A> ClientCall<Q, A> newCall(MethodDescriptor<Q, A> method, CallOptions options) {
        return new SimCall<>(this, method, options);
    }

    /** Sends a call off, now or once there is a connection. */
    void submit(SimCall<?, ?> call) {
        switch (state) {
            case READY -> call.sendOn(conn.orElseThrow());
            case IDLE -> {
                waiting.add(call);
                connect();
            }
            case CONNECTING -> waiting.add(call);
            case TRANSIENT_FAILURE ->
                call.end(Status.UNAVAILABLE.withDescription("no connection to " + address + " at the moment"));
            case SHUTDOWN -> call.end(Status.UNAVAILABLE.withDescription("the channel is shut down"));
        }
    }

    private void connect() {
        state = ConnectivityState.CONNECTING;
        long mine = ++attempt;
        long end = network.kernel().now() + CONNECT_PATIENCE;
        knock(mine, end);
    }

    private void knock(long mine, long end) {
        if (mine != attempt || state != ConnectivityState.CONNECTING) {
            return;
        }
        String there =
                network.at(address).map(server -> server.process().name()).orElse(address);
        Link out = network.link(process.name(), there);
        Link back = network.link(there, process.name());
        if (out.blocked() || back.blocked()) {
            if (network.kernel().now() >= end) {
                failed(mine, "no answer to the attempt to connect");
            } else {
                network.kernel().after(SECOND, () -> knock(mine, end));
            }
            return;
        }
        out.send(new Order(), () -> {
            Optional<Network.Listening> server = network.at(address);
            if (server.isEmpty()) {
                back.send(new Order(), () -> failed(mine, "connection refused"));
            } else {
                back.send(new Order(), () -> established(mine, server.get()));
            }
        });
    }

    private void established(long mine, Network.Listening server) {
        if (mine != attempt || state != ConnectivityState.CONNECTING) {
            return;
        }
        if (!process.alive()) {
            return;
        }
        if (!server.process().alive()) {
            failed(mine, "connection reset");
            return;
        }
        state = ConnectivityState.READY;
        backoff = FIRST_BACKOFF;
        Conn opened = network.open(this, server);
        conn = Optional.of(opened);
        while (!waiting.isEmpty()) {
            waiting.poll().sendOn(opened);
        }
    }

    private void failed(long mine, String why) {
        if (mine != attempt || state != ConnectivityState.CONNECTING) {
            return;
        }
        state = ConnectivityState.TRANSIENT_FAILURE;
        while (!waiting.isEmpty()) {
            waiting.poll().end(Status.UNAVAILABLE.withDescription(address + ": " + why));
        }
        network.kernel().after(backoff, () -> {
            if (mine == attempt && state == ConnectivityState.TRANSIENT_FAILURE) {
                state = ConnectivityState.IDLE;
            }
        });
        backoff = Math.min(LONGEST_BACKOFF, backoff * 8 / 5);
    }

    /** The connection ended. */
    void lost(Conn old) {
        if (conn.filter(old::equals).isPresent()) {
            conn = Optional.empty();
            if (state == ConnectivityState.READY) {
                state = ConnectivityState.IDLE;
            }
        }
    }

    void forget(SimCall<?, ?> call) {
        waiting.remove(call);
    }

    @Override
    public ConnectivityState getState(boolean requestConnection) {
        if (requestConnection && state == ConnectivityState.IDLE) {
            connect();
        }
        return state;
    }

    @Override
    public void resetConnectBackoff() {
        if (state == ConnectivityState.TRANSIENT_FAILURE) {
            backoff = FIRST_BACKOFF;
            connect();
        }
    }

    @Override
    public ManagedChannel shutdown() {
        return shutdownNow();
    }

    @Override
    public ManagedChannel shutdownNow() {
        if (state != ConnectivityState.SHUTDOWN) {
            state = ConnectivityState.SHUTDOWN;
            conn.ifPresent(Conn::closeByClient);
            while (!waiting.isEmpty()) {
                waiting.poll().end(Status.UNAVAILABLE.withDescription("the channel is shut down"));
            }
        }
        return this;
    }

    @Override
    public boolean isShutdown() {
        return state == ConnectivityState.SHUTDOWN;
    }

    @Override
    public boolean isTerminated() {
        return isShutdown();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return isShutdown();
    }

    @Override
    public String authority() {
        return address;
    }
}
