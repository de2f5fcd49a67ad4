package io.shardwright.sim.plan;

import io.shardwright.sim.kernel.SimRandom;
import io.shardwright.sim.plan.Fault.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** Draws the faults of a seed: single ones, patterns of several, and bursts of one kind. */
public final class FaultDraw {

    private static final long SECOND = 1_000_000_000L;

    private final SimRandom random;
    private final Shape shape;
    private final double clockError;
    private final List<Fault> faults = new ArrayList<>();

    private FaultDraw(SimRandom random, Shape shape, double clockError) {
        this.random = random;
        this.shape = shape;
        this.clockError = clockError;
    }

    /**
     * Returns the plan of a seed. Clocks are off by up to 0.4 %, so two of them differ by less than the tolerated 1 %.
     */
    public static Plan plan(long seed, Shape shape) {
        return plan(seed, shape, 0.004);
    }

    /**
     * Returns the plan of a seed.
     *
     * @param clockError by how much a clock may be fast or slow, as a fraction
     */
    public static Plan plan(long seed, Shape shape, double clockError) {
        FaultDraw draw = new FaultDraw(SimRandom.of(seed, "faults"), shape, clockError);
        draw.draw();
        Plan plan = onTop(new Plan(seed, shape, draw.faults), "additions", additions -> {
            additions.drains();
            additions.slowness();
        });
        return onTop(plan, "transfers", FaultDraw::transfers);
    }

    /** Returns the plan of a seed with, on top of the other faults, the defects that releases of etcd had. */
    static Plan hostile(long seed, Shape shape) {
        return onTop(
                plan(seed, shape),
                "defects",
                defects -> defects.repeat(defects.seconds(1, 30), 40 * SECOND, at -> {
                    Kind kind = defects.random.chance(0.5) ? Kind.ETCD_DEAF : Kind.ETCD_STALE;
                    defects.add(at, defects.seconds(2, 60), kind, List.of(), 0.02 + defects.random.nextDouble() * 0.5);
                }));
    }

    /** Returns the plan of a seed with, on top of the other faults, one write that etcd loses. */
    static Plan forgetful(long seed, Shape shape) {
        return onTop(
                plan(seed, shape),
                "loss",
                loss -> loss.add(
                        loss.random.between(30 * SECOND, shape.faulty().toNanos()),
                        0,
                        Kind.ETCD_FORGETS,
                        List.of(),
                        0));
    }

    /** Adds faults from a random stream of their own, so that those that the plan has stay what they are. */
    private static Plan onTop(Plan plan, String stream, Consumer<FaultDraw> more) {
        FaultDraw draw = new FaultDraw(SimRandom.of(plan.seed(), stream), plan.shape(), 0);
        more.accept(draw);
        draw.faults.addAll(plan.faults());
        return plan.with(draw.faults);
    }

    /** Draws again and again until the faulty phase ends, with pauses around a mean. */
    private void repeat(long first, long meanPause, LongConsumer one) {
        for (long at = first; at < shape.faulty().toNanos(); at += random.exponential(meanPause)) {
            one.accept(at);
        }
    }

    private void draw() {
        for (String machine : machines()) {
            add(0, 0, Kind.CLOCK_RATE, List.of(machine), 1 + (random.nextDouble() - 0.5) * 2 * clockError);
        }
        long pace = random.between(3, 27) * SECOND; // some seeds are calm, some are not
        repeat(random.between(1, 20) * SECOND, pace, this::one);
        loseForGood();
    }

    /** An operator drains one thing after the other, often more than one at a time. */
    private void drains() {
        repeat(seconds(10, 80), 40 * SECOND, at -> {
            switch (random.nextInt(4)) {
                case 0, 1 -> add(at, seconds(10, 120), Kind.DRAIN_SHARD, List.of(), random.nextInt(shape.shards()));
                case 2 -> add(at, seconds(10, 120), Kind.DRAIN_HOST, List.of(anyExecutor()), 0);
                default -> {
                    long length = seconds(10, 120);
                    int number = random.nextInt(24);
                    if (shape.ephemerals() > 0) {
                        add(at, length, Kind.DRAIN_EPHEMERAL, List.of(), number);
                    }
                }
            }
        });
    }

    /** An operator moves leadership, also to where it is, and to replicas that are not there. */
    private void transfers() {
        repeat(seconds(10, 80), 60 * SECOND, at -> add(at, 0, Kind.TRANSFER, List.of(replica()), 0));
    }

    /** Narrow links, slow readers, applications that hang, executors that come back under another id. */
    private void slowness() {
        repeat(seconds(10, 80), 60 * SECOND, at -> {
            switch (random.nextInt(4)) {
                case 0 -> add(at, seconds(5, 60), Kind.BANDWIDTH, pair(), (double) random.between(300, 20_000));
                case 1 ->
                    add(at, seconds(5, 60), Kind.SLOW_READER, List.of(anyProcess()), (double)
                            random.between(20, 2_000));
                case 2 -> add(at, seconds(1, 40), Kind.RENAME, List.of(anyExecutor()), 0);
                default -> add(at, seconds(5, 60), Kind.HANGING_STOP, List.of(anyExecutor()), 0);
            }
        });
    }

    /** What is left has to come to rest without those that are gone for good. */
    private void loseForGood() {
        long at = shape.faulty().toNanos() + SECOND;
        long forGood = shape.quiet().toNanos() * 2;
        int replicas = random.chance(0.5) ? random.nextInt(shape.replicas()) : 0;
        for (int i = 0; i < replicas; i++) {
            faults.add(new Fault(at, forGood, Kind.LOSE, List.of(Shape.replica(i)), 0));
        }
        int executors = random.chance(0.5) ? random.nextInt(shape.executors()) : 0;
        for (int i = 0; i < executors; i++) {
            faults.add(new Fault(at, forGood, Kind.LOSE, List.of(Shape.executor(i)), 0));
        }
        if (shape.ephemerals() > 1 && random.chance(0.3)) {
            faults.add(new Fault(at, forGood, Kind.LOSE, List.of(Shape.ephemeral(0)), 0));
        }
    }

    private void add(long start, long length, Kind kind, List<String> targets, double amount) {
        long end = shape.faulty().toNanos();
        if (start < end) { // whatever begins later would not be undone in time
            faults.add(new Fault(start, Math.min(length, end - start), kind, targets, amount));
        }
    }

    private void one(long at) {
        switch (random.nextInt(36)) {
            case 0, 1 -> add(at, seconds(1, 60), Kind.KILL, List.of(executor()), 0);
            case 2, 3 -> add(at, seconds(1, 40), Kind.KILL, List.of(replica()), 0);
            case 4 -> add(at, seconds(1, 60), Kind.LOSE, List.of(anyProcess()), 0);
            case 5 -> add(at, seconds(1, 60), Kind.STOP, List.of(executor()), 0);
            case 6 -> add(at, seconds(1, 30), Kind.STOP, List.of(replica()), 0);
            case 7, 8 -> add(at, pause(), Kind.PAUSE, List.of(anyProcess()), 0);
            case 9 -> add(at, seconds(5, 60), Kind.SLOW, List.of(anyProcess()), (double) random.between(100, 50_000));
            case 10 -> add(at, seconds(1, 40), Kind.CUT, List.of(executor(), replica()), 0);
            case 11 -> isolateFromEtcd(at);
            case 12 -> isolateReplicaFromExecutors(at);
            case 13 -> add(at, seconds(1, 40), Kind.CUT_ONE_WAY, pair(), 0);
            case 14 -> add(at, seconds(5, 60), Kind.LOSS, pair(), random.nextDouble() * 0.5);
            case 15 -> add(at, seconds(5, 60), Kind.DELAY, pair(), (double) random.between(50, 3_000));
            case 16 -> add(at, 0, Kind.RESET, pair(), 0);
            case 17 -> add(at, seconds(1, 12), Kind.ETCD_LEADER, List.of(), 0);
            case 18 -> add(at, seconds(1, 60), Kind.ETCD_MEMBER, List.of(etcd()), 0);
            case 19 -> add(at, seconds(2, 40), Kind.ETCD_ANSWERS, List.of(), 0.02 + random.nextDouble() * 0.4);
            case 20 -> add(at, seconds(1, 10), random.chance(0.3) ? Kind.ETCD_FULL : Kind.ETCD_COMPACT, List.of(), 0);
            case 21 -> add(at, seconds(5, 60), Kind.SLOW_SHARDS, List.of(executor()), (double) random.between(1, 30));
            case 22 ->
                add(
                        at,
                        seconds(5, 60),
                        random.chance(0.5) ? Kind.FAILING_STARTS : Kind.TWIN,
                        List.of(executor()),
                        random.nextDouble());
            case 23 -> add(at, seconds(1, 20), Kind.STRANGER, List.of(replica()), 0);
            case 24 -> add(at, seconds(5, 60), Kind.TWIN, List.of(replica()), 0);
            case 25 -> add(at, seconds(1, 10), Kind.CONFIGURE, List.of(replica()), (double) random.between(8, 20));
            default -> pattern(at);
        }
    }

    private void pattern(long at) {
        switch (random.nextInt(18)) {
            case 0 -> flapping(at);
            case 1 -> leaderAndExecutorTogether(at);
            case 2 -> everyExecutorCut(at);
            case 3 -> add(at, 0, Kind.WALL_STEP, List.of(anyProcess()), (random.nextDouble() - 0.5) * 200_000);
            case 4 -> slowAnswersThenSilence(at);
            case 5 -> backJustAfterTheLease(at);
            case 6 -> lateWritesToStorage(at);
            case 7 -> historyForgottenUnderWatches(at);
            case 8 -> lastWordsOfALeader(at);
            case 9 -> rollingUpgrade(at);
            case 10 -> deathsDuringStarts(at);
            case 11 -> deathBetweenStoringAndTelling(at);
            case 12 -> splitInTwo(at);
            case 13 -> cutsThatHealInAnotherOrder(at);
            case 14, 15 -> clockStepsWhileAnExecutorIsSilent(at);
            default -> lateWritesOfALeader(at);
        }
    }

    /** The last answer that an executor gets was long under way. */
    private void slowAnswersThenSilence(long at) {
        String executor = executor();
        long delay = random.between(500, 3_000);
        long silence = at + random.between(6, 15) * SECOND;
        for (int i = 0; i < shape.replicas(); i++) {
            add(at, 60 * SECOND, Kind.DELAY, List.of(executor, Shape.replica(i)), (double) delay);
            add(silence, seconds(16, 30), Kind.CUT, List.of(executor, Shape.replica(i)), 0);
        }
    }

    /** An executor is heard of again about when it is taken for lost, and nobody knows whether that was stored. */
    private void backJustAfterTheLease(long at) {
        String executor = executor();
        long lease = shape.lease().toNanos();
        long silence = lease * 2 / 3 + random.between(0, lease * 2 / 3);
        for (int i = 0; i < shape.replicas(); i++) {
            add(at, silence, Kind.CUT, List.of(executor, Shape.replica(i)), 0);
        }
        add(at + lease / 2, lease, Kind.ETCD_ANSWERS, List.of(), 0.3 + random.nextDouble() * 0.6);
    }

    /** What an executor wrote reaches storage after its shards have moved. */
    private void lateWritesToStorage(long at) {
        String executor = executor();
        add(at, seconds(18, 60), Kind.CUT_ONE_WAY, List.of(executor, Shape.STORAGE), 0);
        switch (random.nextInt(3)) {
            case 0 -> add(at + SECOND, seconds(16, 40), Kind.PAUSE, List.of(executor), 0);
            case 1 -> add(at + SECOND, seconds(16, 40), Kind.STOP, List.of(executor), 0);
            default -> {
                for (int i = 0; i < shape.replicas(); i++) {
                    add(at + SECOND, seconds(16, 40), Kind.CUT, List.of(executor, Shape.replica(i)), 0);
                }
            }
        }
    }

    private void historyForgottenUnderWatches(long at) {
        add(at, 0, Kind.ETCD_COMPACT, List.of(), 0);
        for (int i = 0; i < shape.replicas(); i++) {
            String member = etcd();
            add(at + random.between(0, 3) * SECOND, seconds(3, 10), Kind.CUT, List.of(Shape.replica(i), member), 0);
        }
        add(at + 2 * SECOND, seconds(1, 5), Kind.ETCD_MEMBER, List.of(etcd()), 0);
        add(at + 4 * SECOND, 0, Kind.ETCD_COMPACT, List.of(), 0);
        add(at + random.between(4, 20) * SECOND, seconds(1, 30), Kind.KILL, List.of(replica()), 0);
    }

    /** What a leader told an executor before it died arrives when another one leads. */
    private void lastWordsOfALeader(long at) {
        String leader = replica();
        String executor = executor();
        add(at, 14 * SECOND, Kind.CUT_ONE_WAY, List.of(leader, executor), 0);
        add(at + SECOND / 2, seconds(1, 20), Kind.STOP, List.of(executor()), 0);
        add(
                at + random.between(1, 3) * SECOND,
                seconds(15, 40),
                random.chance(0.5) ? Kind.LOSE : Kind.STOP,
                List.of(leader),
                0);
    }

    /** Writes of a leader that hands over happen when the next one leads. */
    private void lateWritesOfALeader(long at) {
        add(at, 20 * SECOND, Kind.ETCD_ANSWERS, List.of(), 0.3 + random.nextDouble() * 0.5);
        for (int i = 0; i < 3; i++) {
            add(at + random.between(0, 8_000) * 1_000_000L, seconds(1, 20), Kind.STOP, List.of(executor()), 0);
        }
        for (int i = 0; i < shape.replicas(); i++) {
            add(at + random.between(500, 9_000) * 1_000_000L, seconds(1, 10), Kind.STOP, List.of(Shape.replica(i)), 0);
        }
    }

    /** Each replica gets another version, older or newer, one after the other; sometimes it does not get far. */
    private void rollingUpgrade(long at) {
        long version = random.between(0, 4);
        long next = at;
        for (int i = 0; i < shape.replicas() && !random.chance(0.15); i++) {
            add(next, seconds(1, 8), Kind.UPGRADE, List.of(Shape.replica(i)), (double) version);
            next += seconds(0, 25);
        }
    }

    /** Processes die again right after they began. */
    private void deathsDuringStarts(long at) {
        String machine = random.chance(0.6) ? replica() : anyProcess();
        long next = at;
        for (int i = 0; i < 4; i++) {
            long down = seconds(0, 2);
            add(next, down, Kind.KILL, List.of(machine), 0);
            next += down + random.between(1, random.chance(0.5) ? 30 : 3_000) * 1_000_000L;
        }
    }

    /** A leader dies when what it decided is stored, and it has not heard of that. */
    private void deathBetweenStoringAndTelling(long at) {
        String leader = replica();
        for (String member : Shape.ETCD_MEMBERS) {
            add(at, 10 * SECOND, Kind.DELAY, List.of(leader, member), (double) random.between(200, 900));
        }
        long death = at + random.between(1_000, 5_000) * 1_000_000L;
        for (int i = 0; i < 3; i++) {
            add(death - random.between(200, 1_500) * 1_000_000L, seconds(1, 20), Kind.STOP, List.of(executor()), 0);
        }
        add(death, seconds(1, 20), Kind.KILL, List.of(leader), 0);
    }

    /** Nothing passes between two halves of all machines. */
    private void splitInTwo(long at) {
        long length = seconds(2, 30);
        List<String> all = machines();
        all.addAll(Shape.ETCD_MEMBERS);
        List<String> here = all.stream().filter(machine -> random.chance(0.5)).toList();
        for (int i = 0; i < shape.replicas(); i++) {
            String replica = Shape.replica(i);
            for (String other : all) {
                if (Shape.Role.of(other)
                                .filter(role -> role == Shape.Role.REPLICA)
                                .isEmpty()
                        && here.contains(other) != here.contains(replica)) {
                    add(at, length, Kind.CUT, List.of(replica, other), 0);
                }
            }
        }
    }

    /** Links break one after the other and heal in another order, so that what was held on them mixes. */
    private void cutsThatHealInAnotherOrder(long at) {
        long end = at + seconds(6, 20);
        for (int i = 0; i < 5; i++) {
            long begin = at + random.between(0, 3_000) * 1_000_000L;
            add(begin, end + random.between(0, 3_000) * 1_000_000L - begin, Kind.CUT, pair(), 0);
        }
    }

    /** Wall clocks of replicas are set forward by seconds while an executor is not heard of. */
    private void clockStepsWhileAnExecutorIsSilent(long at) {
        String executor = executor();
        long lease = shape.lease().toNanos();
        double step = random.between(2_000, 5_000) / 1_000.0;
        for (int i = 0; i < shape.replicas(); i++) {
            String replica = Shape.replica(i);
            add(at, lease * 3 / 2, Kind.CUT, List.of(executor, replica), 0);
            add(at + lease / 4 + random.between(0, lease / 4), 0, Kind.WALL_STEP, List.of(replica), step);
        }
    }

    /** A link that comes and goes about as often as leases are renewed. */
    private void flapping(long at) {
        List<String> ends = pair();
        long period = shape.lease().toNanos() / 3;
        for (int i = 0; i < 6; i++) {
            add(at + i * period, period * 2 / 3, Kind.CUT, ends, 0);
        }
    }

    private void leaderAndExecutorTogether(long at) {
        add(at, seconds(1, 30), Kind.KILL, List.of(executor()), 0);
        for (int i = 0; i < shape.replicas() - 1; i++) {
            add(at + random.between(0, 3 * SECOND), seconds(1, 20), Kind.KILL, List.of(Shape.replica(i)), 0);
        }
    }

    private void everyExecutorCut(long at) {
        String replica = replica();
        long length = seconds(1, 30);
        for (int i = 0; i < shape.executors(); i++) {
            add(at, length, Kind.CUT, List.of(Shape.executor(i), replica), 0);
        }
    }

    private void isolateFromEtcd(long at) {
        String replica = replica();
        long length = seconds(1, 40);
        boolean oneWay = random.chance(0.3);
        for (String member : Shape.ETCD_MEMBERS) {
            add(
                    at,
                    length,
                    oneWay ? Kind.CUT_ONE_WAY : Kind.CUT,
                    random.chance(0.5) ? List.of(replica, member) : List.of(member, replica),
                    0);
        }
    }

    private void isolateReplicaFromExecutors(long at) {
        String replica = replica();
        long length = seconds(1, 40);
        for (int i = 0; i < shape.executors(); i++) {
            if (random.chance(0.8)) {
                add(at, length, Kind.CUT, List.of(Shape.executor(i), replica), 0);
            }
        }
    }

    private long seconds(long low, long high) {
        return random.between(low * 1_000, high * 1_000) * 1_000_000L;
    }

    /** Mostly short as a garbage collection, sometimes longer than a lease. */
    private long pause() {
        return random.chance(0.5) ? seconds(0, 4) : seconds(4, 40);
    }

    private List<String> machines() {
        List<String> machines = new ArrayList<>();
        for (int i = 0; i < shape.replicas(); i++) {
            machines.add(Shape.replica(i));
        }
        for (int i = 0; i < shape.executors(); i++) {
            machines.add(Shape.executor(i));
        }
        for (int i = 0; i < shape.spectators(); i++) {
            machines.add(Shape.spectator(i));
        }
        for (int i = 0; i < shape.ephemerals(); i++) {
            machines.add(Shape.ephemeral(i));
        }
        return machines;
    }

    private String replica() {
        return Shape.replica(random.nextInt(shape.replicas()));
    }

    private String executor() {
        return Shape.executor(random.nextInt(shape.executors()));
    }

    private String anyExecutor() {
        int number = random.nextInt(shape.executors() + shape.ephemerals());
        return number < shape.executors() ? Shape.executor(number) : Shape.ephemeral(number - shape.executors());
    }

    private String etcd() {
        return Shape.ETCD_MEMBERS.get(random.nextInt(Shape.ETCD_MEMBERS.size()));
    }

    private String anyProcess() {
        List<String> machines = machines();
        return machines.get(random.nextInt(machines.size()));
    }

    private List<String> pair() {
        List<String> machines = machines();
        return random.chance(0.4)
                ? List.of(replica(), etcd())
                : List.of(
                        machines.get(shape.replicas() + random.nextInt(machines.size() - shape.replicas())), replica());
    }
}
