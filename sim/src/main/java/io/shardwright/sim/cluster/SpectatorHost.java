package io.shardwright.sim.cluster;

import io.shardwright.client.grpc.Connection;
import io.shardwright.client.grpc.GrpcRouting;
import io.shardwright.client.routing.Route;
import io.shardwright.client.routing.RoutingFollower;
import io.shardwright.client.routing.RoutingTable;
import io.shardwright.proto.v1.GetShardOwnerRequest;
import io.shardwright.proto.v1.GetShardOwnerResponse;
import io.shardwright.proto.v1.SpectatorServiceGrpc;
import io.shardwright.sim.check.Routes;
import io.shardwright.sim.kernel.SimProcess;
import io.shardwright.sim.plan.Shape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** A router process: the spectator client without its threads and sockets. */
final class SpectatorHost extends Machine {

    private static final Duration ASK = Duration.ofMillis(700);

    private static final Duration LOOK_UP = Duration.ofSeconds(4);
    private static final Duration LOOK_UP_DEADLINE = Duration.ofSeconds(5);
    private static final int KEYS = 24;

    private final TreeMap<Long, Long> open = new TreeMap<>(); // lookup to the local time at which it must have ended
    private final List<RoutingFollower> followers = new ArrayList<>(); // of the process that runs now
    private long lookups;
    private long lastFound;

    SpectatorHost(Simulation sim, String name) {
        super(sim, name);
    }

    /** Returns the key of an ephemeral shard that routers ask for. */
    static String key(int number) {
        return "user-" + number % KEYS;
    }

    /** Returns the follower of the process that runs now. */
    Optional<RoutingFollower> follower() {
        return process().flatMap(running -> followers.stream().findFirst());
    }

    @Override
    void run(SimProcess process) {
        Connection connection = connect(process);
        followers.clear();
        RoutingFollower started = follow(
                Simulation.NAMESPACE,
                new RoutingFollower.Ports(
                        process, process, sim.productRandom(process, starts()), new GrpcRouting(connection)),
                "routing table changed",
                () -> sim.facts().count("routing stream interrupted"));
        if (name.equals(Shape.spectator(0)) && sim.plan().shape().ephemerals() > 0) {
            followEphemeral(process, connection);
        }
        process.scheduleAside(ASK, () -> ask(process, started));
        open.clear();
        lastFound = process.nanoTime();
        if (sim.plan().shape().ephemerals() > 0) {
            process.scheduleAside(LOOK_UP, () -> lookUp(process, connection));
        }
    }

    /** Its table has many segments, so one that was missed shows as soon as another one is heard of. */
    private void followEphemeral(SimProcess process, Connection connection) {
        RoutingFollower.Ports ports = new RoutingFollower.Ports(
                process, process, sim.random("ephemeral follower"), new GrpcRouting(connection));
        follow(Simulation.EPHEMERAL, ports, "ephemeral routing table changed", () -> {});
    }

    /** Begins to follow the table of a namespace, each state of which is judged. */
    private RoutingFollower follow(
            String namespace, RoutingFollower.Ports ports, String changedFact, Runnable interrupted) {
        RoutingFollower begun = new RoutingFollower(namespace, ports, new RoutingFollower.Listener() {
            @Override
            public void changed(RoutingTable before, RoutingTable now) {
                sim.facts().count(changedFact);
                sim.table(name, namespace, now.revision(), routes(now));
            }

            @Override
            public void interrupted(String why) {
                interrupted.run();
            }
        });
        followers.add(begun);
        begun.start();
        return begun;
    }

    private static long routes(RoutingTable table) {
        long routes = 0;
        for (Route route : table.routes().values()) {
            routes ^=
                    Routes.of(route.shardKey(), route.epoch(), route.executor().id());
        }
        return routes;
    }

    /** Returns how many lookups are past their deadline by more than a time. */
    long overdue(SimProcess running, Duration slack) {
        return open.values().stream()
                .filter(end -> running.nanoTime() - end > slack.toNanos())
                .count();
    }

    /** Returns for how long no lookup found an owner. */
    Duration unanswered(SimProcess running) {
        return Duration.ofNanos(running.nanoTime() - lastFound);
    }

    /** Asks for the owner of an ephemeral shard, which creates it, and then uses it there. */
    private void lookUp(SimProcess process, Connection connection) {
        process.scheduleAside(LOOK_UP, () -> lookUp(process, connection));
        String key = key(sim.random("lookups").nextInt(KEYS));
        long number = ++lookups;
        open.put(number, process.nanoTime() + LOOK_UP_DEADLINE.toNanos());
        connection.call(
                SpectatorServiceGrpc.getGetShardOwnerMethod(),
                GetShardOwnerRequest.newBuilder()
                        .setNamespace(Simulation.EPHEMERAL)
                        .setShardKey(key)
                        .build(),
                LOOK_UP_DEADLINE,
                result -> {
                    open.remove(number);
                    if (result instanceof Connection.Result.Answer<GetShardOwnerResponse> found) {
                        answered(process, key, found.value());
                    } else {
                        sim.facts().count("lookup failed");
                    }
                });
    }

    private void answered(SimProcess process, String key, GetShardOwnerResponse answer) {
        sim.facts().count("lookup answered");
        if (answer.hasOwner()) {
            lastFound = process.nanoTime();
            String owner = answer.getOwner().getExecutorId();
            sim.found(name, key, answer.getEpoch(), owner);
            sim.use(name, owner, key);
        }
    }

    private void ask(SimProcess process, RoutingFollower asked) {
        process.scheduleAside(ASK, () -> ask(process, asked));
        if (asked.hasTable()) {
            sim.routed(name, asked.table().revision(), asked.age());
        }
    }

    @Override
    void stopGracefully(SimProcess running) {
        followers.forEach(RoutingFollower::close);
        exited(running);
    }
}
