package io.shardwright.sim.cluster;

import io.shardwright.control.ControlPlane;
import io.shardwright.control.ControlSettings;
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
import io.shardwright.sim.kernel.SimProcess;
import java.util.List;
import java.util.Optional;

/** A server process: store, election, control plane and services, wired as the server wires them. */
final class Replica extends Machine {

    private static final int PORT = 9002;

    private Optional<ControlPlane> control = Optional.empty();

    Replica(Simulation sim, String name) {
        super(sim, name);
    }

    /** Says whether its process leads and serves. */
    boolean serving() {
        return process().isPresent() && control.filter(ControlPlane::serving).isPresent();
    }

    String address() {
        return name + ":" + PORT;
    }

    @Override
    void run(SimProcess process) {
        Wiring wiring = sim.wiring();
        Scheduler loop = wiring.replicaLoop(process);
        Store store = sim.etcd().client(process);
        RandomSource random = sim.productRandom(process, starts());
        LeaseElection election = new LeaseElection(
                new ElectionPorts(wiring.electionClock(process), loop, random, wiring.electionStore(process, store)),
                ElectionSettings.under(Simulation.PREFIX),
                new Candidate(name + "/" + starts(), new LeaderAddress(name, PORT), "0.1.0"));
        Namespace namespace = new Namespace(
                new NamespaceName(Simulation.NAMESPACE),
                new Namespace.Kind.Fixed(sim.plan().shape().shards()),
                sim.plan().shape().lease(),
                "naive");
        ControlListeners listeners = new ControlListeners();
        ControlPlane plane = new ControlPlane(
                new ControlPlane.Ports(wiring.replicaClock(process), loop, random, wiring.store(process, store)),
                wiring.election(process, election),
                ControlSettings.DEFAULT,
                List.of(namespace),
                wiring.listener(process, listeners));
        StreamThreads threads = StreamThreads.on(process);
        RoutingFeed feed = new RoutingFeed(plane.incarnation(), threads);
        listeners.add(feed);
        control = Optional.of(plane);
        sim.network()
                .listen(
                        address(),
                        process,
                        List.of(
                                new ExecutorGrpc(plane, threads),
                                new SpectatorGrpc(plane, feed, threads),
                                new AdminGrpc(plane, threads)));
        plane.start(started -> {});
    }

    @Override
    void stopGracefully(SimProcess running) {
        sim.network().stopListening(address());
        control.orElseThrow().stop(() -> exited(running));
    }
}
