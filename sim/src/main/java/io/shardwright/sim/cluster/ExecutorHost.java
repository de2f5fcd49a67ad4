package io.shardwright.sim.cluster;

import io.shardwright.client.grpc.Connection;
import io.shardwright.client.grpc.GrpcTransport;
import io.shardwright.client.lease.AgentListener;
import io.shardwright.client.lease.AgentPorts;
import io.shardwright.client.lease.ExecutorAgent;
import io.shardwright.client.lease.LeaseSettings;
import io.shardwright.client.lease.OwnershipTable;
import io.shardwright.domain.Outcome;
import io.shardwright.proto.v1.RegisterRequest;
import io.shardwright.sim.kernel.SimProcess;
import io.shardwright.sim.network.Network;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/** An executor process: the client as applications embed it, without its threads and sockets. */
final class ExecutorHost extends Machine {

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(20);

    /** An ephemeral shard that nobody asked for in this time is given back. */
    private static final Duration IDLE_AFTER = Duration.ofSeconds(30);

    private final String namespace;
    private final List<Runnable> hanging = new ArrayList<>(); // stops that the application has not begun
    private final LinkedList<String> executorIds = new LinkedList<>(); // the newest first
    private boolean hangs;
    private Optional<Application> application = Optional.empty();
    private Optional<ExecutorAgent> agent = Optional.empty();
    private Optional<ObservedTransport> transport = Optional.empty();
    private long slowStepMillis;
    private double failingStarts;

    /** @param executorId the machine's name, or that of another one for two processes with one id */
    ExecutorHost(Simulation sim, String name, String namespace, String executorId) {
        super(sim, name);
        this.namespace = namespace;
        this.executorIds.add(executorId);
    }

    String namespace() {
        return namespace;
    }

    String executorId() {
        return executorIds.getFirst();
    }

    List<String> executorIds() {
        return executorIds;
    }

    /** Its next process has an id that nobody has used. */
    void rename() {
        kill(Network.Death.RESET);
        executorIds.addFirst(name + "-" + executorIds.size());
    }

    /** The application stops no shard. */
    void hang() {
        hangs = true;
    }

    /** The application stops what it should have stopped. */
    void hangNoMore() {
        hangs = false;
        List<Runnable> due = List.copyOf(hanging);
        hanging.clear();
        due.forEach(Runnable::run);
    }

    /** Begins to stop a shard, now or when the application no longer hangs. */
    void stopping(Runnable stop) {
        if (hangs) {
            sim.facts().count("application hung while it stopped a shard");
            hanging.add(stop);
        } else {
            stop.run();
        }
    }

    long slowStepMillis() {
        return slowStepMillis;
    }

    void slowSteps(long millis) {
        slowStepMillis = millis;
    }

    double failingStarts() {
        return failingStarts;
    }

    void failingStarts(double probability) {
        failingStarts = probability;
    }

    /** Returns the application of the process that runs now. */
    Optional<Application> application() {
        return process().flatMap(running -> application);
    }

    /** Returns the calls of the process that runs now. */
    Optional<ObservedTransport> transport() {
        return process().flatMap(running -> transport);
    }

    @Override
    void run(SimProcess process) {
        String processId = name + "-" + starts();
        RegisterRequest identity = RegisterRequest.newBuilder()
                .setNamespace(namespace)
                .setExecutorId(executorId())
                .setProcessId(processId)
                .setAddress(name + ":7000")
                .setHost(name)
                .build();
        Connection connection = connect(process);
        Application app = new Application(sim, process, this, executorId() + "/" + processId);
        application = Optional.of(app);
        sim.runs(process, app);
        ObservedTransport observed = new ObservedTransport(new GrpcTransport(connection), app, sim);
        transport = Optional.of(observed);
        ExecutorAgent started = new ExecutorAgent(
                new LeaseSettings(
                        identity,
                        sim.wiring().clockTolerance(),
                        LeaseSettings.DEFAULT_CALL_DEADLINE,
                        namespace.equals(Simulation.EPHEMERAL) ? IDLE_AFTER : Duration.ZERO),
                new AgentPorts(
                        sim.wiring().executorClock(process),
                        process,
                        sim.productRandom(process, starts()),
                        sim.wiring().transport(process, observed),
                        app,
                        new OwnershipTable(new ConcurrentSkipListMap<>())),
                new Events());
        agent = Optional.of(started);
        app.begin(started);
        started.start();
    }

    @Override
    void stopGracefully(SimProcess running) {
        agent.orElseThrow().close(CLOSE_TIMEOUT, closed -> exited(running));
    }

    /** Counts what is worth knowing of a run. */
    private final class Events implements AgentListener {
        @Override
        public void registered(Duration lease) {
            sim.facts().count("executor registered");
            note("registered, lease " + lease.toMillis() + " ms");
        }

        @Override
        public void registrationFailed(Outcome.Fault fault) {
            sim.facts().count("registration failed");
            note("registration failed: " + fault.message());
        }

        @Override
        public void idInUse(Duration retryAfter) {
            sim.facts().count("executor id in use");
            note("its id is in use");
        }

        @Override
        public void renewed() {
            sim.facts().count("renewal");
        }

        @Override
        public void renewalFailed(Outcome.Fault fault) {
            sim.facts().count("renewal failed");
            note("renewal failed: " + fault.message());
        }

        @Override
        public void forgotten() {
            sim.facts().count("executor forgotten");
            note("was forgotten");
        }

        @Override
        public void leaseEnded(int shards) {
            sim.facts().count("lease ended with shards");
            if (transport.filter(ObservedTransport::renewing).isPresent()) {
                sim.facts().count("lease ended while an answer was under way");
            }
            note("lease ended with " + shards + " shards");
        }

        private void note(String what) {
            sim.trace().noted(sim.kernel().now(), name, what);
        }
    }
}
