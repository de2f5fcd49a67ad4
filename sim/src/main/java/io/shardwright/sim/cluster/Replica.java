package io.shardwright.sim.cluster;

import io.shardwright.control.ControlPlane;
import io.shardwright.control.ControlSettings;
import io.shardwright.domain.Namespace;
import io.shardwright.domain.NamespaceName;
import io.shardwright.election.LocalElection;
import io.shardwright.persistence.Bytes;
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

    private Optional<ControlPlane> control = Optional.empty();

    Replica(Simulation sim, String name) {
        super(sim, name);
    }

    String address() {
        return name + ":9002";
    }

    @Override
    void run(SimProcess process) {
        Wiring wiring = sim.wiring();
        Store store = wiring.store(process, sim.etcd().client(process));
        Namespace namespace = new Namespace(
                new NamespaceName(Simulation.NAMESPACE),
                new Namespace.Kind.Fixed(sim.plan().shape().shards()),
                sim.plan().shape().lease(),
                "naive");
        ControlListeners listeners = new ControlListeners();
        ControlPlane plane = new ControlPlane(
                new ControlPlane.Ports(
                        wiring.replicaClock(process), process, sim.productRandom(process, starts()), store),
                new LocalElection(store, process, Bytes.utf8(Simulation.PREFIX + "leader"), name),
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
