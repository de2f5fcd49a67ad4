package io.shardwright.sim.cluster;

import io.shardwright.domain.RandomSource;
import io.shardwright.persistence.Txn;
import io.shardwright.persistence.mvcc.Commit;
import io.shardwright.proto.v1.AssignmentDelivery;
import io.shardwright.proto.v1.RegisterResponse;
import io.shardwright.proto.v1.RenewRequest;
import io.shardwright.proto.v1.RenewResponse;
import io.shardwright.sim.check.DrainTarget;
import io.shardwright.sim.check.ExecutorCall;
import io.shardwright.sim.check.Invariant;
import io.shardwright.sim.check.Invariants;
import io.shardwright.sim.check.Ledger;
import io.shardwright.sim.check.Stored;
import io.shardwright.sim.check.Violation;
import io.shardwright.sim.check.World;
import io.shardwright.sim.etcd.Commits;
import io.shardwright.sim.etcd.SimEtcd;
import io.shardwright.sim.kernel.Checkpoint;
import io.shardwright.sim.kernel.Kernel;
import io.shardwright.sim.kernel.SimProcess;
import io.shardwright.sim.kernel.SimRandom;
import io.shardwright.sim.network.Network;
import io.shardwright.sim.network.Order;
import io.shardwright.sim.network.Wire;
import io.shardwright.sim.plan.Plan;
import io.shardwright.sim.plan.Shape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One run of one plan. The same plan and wiring give the same run, in every process and on every machine.
 *
 * <p>Used by one thread; nothing is shared between simulations, so that each core can run its own.
 */
public final class Simulation {

    static final String NAMESPACE = "orders";
    static final String EPHEMERAL = "users";
    static final Duration EPHEMERAL_LEASE = Duration.ofSeconds(9);
    static final String PREFIX = "/shardwright/";

    private static final long ROUTERS_ASKED_EVERY = 5_000_000_000L;

    private final Plan plan;
    private final Wiring wiring;
    private final Trace trace;
    private final Kernel kernel;
    private final Network network;
    private final SimEtcd etcd;
    private final Sightings sightings = new Sightings(this);
    private final Ledger ledger = new Ledger(PREFIX);
    private final List<Invariant> invariants;

    // Those who listen to what happens most often; most do not.
    private final List<Invariant> hearSent;
    private final List<Invariant> hearDelivered;
    private final List<Invariant> hearRan;

    private final Facts facts = new Facts();
    private final FencedStorage storage = new FencedStorage(this);
    private final TreeMap<String, Machine> machines = new TreeMap<>();
    private final TreeMap<String, ExecutorHost> executors = new TreeMap<>();
    private Optional<Operator> operator = Optional.empty();
    /** Who runs a shard, so that nobody has to ask all executors after each event. */
    private final LinkedHashMap<String, List<Application>> runners = new LinkedHashMap<>();

    private final TreeSet<String> contested = new TreeSet<>();

    private final List<@Nullable Application> applications = new ArrayList<>(); // by the index of their process
    private final TreeMap<String, SimRandom> randoms = new TreeMap<>();
    private final GodsEye eye = new GodsEye();
    private Optional<Violation> violation = Optional.empty();
    /** What a store that loses an acknowledged write has broken. */
    private final TreeSet<String> broken = new TreeSet<>();

    /** Prepares a run. */
    public Simulation(Plan plan, Wiring wiring) {
        this(plan, wiring, Trace.NONE);
    }

    /** Prepares a run that somebody looks at. */
    public Simulation(Plan plan, Wiring wiring, Trace trace) {
        this.plan = plan;
        this.wiring = wiring;
        this.trace = trace;
        this.invariants = Invariants.of(NAMESPACE, EPHEMERAL, plan.shape().shards(), plan::clocksWithin);
        this.hearSent = Invariants.overriding(invariants, "sent", Wire.Packet.class, World.class);
        this.hearDelivered = Invariants.overriding(invariants, "delivered", Wire.Packet.class, World.class);
        this.hearRan = Invariants.overriding(invariants, "ran", World.Executor.class, World.class);
        this.kernel = new Kernel(plan.seed(), eye);
        this.network = new Network(kernel, SimRandom.of(plan.seed(), "net"), eye);
        this.etcd = new SimEtcd(kernel, network, SimRandom.of(plan.seed(), "etcd"), eye);
        build();
    }

    private void build() {
        Shape shape = plan.shape();
        for (int i = 0; i < shape.replicas(); i++) {
            Replica replica = new Replica(this, Shape.replica(i), Shape.replica(i));
            machines.put(replica.name, replica);
        }
        for (int i = 0; i < shape.executors(); i++) {
            addExecutor(Shape.executor(i), NAMESPACE, Shape.executor(i));
        }
        for (int i = 0; i < shape.ephemerals(); i++) {
            addExecutor(Shape.ephemeral(i), EPHEMERAL, Shape.ephemeral(i));
        }
        for (int i = 0; i < shape.spectators(); i++) {
            SpectatorHost spectator = new SpectatorHost(this, Shape.spectator(i));
            machines.put(spectator.name, spectator);
        }
        if (plan.faults().stream().anyMatch(fault -> fault.kind().isOperators())) {
            Operator one = new Operator(this);
            machines.put(one.name, one);
            operator = Optional.of(one);
        }
    }

    private ExecutorHost addExecutor(String name, String namespace, String executorId) {
        ExecutorHost host = new ExecutorHost(this, name, namespace, executorId);
        machines.put(name, host);
        executors.put(name, host);
        return host;
    }

    /** What came of a run. */
    public record Result(
            Plan plan, Optional<Violation> violation, List<Checkpoint> checkpoints, long nanos, Facts facts) {

        /** Returns the digest of the whole run. */
        public long digest() {
            return checkpoints.getLast().digest();
        }

        /** Returns how many tasks processes ran. */
        public long steps() {
            return checkpoints.getLast().steps();
        }
    }

    /** Runs a plan. What the simulator itself throws ends the run as a violation with the id {@code crash}. */
    public static Result outcome(Plan plan, Wiring wiring, Trace trace) {
        Simulation simulation = new Simulation(plan, wiring, trace);
        try {
            return simulation.run();
        } catch (RuntimeException | StackOverflowError thrown) {
            return simulation.crashed(thrown);
        }
    }

    private Result crashed(Throwable thrown) {
        StackTraceElement[] stack = thrown.getStackTrace();
        Violation crash =
                new Violation("crash", kernel.now(), "threw " + thrown + (stack.length == 0 ? "" : " at " + stack[0]));
        trace.violated(crash);
        return new Result(plan, Optional.of(crash), kernel.checkpoints(), kernel.now(), facts);
    }

    /** Runs to the end of the plan, or to the first violation. */
    public Result run() {
        // The machines exist before the first fault; all start within the first second.
        SimRandom starts = random("starts");
        machines.values().forEach(machine -> kernel.at(starts.between(0, 1_000_000_000L), machine::start));
        FaultHands hands = new FaultHands(this);
        plan.faults().forEach(hands::schedule);
        long faulty = plan.shape().faulty().toNanos();
        runUntil(faulty);
        if (violation.isEmpty()) {
            rest(faulty, faulty + plan.shape().quiet().toNanos());
        }
        violation.ifPresent(trace::violated);
        return new Result(plan, violation, kernel.checkpoints(), kernel.now(), facts);
    }

    /** Runs on, unless something is violated. */
    private void runUntil(long time) {
        kernel.runUntil(time, () -> violation.isPresent());
    }

    /** The faults are over: those who are left must come to rest, and stay there. */
    private void rest(long from, long end) {
        AtRest rest = new AtRest(this);
        long led = from + AtRest.LED_AFTER.toNanos();
        runUntil(Math.min(led, end));
        if (violation.isEmpty() && led <= end) {
            violation = rest.leader();
        }
        long settled = from + AtRest.SETTLED_AFTER.toNanos();
        for (long at = from + AtRest.ROUTED_AFTER.toNanos();
                violation.isEmpty() && at < Math.min(settled, end);
                at += ROUTERS_ASKED_EVERY) {
            runUntil(at);
            if (violation.isEmpty()) {
                violation = rest.routersBehind();
            }
        }
        runUntil(Math.min(settled, end));
        if (violation.isPresent() || settled > end) {
            return;
        }
        violation = rest.unsettled();
        if (violation.isEmpty()) {
            runUntil(end);
        }
        if (violation.isEmpty()) {
            violation = rest.unsettled().or(() -> rest.restless(settled));
        }
    }

    // ------------------------------------------------------------------ what the parts need

    Plan plan() {
        return plan;
    }

    Wiring wiring() {
        return wiring;
    }

    Kernel kernel() {
        return kernel;
    }

    Network network() {
        return network;
    }

    SimEtcd etcd() {
        return etcd;
    }

    Sightings sightings() {
        return sightings;
    }

    Trace trace() {
        return trace;
    }

    FencedStorage storage() {
        return storage;
    }

    Facts facts() {
        return facts;
    }

    /** Returns a stream of random numbers of the simulator. */
    SimRandom random(String name) {
        return randoms.computeIfAbsent(name, key -> SimRandom.of(plan.seed(), key));
    }

    /** Returns the random numbers of one process of the product. */
    RandomSource productRandom(SimProcess process, int start) {
        return SimRandom.of(plan.seed(), "product:" + process.name() + ":" + start);
    }

    List<String> replicaAddresses() {
        List<String> addresses = new ArrayList<>();
        for (int i = 0; i < plan.shape().replicas(); i++) {
            addresses.add(Shape.replica(i) + ":9002");
        }
        return addresses;
    }

    Ledger ledger() {
        return ledger;
    }

    Collection<Machine> machines() {
        return machines.values();
    }

    Collection<ExecutorHost> executorHosts() {
        return executors.values();
    }

    List<Replica> replicas() {
        return machines.values().stream()
                .filter(Replica.class::isInstance)
                .map(Replica.class::cast)
                .toList();
    }

    List<SpectatorHost> spectatorHosts() {
        return machines.values().stream()
                .filter(SpectatorHost.class::isInstance)
                .map(SpectatorHost.class::cast)
                .toList();
    }

    Machine machine(String name) {
        Machine machine = machines.get(name);
        if (machine == null) {
            throw new IllegalArgumentException("the plan names " + name + "; there are " + machines.keySet());
        }
        return machine;
    }

    ExecutorHost executorHost(String name) {
        ExecutorHost host = executors.get(name);
        if (host == null) {
            throw new IllegalArgumentException("the plan names " + name + "; there are " + executors.keySet());
        }
        return host;
    }

    /** Returns the operator; empty where the plan has nothing to do for one. */
    Optional<Operator> operator() {
        return operator;
    }

    Replica replica(String name) {
        if (machine(name) instanceof Replica replica) {
            return replica;
        }
        throw new IllegalArgumentException("the plan names " + name + "; that is no replica");
    }

    /** Returns the machine whose process uses the id of another executor, or the address of another replica. */
    Machine twin(String original) {
        String name = original + Shape.TWIN;
        if (machines.containsKey(name)) {
            return machine(name);
        }
        if (machine(original) instanceof ExecutorHost executor) {
            return addExecutor(name, executor.namespace(), original);
        }
        Replica twin = new Replica(this, name, original);
        machines.put(name, twin);
        return twin;
    }

    /** A client was closed in peace; the application that embeds it would go on. */
    void left(SimProcess process) {
        facts.count("client closed in peace");
        int timers = process.productTimers();
        int connections = network.connectionsOf(process);
        tell(invariant -> invariant.left(process.name(), timers, connections, eye));
    }

    /** A replica was elected, and refuses to lead. */
    void refused(String replica, String why) {
        tell(invariant -> invariant.refused(replica, why, eye));
    }

    /** A replica found that it had not heard of a change. */
    void missed(String replica, String key) {
        facts.count("standby found that it had missed a change");
        tell(invariant -> invariant.missed(replica, key, eye));
    }

    /** A replica found that its watch is behind. */
    void late(String replica, String key) {
        facts.count("standby found that its watch was behind");
        tell(invariant -> invariant.late(replica, key, eye));
    }

    /** The leader found that what is stored is not what it wrote. */
    void foreignState() {
        facts.count(
                etcd.lostWrite() ? "leader noticed that a write was lost" : "leader found state that it did not write");
    }

    /** A router was told who has a shard. */
    void found(String spectator, String shard, long epoch, String owner) {
        tell(invariant -> invariant.found(spectator, shard, epoch, owner, eye));
    }

    /** A router sends work for a shard to its owner. */
    void use(String spectator, String owner, String shard) {
        for (ExecutorHost host : executors.values()) {
            if (host.executorId().equals(owner)) {
                network.send(
                        spectator,
                        host.name,
                        new Order(),
                        () -> host.application()
                                .ifPresent(
                                        application -> application.process().execute(() -> application.touch(shard))));
            }
        }
    }

    void runs(Application application, String shard) {
        List<Application> all = runners.computeIfAbsent(shard, key -> new ArrayList<>());
        all.removeIf(other -> !other.process().alive() || other.equals(application));
        all.add(application);
        contested(shard, all);
    }

    void runsNoMore(Application application, String shard) {
        List<Application> left = runners.computeIfAbsent(shard, key -> new ArrayList<>());
        left.remove(application);
        contested(shard, left);
    }

    private void contested(String shard, List<Application> all) {
        if (all.size() > 1) {
            contested.add(shard);
        } else {
            contested.remove(shard);
        }
    }

    void starting(Application application, String shard, long epoch) {
        trace.starting(kernel.now(), application, shard, epoch);
        tell(invariant -> invariant.starting(application, shard, epoch, eye));
    }

    /** An application begins to run in a process. */
    void runs(SimProcess process, Application application) {
        while (applications.size() <= process.index()) {
            applications.add(null);
        }
        applications.set(process.index(), application);
    }

    void called(Application application) {
        tell(invariant -> invariant.called(application, eye));
    }

    void registered(Application application, ExecutorCall call, RegisterResponse answer) {
        tell(invariant -> invariant.registered(application, call, answer, eye));
    }

    void renewed(Application application, ExecutorCall call, RenewRequest request, RenewResponse answer) {
        tell(invariant -> invariant.renewed(application, call, request, answer, eye));
    }

    void pushed(Application application, AssignmentDelivery delivery) {
        tell(invariant -> invariant.pushed(application, delivery, eye));
    }

    void leaving(Application application) {
        tell(invariant -> invariant.leaving(application, eye));
    }

    void drainAsked(DrainTarget target) {
        tell(invariant -> invariant.drainAsked(target, eye));
    }

    void drainAnswered(DrainTarget target, boolean drained) {
        tell(invariant -> invariant.drainAnswered(target, drained, eye));
    }

    void routed(String spectator, long revision, Duration age) {
        tell(invariant -> invariant.routed(spectator, revision, age, eye));
    }

    void table(String spectator, String namespace, long revision, long routes) {
        tell(invariant -> invariant.table(spectator, namespace, revision, routes, eye));
    }

    void accepted(String shard, long epoch, String owner) {
        tell(invariant -> invariant.accepted(shard, epoch, owner, eye));
    }

    private void tell(Consumer<Invariant> news) {
        tell(invariants, news);
    }

    private void tell(List<Invariant> listening, Consumer<Invariant> news) {
        if (violation.isEmpty()) {
            listening.forEach(news);
        }
    }

    /** Sees everything, tells the invariants, and answers what they ask. */
    private final class GodsEye implements World, Commits, Wire, Kernel.Observer {

        @Override
        public long now() {
            return kernel.now();
        }

        @Override
        public Ledger ledger() {
            return ledger;
        }

        @Override
        public Collection<Application> executors() {
            List<Application> awake = new ArrayList<>();
            for (ExecutorHost host : executors.values()) {
                host.application().filter(app -> app.process().awake()).ifPresent(awake::add);
            }
            return awake;
        }

        @Override
        public Collection<Application> runners(String shard) {
            return runners.getOrDefault(shard, List.of());
        }

        @Override
        public boolean etcdMissesEvents() {
            return etcd.missedEvents();
        }

        @Override
        public boolean etcdIsDefective() {
            return etcd.defective();
        }

        @Override
        public boolean etcdTells(String machine) {
            return etcd.tells(machine);
        }

        @Override
        public Collection<String> contested() {
            return contested;
        }

        @Override
        public Optional<Application> executor(String machine) {
            return Optional.ofNullable(executors.get(machine)).flatMap(ExecutorHost::application);
        }

        @Override
        public String namespaceOf(String machine) {
            return executorHost(machine).namespace();
        }

        @Override
        public List<String> executorIdsOf(String machine) {
            return executorHost(machine).executorIds();
        }

        @Override
        public void violated(Invariant invariant, String message) {
            if (etcd.lostWrite() && invariant.restsOnTheStore()) {
                if (broken.add(invariant.id())) {
                    facts.count("broken by the lost write: " + invariant.id());
                }
            } else if (violation.isEmpty()) {
                violation = Optional.of(new Violation(invariant.id(), kernel.now(), message));
            }
        }

        @Override
        public void committed(Commit commit) {
            StoredDigest.take(commit, kernel.digest());
            for (Stored change : ledger.take(commit, kernel.now())) {
                trace.stored(kernel.now(), change);
                sightings.stored(change);
                tell(invariant -> invariant.stored(change, this));
            }
        }

        @Override
        public void wroteBy(String writer, Txn txn, long revision) {
            trace.wrote(kernel.now(), writer.substring(0, writer.indexOf('/')), txn, revision);
            tell(invariant -> invariant.wrote(writer, txn, revision, this));
        }

        @Override
        public void counted(String fact) {
            facts.count(fact);
        }

        @Override
        public void sent(Packet packet) {
            trace.sent(kernel.now(), packet);
            tell(hearSent, invariant -> invariant.sent(packet, this));
        }

        @Override
        public void delivered(Packet packet) {
            trace.delivered(kernel.now(), packet);
            sightings.delivered(packet);
            tell(hearDelivered, invariant -> invariant.delivered(packet, this));
        }

        @Override
        public void lost(Packet packet) {
            trace.lost(kernel.now(), packet);
            facts.count("message lost");
        }

        @Override
        public void ran(SimProcess process) {
            Application app = process.index() < applications.size() ? applications.get(process.index()) : null;
            if (app != null && process.alive()) {
                trace.ran(kernel.now(), app);
                tell(hearRan, invariant -> invariant.ran(app, this));
            }
        }

        @Override
        public void threw(SimProcess process, Throwable thrown) {
            trace.noted(kernel.now(), process.name(), "threw " + thrown);
            tell(invariant -> invariant.threw(process.name(), thrown, this));
        }
    }
}
