package io.shardwright.sim.cluster;

import io.grpc.BindableService;
import io.shardwright.control.ControlEvent;
import io.shardwright.control.ControlListener;
import io.shardwright.control.ControlPlane;
import io.shardwright.control.ControlSettings;
import io.shardwright.control.NamespaceView;
import io.shardwright.domain.Namespace;
import io.shardwright.domain.NamespaceName;
import io.shardwright.domain.RandomSource;
import io.shardwright.domain.Scheduler;
import io.shardwright.election.Candidate;
import io.shardwright.election.ElectionPorts;
import io.shardwright.election.ElectionSettings;
import io.shardwright.election.LeaderAddress;
import io.shardwright.election.LeaseElection;
import io.shardwright.persistence.Store;
import io.shardwright.rpc.service.AdminGrpc;
import io.shardwright.rpc.service.ControlListeners;
import io.shardwright.rpc.service.ExecutorGrpc;
import io.shardwright.rpc.service.RoutingFeed;
import io.shardwright.rpc.service.SpectatorGrpc;
import io.shardwright.rpc.service.StreamThreads;
import io.shardwright.sim.kernel.ProcessClock;
import io.shardwright.sim.kernel.SimProcess;
import io.shardwright.sim.network.Network;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A server process: store, election, control plane and services, wired as the server wires them. */
final class Replica extends Machine {

    private static final int PORT = 9002;

    /** How often a process looks whether it reaches itself at the address that it advertises. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final String host;
    private Optional<ControlPlane> control = Optional.empty();
    private Optional<SimProcess> stranger = Optional.empty();
    private int strangers;
    private long version = 1;
    private Duration lease;

    /** @param host the machine's name, or that of another one for two processes that advertise one address */
    Replica(Simulation sim, String name, String host) {
        super(sim, name);
        this.host = host;
        this.lease = sim.plan().shape().lease();
    }

    /** Returns the version that its next process has. */
    long version() {
        return version;
    }

    /** Gives its next process another version. */
    void version(long number) {
        version = number;
    }

    /** Gives its next process another executor lease in its configuration. */
    void lease(Duration other) {
        lease = other;
    }

    /** Another program takes its address. */
    void strangerComes() {
        kill(Network.Death.RESET);
        if (strangers++ == 0) {
            SimProcess other = sim.kernel().process(name, ProcessClock.TRUE);
            stranger = Optional.of(other);
            sim.network().listen(address(), other, List.of());
        }
    }

    /** The other program ends. */
    void strangerGoes() {
        if (--strangers == 0) {
            stranger.ifPresent(other -> {
                other.kill();
                sim.network().killed(other, Network.Death.RESET);
            });
            stranger = Optional.empty();
        }
    }

    /** Says whether its process leads and serves. */
    boolean serving() {
        return process().isPresent() && control.filter(ControlPlane::serving).isPresent();
    }

    String address() {
        return leaderAddress().toString();
    }

    LeaderAddress leaderAddress() {
        return new LeaderAddress(host, PORT);
    }

    @Override
    void run(SimProcess process) {
        Wiring wiring = sim.wiring();
        Scheduler loop = wiring.replicaLoop(process);
        String identity = name + "/" + starts();
        Store store = sim.etcd().client(process, identity);
        RandomSource random = sim.productRandom(process, starts());
        LeaseElection election = new LeaseElection(
                new ElectionPorts(wiring.electionClock(process), loop, random, wiring.electionStore(process, store)),
                ElectionSettings.under(Simulation.PREFIX),
                new Candidate(identity, leaderAddress(), "0." + version + ".0"));
        Namespace namespace = new Namespace(
                new NamespaceName(Simulation.NAMESPACE),
                new Namespace.Kind.Fixed(sim.plan().shape().shards()),
                lease,
                "naive");
        List<Namespace> namespaces = new ArrayList<>(List.of(namespace));
        if (sim.plan().shape().ephemerals() > 0) {
            namespaces.add(new Namespace(
                    new NamespaceName(Simulation.EPHEMERAL),
                    new Namespace.Kind.Ephemeral(),
                    Simulation.EPHEMERAL_LEASE,
                    "naive"));
        }
        ControlListeners listeners = new ControlListeners();
        ControlPlane plane = new ControlPlane(
                new ControlPlane.Ports(wiring.replicaClock(process), loop, random, wiring.store(process, store)),
                wiring.election(process, election),
                ControlSettings.DEFAULT,
                namespaces,
                wiring.listener(process, listeners));
        StreamThreads threads = StreamThreads.on(process);
        RoutingFeed feed = new RoutingFeed(plane.incarnation(), threads);
        listeners.add(feed);
        listeners.add(new MissedChanges());
        control = Optional.of(plane);
        List<BindableService> services = List.of(
                new ExecutorGrpc(plane, threads),
                new SpectatorGrpc(plane, feed, threads),
                new AdminGrpc(plane, threads));
        election.holdBack();
        plane.start(started -> {
            switch (started) {
                case ControlPlane.Started.Ready ready -> {}
                case ControlPlane.Started.Refused(String why) -> sim.refused(name, why);
                // A twin that came later is a mistake and stays away; what it drove out is started again.
                case ControlPlane.Started.SameAddress(String why) -> ended(!name.equals(host));
            }
        });
        lookForItself(process, services, election);
    }

    private final class MissedChanges implements ControlListener {
        @Override
        public void event(ControlEvent event) {
            if (event instanceof ControlEvent.ForeignState) {
                sim.foreignState();
            }
        }

        @Override
        public void viewChanged(Optional<NamespaceView> before, Optional<NamespaceView> after) {}

        @Override
        public void missed(String key) {
            sim.missed(name, key);
        }

        @Override
        public void late(String key) {
            sim.late(name, key);
        }
    }

    /**
     * As the server does: who does not reach itself at its address must not lead (R137), because nobody would find it.
     */
    private void lookForItself(SimProcess process, List<BindableService> services, LeaseElection election) {
        Optional<SimProcess> reached = sim.network().reached(address());
        if (reached.isEmpty()) {
            sim.network().listen(address(), process, services);
        } else if (!reached.get().equals(process)) {
            sim.facts().count("replica held back: its address leads elsewhere");
            process.scheduleAside(LOOK, () -> lookForItself(process, services, election));
            return;
        }
        election.admit();
    }

    @Override
    void stopGracefully(SimProcess running) {
        sim.network().stopListening(address(), running);
        control.orElseThrow().stop(() -> exited(running));
    }
}
