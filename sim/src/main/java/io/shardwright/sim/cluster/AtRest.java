package io.shardwright.sim.cluster;

import io.shardwright.client.routing.Route;
import io.shardwright.client.routing.RoutingFollower;
import io.shardwright.sim.check.Stored;
import io.shardwright.sim.check.Violation;
import io.shardwright.sim.kernel.SimProcess;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What must be true some time after the faults ended, for the machines that are left: liveness, where
 * {@code io.shardwright.sim.check} has safety.
 */
final class AtRest {

    /**
     * How long it may take until all is well: a leadership that ends (10 s, and an etcd leader change that starts it
     * anew), a take-over that waits for leases and for a loss that was held back, the hand-over of shards, and a client
     * whose pause between attempts to connect has grown.
     */
    static final Duration SETTLED_AFTER = Duration.ofSeconds(150);

    /**
     * How long it may take until one replica serves (L1): etcd may have lost its own leader just now, and the leader is
     * lost for good a second later, so its lease begins anew (10 s), with an election of etcd on top (1 s) and a scan
     * (0.5 s); then a candidate that was cut off has to find etcd again (2 s and a pause of up to 5 s), and a new
     * process its own address (1 s); loading takes a few calls of 2 s at most.
     */
    static final Duration LED_AFTER = Duration.ofSeconds(30);

    /**
     * How long it may take until all routers know the last change of a shard (L4): as long as it takes until somebody
     * leads, because until then they may have nobody to ask, and once more, for a silent connection that is given up
     * (15 s) and a pause between attempts that has grown.
     */
    static final Duration ROUTED_AFTER = LED_AFTER.multipliedBy(2);

    private static final Duration SETTLED_EPHEMERAL = Duration.ofSeconds(30);
    private static final Duration CALL_SLACK = Duration.ofSeconds(5);
    /** An executor remembers each ephemeral shard that went idle for 20 minutes, with a timer. */
    private static final int TIMERS_PER_PROCESS = 600;

    private static final int CALLS_PER_CLIENT = 8;

    private final Simulation sim;

    AtRest(Simulation sim) {
        this.sim = sim;
    }

    /** Returns what is not well yet. */
    Optional<Violation> unsettled() {
        return leader().or(this::owners)
                .or(this::ephemeral)
                .or(this::calls)
                .or(this::operator)
                .or(this::routers)
                .or(this::leftovers);
    }

    /** Returns what still moves, from a time on. */
    Optional<Violation> restless(long since) {
        int moves = sim.ledger().shardChangesAfter(Simulation.NAMESPACE, since);
        if (moves > 0) {
            return violated("L6", moves + " changes of shards were stored although nothing happened any more");
        }
        int terms = sim.ledger().electionChangesAfter(since);
        return terms > 0
                ? violated("L6", "the election changed " + terms + " times although nothing happened any more")
                : Optional.empty();
    }

    private Optional<Violation> violated(String id, String message) {
        return Optional.of(new Violation(id, sim.kernel().now(), message));
    }

    /** Returns what is not well with the leadership. */
    Optional<Violation> leader() {
        List<String> serving = sim.replicas().stream()
                .filter(Replica::serving)
                .map(r -> r.name)
                .toList();
        return serving.size() == 1
                ? Optional.empty()
                : violated("L1", "one replica should serve; it is " + (serving.isEmpty() ? "none" : serving));
    }

    private Optional<Violation> owners() {
        Map<String, Stored.Ownership> shards = sim.ledger().shards();
        for (int i = 0; i < sim.plan().shape().shards(); i++) {
            String key = Integer.toString(i);
            Stored.Ownership stored = shards.get(Simulation.NAMESPACE + "/" + key);
            if (stored == null || stored.owner().isEmpty()) {
                return violated("L2", "shard " + key + " has no owner");
            }
            if (stored.releasing()) {
                return violated("L2", "shard " + key + " is still being released by " + stored.owner());
            }
            boolean run = sim.executorHosts().stream()
                    .flatMap(host -> host.application().stream())
                    .anyMatch(app -> app.executorId().equals(stored.owner()) && app.admits(key));
            if (!run) {
                return violated("L2", "shard " + key + " belongs to " + stored.owner() + ", which does not run it");
            }
        }
        return Optional.empty();
    }

    /** Shards come and go there as long as somebody asks for them, so only what does not change has to be well. */
    private Optional<Violation> ephemeral() {
        if (sim.etcd().lostWrite()) {
            return Optional.empty(); // the leader finds out when it next writes that segment, which nobody may ask for
        }
        for (Map.Entry<String, Stored.Ownership> shard : sim.ledger().shards().entrySet()) {
            boolean settled = sim.kernel().now() - sim.ledger().changedAt(shard.getKey()) > SETTLED_EPHEMERAL.toNanos();
            if (shard.getKey().startsWith(Simulation.EPHEMERAL + "/") && settled) {
                String owner = shard.getValue().owner();
                boolean lives = sim.executorHosts().stream()
                        .anyMatch(host -> host.executorId().equals(owner)
                                && host.process().isPresent());
                if (!lives) {
                    return violated(
                            "L2",
                            "shard " + shard.getKey() + " belongs to "
                                    + (owner.isEmpty() ? "nobody" : owner + ", which does not live"));
                }
            }
        }
        return Optional.empty();
    }

    private Optional<Violation> calls() {
        for (ExecutorHost host : sim.executorHosts()) {
            long overdue = host.transport().map(t -> t.overdue(CALL_SLACK)).orElse(0L);
            if (overdue > 0) {
                return violated("L3", overdue + " calls of " + host.name + " never ended");
            }
        }
        for (SpectatorHost spectator : sim.spectatorHosts()) {
            Optional<SimProcess> process = spectator.process();
            long overdue = process.map(running -> spectator.overdue(running, CALL_SLACK))
                    .orElse(0L);
            if (overdue > 0) {
                return violated("L3", overdue + " lookups of " + spectator.name + " never ended");
            }
            Duration without = process.map(spectator::unanswered).orElse(Duration.ZERO);
            if (sim.plan().shape().ephemerals() > 0 && without.compareTo(SETTLED_EPHEMERAL) > 0) {
                return violated(
                        "L3", "no lookup of " + spectator.name + " found an owner for " + without.toSeconds() + " s");
            }
        }
        return Optional.empty();
    }

    private Optional<Violation> operator() {
        return sim.operator()
                .map(Operator::unsettled)
                .filter(open -> !open.isEmpty())
                .flatMap(open -> violated("L3", "the operator got no answer about " + open));
    }

    /** Returns which router still knows something else, unless a shard changed a short while ago. */
    Optional<Violation> routersBehind() {
        long changed = sim.ledger().shardsChangedLast(Simulation.NAMESPACE);
        return sim.kernel().now() - changed < ROUTED_AFTER.toNanos() ? Optional.empty() : routers();
    }

    private Optional<Violation> routers() {
        for (SpectatorHost spectator : sim.spectatorHosts()) {
            Optional<RoutingFollower> follower = spectator.follower();
            if (follower.isEmpty()) {
                continue;
            }
            for (int i = 0; i < sim.plan().shape().shards(); i++) {
                String key = Integer.toString(i);
                String stored = Optional.ofNullable(sim.ledger().shards().get(Simulation.NAMESPACE + "/" + key))
                        .map(o -> o.owner() + "@" + o.epoch())
                        .orElse("nobody");
                String known = follower.get()
                        .table()
                        .ownerOf(key)
                        .map(route -> text(route))
                        .orElse("nobody");
                if (!stored.equals(known)) {
                    return violated(
                            "L4",
                            spectator.name + " says shard " + key + " belongs to " + known + ", but it is " + stored);
                }
            }
        }
        return Optional.empty();
    }

    private static String text(Route route) {
        return route.executor().id() + "@" + route.epoch();
    }

    private Optional<Violation> leftovers() {
        int clients = sim.executorHosts().size() * 2 + sim.plan().shape().spectators() * 2;
        if (sim.network().calls() > clients * CALLS_PER_CLIENT) {
            return violated("L7", sim.network().calls() + " calls and streams are open for " + clients + " clients");
        }
        for (Machine machine : sim.machines()) {
            int timers = machine.process().map(p -> p.timers() + p.queued()).orElse(0);
            if (timers > TIMERS_PER_PROCESS) {
                return violated("L7", machine.name + " has " + timers + " timers and tasks waiting");
            }
        }
        return Optional.empty();
    }
}
