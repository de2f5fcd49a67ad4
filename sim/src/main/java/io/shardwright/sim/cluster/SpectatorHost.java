package io.shardwright.sim.cluster;

import io.shardwright.client.grpc.Connection;
import io.shardwright.client.grpc.GrpcRouting;
import io.shardwright.client.routing.RoutingFollower;
import io.shardwright.client.routing.RoutingTable;
import io.shardwright.sim.kernel.SimProcess;
import io.shardwright.sim.network.Network;
import java.time.Duration;
import java.util.Optional;

/** A router process: the spectator client without its threads and sockets. */
final class SpectatorHost extends Machine {

    private static final Duration ASK = Duration.ofMillis(700);

    private Optional<RoutingFollower> follower = Optional.empty();

    SpectatorHost(Simulation sim, String name) {
        super(sim, name);
    }

    /** Returns the follower of the process that runs now. */
    Optional<RoutingFollower> follower() {
        return process().flatMap(running -> follower);
    }

    @Override
    void run(SimProcess process) {
        Connection connection = new Connection(
                sim.replicaAddresses(),
                new Connection.Ports(
                        address -> sim.network().channel(process, address), Network.ticker(process), process));
        RoutingFollower started = new RoutingFollower(
                Simulation.NAMESPACE,
                new RoutingFollower.Ports(
                        process, process, sim.productRandom(process, starts()), new GrpcRouting(connection)),
                new RoutingFollower.Listener() {
                    @Override
                    public void changed(RoutingTable before, RoutingTable now) {
                        sim.facts().count("routing table changed");
                    }

                    @Override
                    public void interrupted(String why) {
                        sim.facts().count("routing stream interrupted");
                    }
                });
        follower = Optional.of(started);
        started.start();
        process.schedule(ASK, () -> ask(process, started));
    }

    private void ask(SimProcess process, RoutingFollower asked) {
        process.schedule(ASK, () -> ask(process, asked));
        if (asked.hasTable()) {
            sim.routed(name, asked.table().revision(), asked.age());
        }
    }

    @Override
    void stopGracefully(SimProcess running) {
        follower.orElseThrow().close();
        exited(running);
    }
}
