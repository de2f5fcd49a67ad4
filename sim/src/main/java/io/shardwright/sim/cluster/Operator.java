package io.shardwright.sim.cluster;

import io.grpc.MethodDescriptor;
import io.shardwright.client.grpc.Connection;
import io.shardwright.election.LeaderAddress;
import io.shardwright.proto.v1.AdminServiceGrpc;
import io.shardwright.proto.v1.DrainHostsRequest;
import io.shardwright.proto.v1.DrainShardsRequest;
import io.shardwright.proto.v1.TransferLeadershipRequest;
import io.shardwright.proto.v1.UndrainHostsRequest;
import io.shardwright.proto.v1.UndrainShardsRequest;
import io.shardwright.sim.check.DrainTarget;
import io.shardwright.sim.kernel.SimProcess;
import io.shardwright.sim.plan.Shape;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Somebody who drains shards and hosts and takes them back, asks again until there is an answer, and moves leadership.
 *
 * <p>A call that was not answered may still arrive, after calls that were sent later. So the answer to a later call
 * settles a matter only when that call was sent long enough after the last one that was not answered.
 */
final class Operator extends Machine {

    private static final Duration TURN = Duration.ofSeconds(1);
    private static final Duration DEADLINE = Duration.ofSeconds(5);
    private static final Duration GONE = Duration.ofSeconds(30); // until then a call without an answer may arrive

    private final TreeMap<DrainTarget, Matter> matters = new TreeMap<>();

    /** What is wanted for one target. */
    private static final class Matter {
        int drains; // overlapping wishes to have it drained
        boolean settled;
        Optional<Long> unanswered = Optional.empty(); // when the last call without an answer was sent
        long due; // when to ask next

        boolean drained() {
            return drains > 0;
        }
    }

    Operator(Simulation sim) {
        super(sim, Shape.OPERATOR);
    }

    void drain(DrainTarget target) {
        wish(target, 1);
    }

    void undrain(DrainTarget target) {
        wish(target, -1);
    }

    private void wish(DrainTarget target, int more) {
        Matter matter = matters.computeIfAbsent(target, key -> new Matter());
        boolean before = matter.drained();
        matter.drains += more;
        if (before != matter.drained()) {
            matter.settled = false;
            sim.drainAsked(target);
        }
    }

    /** Asks once; whoever it goes to, no promise may break. */
    void transfer(LeaderAddress to) {
        TransferLeadershipRequest request = TransferLeadershipRequest.newBuilder()
                .setHost(to.host())
                .setPort(to.port())
                .build();
        connection()
                .ifPresent(open -> open.call(
                        AdminServiceGrpc.getTransferLeadershipMethod(),
                        request,
                        DEADLINE,
                        result -> sim.facts()
                                .count(
                                        result instanceof Connection.Result.Failed<?>
                                                ? "leadership not transferred"
                                                : "leadership transferred")));
    }

    /** Returns what was asked for and is not settled. */
    List<DrainTarget> unsettled() {
        return matters.entrySet().stream()
                .filter(matter -> !matter.getValue().settled)
                .map(Map.Entry::getKey)
                .toList();
    }

    @Override
    void run(SimProcess process) {
        connect(process);
        process.scheduleAside(TURN, () -> turn(process));
    }

    private void turn(SimProcess process) {
        long now = process.nanoTime();
        for (Map.Entry<DrainTarget, Matter> entry : matters.entrySet()) {
            Matter matter = entry.getValue();
            if (!matter.settled && (matter.unanswered.isEmpty() || now - matter.due >= 0)) {
                ask(process, entry.getKey(), matter);
                return;
            }
        }
        process.scheduleAside(TURN, () -> turn(process));
    }

    private void ask(SimProcess process, DrainTarget target, Matter matter) {
        boolean drained = matter.drained();
        long sent = process.nanoTime();
        call(target, drained, result -> {
            if (result instanceof Connection.Result.Failed<?>) {
                sim.facts().count("operator's call failed");
                matter.unanswered = Optional.of(sent);
                matter.due = process.nanoTime();
            } else if (matter.drained() != drained) {
                sim.facts().count("operator changed its mind while it asked");
            } else if (matter.unanswered
                    .filter(last -> sent - last < GONE.toNanos())
                    .isPresent()) {
                matter.due = matter.unanswered.get() + GONE.toNanos();
            } else {
                sim.facts().count(drained ? "drain acknowledged" : "undrain acknowledged");
                matter.settled = true;
                matter.unanswered = Optional.empty();
                sim.drainAnswered(target, drained);
            }
            process.scheduleAside(TURN, () -> turn(process));
        });
    }

    private void call(DrainTarget target, boolean drain, Consumer<Connection.Result<?>> answer) {
        String namespace = target.namespace();
        String name = target.name();
        switch (target.kind()) {
            case SHARD -> {
                if (drain) {
                    DrainShardsRequest.Builder request = DrainShardsRequest.newBuilder()
                            .setNamespace(namespace)
                            .addShardKeys(name);
                    send(AdminServiceGrpc.getDrainShardsMethod(), request.build(), answer);
                } else {
                    UndrainShardsRequest.Builder request = UndrainShardsRequest.newBuilder()
                            .setNamespace(namespace)
                            .addShardKeys(name);
                    send(AdminServiceGrpc.getUndrainShardsMethod(), request.build(), answer);
                }
            }
            case HOST -> {
                if (drain) {
                    DrainHostsRequest.Builder request = DrainHostsRequest.newBuilder()
                            .setNamespace(namespace)
                            .addHosts(name);
                    send(AdminServiceGrpc.getDrainHostsMethod(), request.build(), answer);
                } else {
                    UndrainHostsRequest.Builder request = UndrainHostsRequest.newBuilder()
                            .setNamespace(namespace)
                            .addHosts(name);
                    send(AdminServiceGrpc.getUndrainHostsMethod(), request.build(), answer);
                }
            }
        }
    }

    private <Q, A> void send(MethodDescriptor<Q, A> method, Q request, Consumer<Connection.Result<?>> answer) {
        connection().orElseThrow().call(method, request, DEADLINE, answer::accept);
    }

    @Override
    void stopGracefully(SimProcess running) {
        exited(running);
    }
}
