package io.shardwright.sim.cluster;

import io.shardwright.sim.check.DrainTarget;
import io.shardwright.sim.network.Network;
import io.shardwright.sim.plan.Fault;
import java.time.Duration;

/** Does the faults of a plan, and undoes them. A fault whose machine is not there does nothing. */
final class FaultHands {

    private static final long MICRO = 1_000L;
    private static final long MILLI = 1_000_000L;
    private static final double SECOND = 1e9;

    private final Simulation sim;

    FaultHands(Simulation sim) {
        this.sim = sim;
    }

    void schedule(Fault fault) {
        sim.kernel().at(fault.start(), () -> {
            begin(fault);
            sim.trace().faultBegan(sim.kernel().now(), fault);
        });
        if (fault.length() > 0) {
            sim.kernel().at(fault.end(), () -> {
                end(fault);
                sim.trace().faultEnded(sim.kernel().now(), fault);
            });
        }
    }

    private void begin(Fault fault) {
        sim.facts().count("fault " + fault.kind());
        Network network = sim.network();
        switch (fault.kind()) {
            case KILL -> machine(fault).kill(Network.Death.RESET);
            case LOSE -> machine(fault).kill(Network.Death.SILENT);
            case STOP -> machine(fault).stop();
            case PAUSE ->
                machine(fault).process().ifPresent(process -> {
                    sim.sightings().paused(machine(fault), fault.length());
                    process.pauseUntil(fault.end());
                    network.paused(process);
                });
            case SLOW ->
                machine(fault).process().ifPresent(process -> process.slowDown((long) (fault.amount() * MICRO)));
            case CUT -> {
                network.block(first(fault), second(fault));
                network.block(second(fault), first(fault));
            }
            case CUT_ONE_WAY -> network.block(first(fault), second(fault));
            case LOSS -> {
                network.lossy(first(fault), second(fault), fault.amount());
                network.lossy(second(fault), first(fault), fault.amount());
            }
            case DELAY -> slower(fault, (long) (fault.amount() * MILLI));
            case RESET -> network.reset(first(fault), second(fault));
            case CLOCK_RATE -> machine(fault).clockRate(fault.amount());
            case WALL_STEP ->
                machine(fault).process().ifPresent(process -> process.stepWallClock((long) (fault.amount() * SECOND)));
            case ETCD_LEADER -> {
                sim.sightings().etcdLeaderLost();
                sim.etcd().changeLeader(fault.length());
            }
            case ETCD_MEMBER -> sim.etcd().stopMember(member(fault));
            case ETCD_ANSWERS -> sim.etcd().losesAnswers(fault.amount());
            case ETCD_DEAF -> sim.etcd().missesEvents(fault.amount());
            case ETCD_STALE -> sim.etcd().readsStale(fault.amount());
            case ETCD_FORGETS -> sim.etcd().losesNextWrite();
            case ETCD_FULL -> sim.etcd().full();
            case ETCD_COMPACT -> sim.etcd().compact();
            case SLOW_SHARDS -> executor(fault).slowSteps((long) (fault.amount() * 1_000));
            case FAILING_STARTS -> executor(fault).failingStarts(fault.amount());
            case TWIN -> sim.twin(first(fault)).start();
            case UPGRADE -> {
                replica(fault).version((long) fault.amount());
                replica(fault).stop();
            }
            case CONFIGURE -> {
                replica(fault).lease(Duration.ofMillis((long) (fault.amount() * 1_000)));
                replica(fault).stop();
            }
            case BANDWIDTH -> narrower(fault, fault.amount());
            case SLOW_READER -> network.slowReader(first(fault), (long) (fault.amount() * MILLI));
            case RENAME -> executor(fault).rename();
            case HANGING_STOP -> {
                executor(fault).hang();
                executor(fault).stop();
            }
            case STRANGER -> replica(fault).strangerComes();
            case DRAIN_SHARD, DRAIN_EPHEMERAL, DRAIN_HOST ->
                sim.operator().orElseThrow().drain(drained(fault));
            case TRANSFER ->
                sim.operator().orElseThrow().transfer(replica(fault).leaderAddress());
        }
    }

    private void end(Fault fault) {
        Network network = sim.network();
        switch (fault.kind()) {
            case KILL, LOSE, STOP, UPGRADE, CONFIGURE, RENAME -> machine(fault).start();
            case SLOW -> machine(fault).process().ifPresent(process -> process.slowDown(0));
            case CUT -> {
                network.unblock(first(fault), second(fault));
                network.unblock(second(fault), first(fault));
            }
            case CUT_ONE_WAY -> network.unblock(first(fault), second(fault));
            case LOSS -> {
                network.reliable(first(fault), second(fault));
                network.reliable(second(fault), first(fault));
            }
            case DELAY -> slower(fault, -(long) (fault.amount() * MILLI));
            case CLOCK_RATE -> machine(fault).clockRate(1);
            case ETCD_MEMBER -> sim.etcd().startMember(member(fault));
            case ETCD_ANSWERS -> sim.etcd().losesAnswers(0);
            case ETCD_DEAF -> sim.etcd().missesEvents(0);
            case ETCD_STALE -> sim.etcd().readsStale(0);
            case ETCD_FULL -> sim.etcd().roomy();
            case SLOW_SHARDS -> executor(fault).slowSteps(0);
            case FAILING_STARTS -> executor(fault).failingStarts(0);
            case TWIN -> sim.twin(first(fault)).kill(Network.Death.RESET);
            case BANDWIDTH -> narrower(fault, 0);
            case SLOW_READER -> network.slowReader(first(fault), 0);
            case HANGING_STOP -> {
                executor(fault).hangNoMore();
                executor(fault).start();
            }
            case STRANGER -> replica(fault).strangerGoes();
            case DRAIN_SHARD, DRAIN_EPHEMERAL, DRAIN_HOST ->
                sim.operator().orElseThrow().undrain(drained(fault));
            case PAUSE, RESET, WALL_STEP, TRANSFER, ETCD_LEADER, ETCD_FORGETS, ETCD_COMPACT -> {}
        }
    }

    private DrainTarget drained(Fault fault) {
        int number = (int) fault.amount();
        return switch (fault.kind()) {
            case DRAIN_HOST -> {
                ExecutorHost host = executor(fault);
                yield new DrainTarget(DrainTarget.Kind.HOST, host.namespace(), host.name);
            }
            case DRAIN_EPHEMERAL ->
                new DrainTarget(DrainTarget.Kind.SHARD, Simulation.EPHEMERAL, SpectatorHost.key(number));
            default ->
                new DrainTarget(
                        DrainTarget.Kind.SHARD,
                        Simulation.NAMESPACE,
                        Integer.toString(number % sim.plan().shape().shards()));
        };
    }

    private void slower(Fault fault, long nanos) {
        sim.network().slower(first(fault), second(fault), nanos);
        sim.network().slower(second(fault), first(fault), nanos);
    }

    private void narrower(Fault fault, double bytesPerSecond) {
        sim.network().bandwidth(first(fault), second(fault), bytesPerSecond);
        sim.network().bandwidth(second(fault), first(fault), bytesPerSecond);
    }

    private Machine machine(Fault fault) {
        return sim.machine(first(fault));
    }

    private ExecutorHost executor(Fault fault) {
        return sim.executorHost(first(fault));
    }

    private Replica replica(Fault fault) {
        return sim.replica(first(fault));
    }

    private static int member(Fault fault) {
        return Integer.parseInt(first(fault).substring("etcd-".length()));
    }

    private static String first(Fault fault) {
        return fault.targets().get(0);
    }

    private static String second(Fault fault) {
        return fault.targets().get(1);
    }
}
