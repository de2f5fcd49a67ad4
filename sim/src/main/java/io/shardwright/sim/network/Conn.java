package io.shardwright.sim.network;

import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.shardwright.sim.kernel.SimProcess;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Optional;

/** One connection. Each side learns of its end by itself, so it can be half open. */
final class Conn {

    private final Network network;
    private final SimChannel channel;
    private final Network.Listening server;
    private final LinkedHashSet<SimCall<?, ?>> clientCalls = new LinkedHashSet<>();
    private final LinkedHashSet<SimServerCall<?, ?>> serverCalls = new LinkedHashSet<>();
    private final Link toServer;
    private final Link toClient;
    private boolean brokenAtClient;
    private boolean brokenAtServer;

    Conn(Network network, SimChannel channel, Network.Listening server) {
        this.network = network;
        this.channel = channel;
        this.server = server;
        this.toServer = network.link(client().name(), server().name());
        this.toClient = network.link(server().name(), client().name());
    }

    SimProcess client() {
        return channel.process();
    }

    SimProcess server() {
        return server.process();
    }

    Link toServer() {
        return toServer;
    }

    Link toClient() {
        return toClient;
    }

    Network network() {
        return network;
    }

    boolean uses(String one, String other) {
        return (client().name().equals(one) && server().name().equals(other))
                || (client().name().equals(other) && server().name().equals(one));
    }

    boolean broken() {
        return brokenAtClient || brokenAtServer;
    }

    boolean brokenAtClient() {
        return brokenAtClient;
    }

    boolean brokenAtServer() {
        return brokenAtServer;
    }

    int calls() {
        return clientCalls.size() + serverCalls.size();
    }

    Optional<ServerMethodDefinition<?, ?>> method(String name) {
        return Optional.ofNullable(server.methods().get(name));
    }

    void add(SimCall<?, ?> call) {
        clientCalls.add(call);
    }

    void remove(SimCall<?, ?> call) {
        clientCalls.remove(call);
    }

    void add(SimServerCall<?, ?> call) {
        serverCalls.add(call);
    }

    void remove(SimServerCall<?, ?> call) {
        serverCalls.remove(call);
    }

    /** The client gives the connection up: its calls fail, and the server hears of it if the network carries it. */
    void closeByClient() {
        if (!brokenAtClient) {
            breakAtClient();
            toServer().send(new Order(), this::breakAtServer);
        }
    }

    void breakAtClient() {
        if (brokenAtClient) {
            return;
        }
        brokenAtClient = true;
        for (SimCall<?, ?> call : new ArrayList<>(clientCalls)) {
            call.end(Status.UNAVAILABLE.withDescription("the connection to " + channel.address() + " was lost"));
        }
        clientCalls.clear();
        channel.lost(this);
        closeIfOver();
    }

    void breakAtServer() {
        if (brokenAtServer) {
            return;
        }
        brokenAtServer = true;
        for (SimServerCall<?, ?> call : new ArrayList<>(serverCalls)) {
            call.cancelled();
        }
        serverCalls.clear();
        closeIfOver();
    }

    private void closeIfOver() {
        if (brokenAtClient && brokenAtServer) {
            network.closed(this);
        }
    }
}
