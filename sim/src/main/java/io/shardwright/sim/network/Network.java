package io.shardwright.sim.network;

import io.grpc.BindableService;
import io.grpc.Deadline;
import io.grpc.ManagedChannel;
import io.grpc.ServerMethodDefinition;
import io.shardwright.sim.kernel.Kernel;
import io.shardwright.sim.kernel.SimProcess;
import io.shardwright.sim.kernel.SimRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * All machines of a simulation and the links between them.
 *
 * <p>A link is blocked by a partition: what is sent meanwhile is held and arrives afterwards, unless the connection was
 * given up before. A lossy link swallows single messages, and with them the rest of their stream.
 */
public final class Network {

    private static final long SECOND = 1_000_000_000L;

    /** After this time a client gives a silent connection up: 10 s until the ping, 5 s of patience. */
    private static final long CLIENT_PATIENCE = 15 * SECOND;

    /** A server keeps a silent connection for at least, and at most, so long. */
    private static final long SERVER_PATIENCE = 20 * SECOND;

    private static final long SERVER_PATIENCE_SPREAD = 40 * SECOND;

    private final Kernel kernel;
    private final SimRandom random;
    private final Wire wire;
    private final WireDigest digest;
    private final TreeMap<String, Listening> listening = new TreeMap<>();
    private final LinkedHashMap<String, LinkedHashMap<String, Link>> links = new LinkedHashMap<>();
    private final TreeMap<String, Long> slowReaders = new TreeMap<>();
    private final List<Conn> conns = new ArrayList<>();

    /** A server: the process and its methods by full name. */
    record Listening(SimProcess process, TreeMap<String, ServerMethodDefinition<?, ?>> methods) {}

    /** How the peers of a killed process learn of it. */
    public enum Death {
        /** Its machine resets its connections. */
        RESET,
        /** Its machine is gone too: nobody says anything. */
        SILENT
    }

    /** Prepares a network without faults. */
    public Network(Kernel kernel, SimRandom random, Wire wire) {
        this.kernel = kernel;
        this.random = random;
        this.wire = wire;
        this.digest = new WireDigest(kernel.digest());
    }

    // ------------------------------------------------------------------ processes

    /** Serves at an address, in the place of whoever did before. */
    public void listen(String address, SimProcess process, List<? extends BindableService> services) {
        TreeMap<String, ServerMethodDefinition<?, ?>> methods = new TreeMap<>();
        for (BindableService service : services) {
            service.bindService()
                    .getMethods()
                    .forEach(method -> methods.put(method.getMethodDescriptor().getFullMethodName(), method));
        }
        listening.put(address, new Listening(process, methods));
    }

    /** Returns whom a call to an address reaches, if anybody listens there. */
    public Optional<SimProcess> reached(String address) {
        return at(address).map(Listening::process);
    }

    /** Serves no more at an address; open connections stay. */
    public void stopListening(String address, SimProcess process) {
        reached(address).filter(process::equals).ifPresent(mine -> listening.remove(address));
    }

    /** Opens a channel of a process to an address. It connects when it is used. */
    public ManagedChannel channel(SimProcess from, String address) {
        return new SimChannel(this, from, address);
    }

    /** Returns the clock that deadlines of a process are counted on. */
    public static Deadline.Ticker ticker(SimProcess process) {
        return new Deadline.Ticker() {
            @Override
            public long nanoTime() {
                return process.nanoTime();
            }
        };
    }

    /** Tells the peers of a process that was killed, as far as they can know. */
    public void killed(SimProcess process, Death death) {
        listening.values().removeIf(server -> server.process().equals(process));
        for (Conn conn : List.copyOf(conns)) {
            boolean client = conn.client().equals(process);
            if (!client && !conn.server().equals(process)) {
                continue;
            }
            if (death == Death.RESET) {
                link(
                                process.name(),
                                client ? conn.server().name() : conn.client().name())
                        .send(new Order(), client ? conn::breakAtServer : conn::breakAtClient);
            } else if (client) {
                kernel.after(serverPatience(), conn::breakAtServer);
            } else {
                kernel.after(CLIENT_PATIENCE, conn::breakAtClient);
            }
        }
    }

    /** To be called when a process was paused: whoever pings it hears nothing. */
    public void paused(SimProcess process) {
        kernel.after(CLIENT_PATIENCE, () -> {
            if (!process.awake()) {
                conns.stream()
                        .filter(conn -> conn.server().equals(process))
                        .toList()
                        .forEach(Conn::breakAtClient);
            }
        });
    }

    /** Carries something from one machine to another; for parts that do not speak gRPC here, such as etcd. */
    public void send(String from, String to, Order order, Runnable arrival) {
        link(from, to).send(order, arrival);
    }

    // ------------------------------------------------------------------ faults

    /** Blocks one direction between two machines. */
    public void block(String from, String to) {
        Link link = link(from, to);
        link.block();
        for (Conn conn : List.copyOf(conns)) {
            if (conn.uses(from, to)) {
                kernel.after(CLIENT_PATIENCE, () -> giveUp(link, conn, conn::breakAtClient));
                kernel.after(serverPatience(), () -> giveUp(link, conn, conn::breakAtServer));
            }
        }
    }

    private static void giveUp(Link link, Conn conn, Runnable end) {
        if (link.blocked() && !conn.broken()) {
            end.run();
        }
    }

    /** Ends one {@link #block}. */
    public void unblock(String from, String to) {
        link(from, to).unblock();
    }

    /** Swallows messages with a probability. */
    public void lossy(String from, String to, double probability) {
        link(from, to).lossy(probability);
    }

    /** Draws whether a message of a part that does not speak gRPC here gets lost. */
    public boolean drops(String from, String to) {
        return link(from, to).drops();
    }

    /** Makes a direction slower by so many nanoseconds; a negative number makes it faster again. */
    public void slower(String from, String to, long nanos) {
        link(from, to).slower(nanos);
    }

    /** Lets only so many bytes pass in a second, in the order in which they were sent; 0: as many as there are. */
    public void bandwidth(String from, String to, double bytesPerSecond) {
        link(from, to).bandwidth(bytesPerSecond);
    }

    /** Lets a machine take the next message of a stream only after a time. */
    public void slowReader(String machine, long nanos) {
        if (nanos > 0) {
            slowReaders.put(machine, nanos);
        } else {
            slowReaders.remove(machine);
        }
    }

    /** Resets all connections between two machines. */
    public void reset(String one, String other) {
        for (Conn conn : List.copyOf(conns)) {
            if (conn.uses(one, other)) {
                wire.counted("connection reset by a fault");
                conn.breakAtClient();
                conn.breakAtServer();
            }
        }
    }

    /** Returns how many connections are open, half open ones included. */
    public int connections() {
        return conns.size();
    }

    /** Returns how many connections a process opened and did not give up. */
    public int connectionsOf(SimProcess process) {
        return (int) conns.stream()
                .filter(conn -> conn.client().equals(process) && !conn.brokenAtClient())
                .count();
    }

    /** Returns how many calls and streams are open on all connections. */
    public int calls() {
        return conns.stream().mapToInt(Conn::calls).sum();
    }

    // ------------------------------------------------------------------ inside

    Kernel kernel() {
        return kernel;
    }

    SimRandom random() {
        return random;
    }

    Wire wire() {
        return wire;
    }

    WireDigest digest() {
        return digest;
    }

    long readingTime(String machine) {
        return slowReaders.isEmpty() ? 0 : slowReaders.getOrDefault(machine, 0L);
    }

    Link link(String from, String to) {
        return links.computeIfAbsent(from, key -> new LinkedHashMap<>())
                .computeIfAbsent(to, key -> new Link(this, from, to));
    }

    Optional<Listening> at(String address) {
        return Optional.ofNullable(listening.get(address));
    }

    Conn open(SimChannel channel, Listening server) {
        Conn conn = new Conn(this, channel, server);
        conns.add(conn);
        return conn;
    }

    void closed(Conn conn) {
        conns.remove(conn);
    }

    private long serverPatience() {
        return SERVER_PATIENCE + random.between(0, SERVER_PATIENCE_SPREAD);
    }
}
