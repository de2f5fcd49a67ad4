package io.shardwright.sim.cluster;

import io.shardwright.client.grpc.Connection;
import io.shardwright.sim.kernel.ProcessClock;
import io.shardwright.sim.kernel.SimProcess;
import io.shardwright.sim.network.Network;
import java.time.Duration;
import java.util.Optional;

/** A machine with at most one process of ours, which can be killed, stopped and started again. */
abstract class Machine {

    /** After this time a process that should stop is killed, as container platforms do. */
    private static final long STOP_GRACE = 30_000_000_000L;

    /** So long what was told to end may still say that it has. */
    private static final Duration LAST_WORDS = Duration.ofMillis(1);

    final Simulation sim;
    final String name;
    private Optional<SimProcess> process = Optional.empty();
    private Optional<Connection> connection = Optional.empty(); // of the process that began last
    private double clockRate = 1;
    private int starts;
    private boolean stopping;
    private boolean startAgain;

    Machine(Simulation sim, String name) {
        this.sim = sim;
        this.name = name;
    }

    /** Returns the process that runs now. */
    Optional<SimProcess> process() {
        return process.filter(SimProcess::alive);
    }

    int starts() {
        return starts;
    }

    /** Starts a process, unless one runs; one that is stopping is replaced when it is gone. */
    final void start() {
        if (process().isPresent()) {
            startAgain = stopping;
            return;
        }
        stopping = false;
        startAgain = false;
        starts++;
        // The monotonic clock of a process may begin anywhere, also just before it overflows.
        long origin = sim.random("clock").nextLong();
        SimProcess fresh = sim.kernel().process(name, new ProcessClock(origin, clockRate, 0));
        process = Optional.of(fresh);
        sim.trace().began(sim.kernel().now(), fresh);
        fresh.execute(() -> run(fresh));
    }

    /** Returns what a client process reaches the replicas with. */
    final Connection connect(SimProcess client) {
        Connection opened = new Connection(
                sim.replicaAddresses(),
                new Connection.Ports(
                        (address, configured) -> sim.network().channel(client, address),
                        Network.ticker(client),
                        client));
        connection = Optional.of(opened);
        return opened;
    }

    /** Returns what its last process reaches the replicas with. */
    final Optional<Connection> connection() {
        return connection;
    }

    /** Builds what the process is made of; called in the process. */
    abstract void run(SimProcess fresh);

    /** Asks the process to stop; it ends itself when it is done. Called in the process. */
    abstract void stopGracefully(SimProcess running);

    final void stop() {
        process().filter(p -> !stopping).ifPresent(running -> {
            stopping = true;
            running.execute(() -> stopGracefully(running));
            sim.kernel().after(STOP_GRACE, () -> {
                if (running.alive()) {
                    kill(Network.Death.RESET);
                }
            });
        });
    }

    /** The process is done; what ends with a client has a moment to end, and leaves nothing. */
    final void exited(SimProcess done) {
        if (connection.isEmpty()) {
            gone(done);
            return;
        }
        connection.get().close();
        done.scheduleAside(LAST_WORDS, () -> {
            sim.left(done);
            gone(done);
        });
    }

    private void gone(SimProcess done) {
        sim.trace().ended(sim.kernel().now(), name, "stopped");
        done.kill();
        sim.network().killed(done, Network.Death.RESET);
        replace();
    }

    /** The process ended by itself. */
    final void ended(boolean forGood) {
        startAgain = !forGood;
        kill(Network.Death.RESET);
    }

    private void replace() {
        if (startAgain) {
            start();
        }
    }

    final void kill(Network.Death death) {
        process().ifPresent(running -> {
            sim.trace().ended(sim.kernel().now(), name, death == Network.Death.RESET ? "killed" : "lost");
            running.kill();
            sim.network().killed(running, death);
            replace();
        });
    }

    /** Says whether it was asked to stop, and has not. */
    final boolean stopping() {
        return stopping && process().isPresent();
    }

    final void clockRate(double rate) {
        clockRate = rate;
        process().ifPresent(running -> running.clockRate(rate));
    }
}
