package io.shardwright.sim.cluster;

import io.shardwright.sim.check.DrainTarget;
import io.shardwright.sim.network.Network;
import io.shardwright.sim.plan.Fault;
import io.shardwright.sim.plan.Shape;
import java.time.Duration;
import java.util.List;

/** Does the faults of a plan, and undoes them. A fault whose machine is not there does nothing. */
final class FaultHands {

    private static final long MICRO = 1_000L;
    private static final long MILLI = 1_000_000L;
    private static final double SECOND = 1e9;

    private final Simulation sim;
    private final Overlaps overlaps = new Overlaps();

    FaultHands(Simulation sim) {
        this.sim = sim;
    }

    void schedule(Fault fault) {
        sim.kernel().at(fault.start(), () -> {
            begin(fault);
            sim.trace().faultBegan(sim.kernel().now(), fault);
            if (fault.length() == 0 && fault.kind() != Fault.Kind.CLOCK_RATE) {
                end(fault);
            }
        });
        if (fault.length() > 0) {
            sim.kernel().at(fault.end(), () -> {
                end(fault);
                sim.trace().faultEnded(sim.kernel().now(), fault);
            });
        }
    }

    private void begin(Fault fault) {
        if (hits(fault)) {
            sim.facts().count("fault " + fault.kind());
        }
        if (fault.kind().takesDown()) {
            down(fault);
        }
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
            case SLOW -> slow(fault, begun(fault));
            case CUT -> {
                network.block(first(fault), second(fault));
                network.block(second(fault), first(fault));
            }
            case CUT_ONE_WAY -> network.block(first(fault), second(fault));
            case LOSS -> lossy(fault, begun(fault));
            case DELAY -> slower(fault, (long) (fault.amount() * MILLI));
            case RESET -> {
                network.reset(first(fault), second(fault));
                sim.etcd().reset(first(fault), second(fault));
            }
            case CLOCK_RATE -> machine(fault).clockRate(fault.amount());
            case WALL_STEP ->
                machine(fault).process().ifPresent(process -> process.stepWallClock((long) (fault.amount() * SECOND)));
            case ETCD_LEADER -> {
                sim.sightings().etcdLeaderLost();
                sim.etcd().changeLeader(fault.length());
            }
            case ETCD_MEMBER -> {
                begun(fault);
                sim.etcd().stopMember(member(fault));
            }
            case ETCD_ANSWERS -> sim.etcd().losesAnswers(Overlaps.most(begun(fault)));
            case ETCD_DEAF -> sim.etcd().missesEvents(Overlaps.most(begun(fault)));
            case ETCD_STALE -> sim.etcd().readsStale(Overlaps.most(begun(fault)));
            case ETCD_FORGETS -> sim.etcd().losesNextWrite();
            case ETCD_FULL -> sim.etcd().full();
            case ETCD_COMPACT -> sim.etcd().compact();
            case SLOW_SHARDS -> executor(fault).slowSteps((long) (Overlaps.most(begun(fault)) * 1_000));
            case FAILING_STARTS -> executor(fault).failingStarts(Overlaps.most(begun(fault)));
            case TWIN -> {
                begun(fault);
                sim.twin(first(fault)).start();
            }
            case UPGRADE -> {
                replica(fault).version((long) fault.amount());
                replica(fault).stop();
            }
            case CONFIGURE -> {
                replica(fault).lease(Duration.ofMillis((long) (fault.amount() * 1_000)));
                replica(fault).stop();
            }
            case BANDWIDTH -> narrower(fault, Overlaps.least(begun(fault)));
            case SLOW_READER -> network.slowReader(first(fault), (long) (Overlaps.most(begun(fault)) * MILLI));
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
            case SLOW -> slow(fault, over(fault));
            case CUT -> {
                network.unblock(first(fault), second(fault));
                network.unblock(second(fault), first(fault));
            }
            case CUT_ONE_WAY -> network.unblock(first(fault), second(fault));
            case LOSS -> lossy(fault, over(fault));
            case DELAY -> slower(fault, -(long) (fault.amount() * MILLI));
            case CLOCK_RATE -> machine(fault).clockRate(1);
            case ETCD_MEMBER -> {
                if (over(fault).isEmpty()) {
                    sim.etcd().startMember(member(fault));
                }
            }
            case ETCD_ANSWERS -> sim.etcd().losesAnswers(Overlaps.most(over(fault)));
            case ETCD_DEAF -> sim.etcd().missesEvents(Overlaps.most(over(fault)));
            case ETCD_STALE -> sim.etcd().readsStale(Overlaps.most(over(fault)));
            case ETCD_FULL -> sim.etcd().roomy();
            case SLOW_SHARDS -> executor(fault).slowSteps((long) (Overlaps.most(over(fault)) * 1_000));
            case FAILING_STARTS -> executor(fault).failingStarts(Overlaps.most(over(fault)));
            case TWIN -> {
                if (over(fault).isEmpty()) {
                    sim.twin(first(fault)).kill(Network.Death.RESET);
                }
            }
            case BANDWIDTH -> narrower(fault, Overlaps.least(over(fault)));
            case SLOW_READER -> network.slowReader(first(fault), (long) (Overlaps.most(over(fault)) * MILLI));
            case HANGING_STOP -> executor(fault).hangNoMore();
            case STRANGER -> replica(fault).strangerGoes();
            case DRAIN_SHARD, DRAIN_EPHEMERAL, DRAIN_HOST ->
                sim.operator().orElseThrow().undrain(drained(fault));
            case KILL, LOSE, STOP, UPGRADE, CONFIGURE, RENAME -> {}
            case PAUSE, RESET, WALL_STEP, TRANSFER, ETCD_LEADER, ETCD_FORGETS, ETCD_COMPACT -> {}
        }
        if (fault.kind().takesDown()) {
            up(fault);
        }
    }

    /** Says whether what it is about is there; a fault that meets nobody is not counted. */
    private boolean hits(Fault fault) {
        boolean needsAProcess = fault.kind().takesDown()
                || switch (fault.kind()) {
                    case PAUSE, SLOW, WALL_STEP -> true;
                    default -> false;
                };
        return !needsAProcess || machine(fault).process().isPresent();
    }

    private List<Double> begun(Fault fault) {
        return overlaps.begin(place(fault), fault.amount());
    }

    private List<Double> over(Fault fault) {
        return overlaps.end(place(fault), fault.amount());
    }

    /** Most faults between two machines work in both directions. */
    private static String place(Fault fault) {
        return fault.kind() + " " + fault.targets().stream().sorted().toList();
    }

    /** The machine is down until every fault that took it down is over. */
    private void down(Fault fault) {
        overlaps.begin("down " + first(fault), 0);
    }

    private void up(Fault fault) {
        if (overlaps.end("down " + first(fault), 0).isEmpty()) {
            machine(fault).start();
        }
    }

    private void slow(Fault fault, List<Double> micros) {
        machine(fault).process().ifPresent(process -> process.slowDown((long) (Overlaps.most(micros) * MICRO)));
    }

    private void lossy(Fault fault, List<Double> probabilities) {
        sim.network().lossy(first(fault), second(fault), Overlaps.most(probabilities));
        sim.network().lossy(second(fault), first(fault), Overlaps.most(probabilities));
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
        return Shape.ETCD_MEMBERS.indexOf(first(fault));
    }

    private static String first(Fault fault) {
        return fault.targets().get(0);
    }

    private static String second(Fault fault) {
        return fault.targets().get(1);
    }
}
