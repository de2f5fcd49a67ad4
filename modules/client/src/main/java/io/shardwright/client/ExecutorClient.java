package io.shardwright.client;

import io.shardwright.client.grpc.Connection;
import io.shardwright.client.grpc.GrpcTransport;
import io.shardwright.client.lease.AgentPorts;
import io.shardwright.client.lease.ExecutorAgent;
import io.shardwright.client.lease.OwnershipTable;
import io.shardwright.domain.system.EventLoop;
import io.shardwright.domain.system.SystemClock;
import io.shardwright.domain.system.SystemRandom;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Makes this process an executor: it registers, renews its lease, and starts and stops one {@link ShardProcessor} per
 * shard as the shard manager decides.
 *
 * <p>Thread-safe. {@link #isOwned} and {@link #processor} cost nanoseconds and take no lock. The client starts at once
 * and keeps trying while the shard manager is away; shards whose lease ends meanwhile stop by themselves (requirements
 * R78 to R92, R103, R109).
 *
 * <p>{@link #close()} hands all shards over before it returns: it leaves, stops the processors while it renews, and
 * releases each shard as soon as it stopped, so that the others take over without waiting for the lease.
 */
public final class ExecutorClient implements AutoCloseable {

    private static final Logger LOG = System.getLogger(ExecutorClient.class.getName());

    private final ExecutorOptions options;
    private final EventLoop loop;
    private final Connection connection;
    private final ProcessorRunner runner;
    private final ExecutorEvents events;
    private final ExecutorAgent agent;
    private final OwnershipTable table = new OwnershipTable(new ConcurrentHashMap<>());
    private final CompletableFuture<Duration> registered = new CompletableFuture<>();
    private final CompletableFuture<ExecutorAgent.Closed> closing = new CompletableFuture<>();

    ExecutorClient(ExecutorOptions options) {
        this.options = options;
        this.loop = EventLoop.start("shardwright-executor-" + options.executorId());
        this.events = new ExecutorEvents(options.who(), options.listener(), registered);
        this.connection = options.connection().connect(loop);
        this.runner = new ProcessorRunner(options.runnerSetup(), loop, events);
        AgentPorts ports = new AgentPorts(
                new SystemClock(), loop, new SystemRandom(), new GrpcTransport(connection), runner, table);
        this.agent = new ExecutorAgent(options.lease(), ports, events);
        loop.execute(() -> {
            runner.tell(agent);
            agent.start();
        });
    }

    /** Returns a builder. Target, namespace and processors have to be set. */
    public static ExecutorClientBuilder builder() {
        return new ExecutorClientBuilder();
    }

    /** Returns the id of this executor. */
    public String executorId() {
        return options.executorId();
    }

    /** Returns executor id and process id, as {@link ShardContext#owner()} gives them to fences. */
    public String owner() {
        return options.owner();
    }

    /**
     * Says whether this process may run the shard at this epoch at this moment, and counts as a use of the shard for
     * its idle time.
     *
     * <p>Costs nanoseconds. Turns false at the end of the lease without any network or timer.
     */
    public boolean isOwned(String shardKey, long epoch) {
        return table.isOwned(shardKey, epoch, System.nanoTime());
    }

    /**
     * Returns the processor of a shard that this process owns and has started; empty otherwise. Counts as a use of the
     * shard for its idle time.
     */
    public Optional<ShardProcessor> processor(String shardKey) {
        return runner.processor(shardKey, System.nanoTime());
    }

    /**
     * Waits until the executor was registered for the first time.
     *
     * @return whether it was, within this time
     */
    public boolean awaitRegistered(Duration timeout) throws InterruptedException {
        try {
            registered.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the state of the client, for logs and debug pages. Not for decisions: it is old when it is read. */
    public ExecutorDescription describe() {
        CompletableFuture<ExecutorDescription> description = new CompletableFuture<>();
        loop.execute(() -> description.complete(describeNow()));
        try {
            return description.get(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return describeNow();
        } catch (ExecutionException | TimeoutException e) {
            // Closed: the loop is gone, and nobody changes the state any more.
            return describeNow();
        }
    }

    private ExecutorDescription describeNow() {
        return new ExecutorDescription(
                options.namespace(),
                options.executorId(),
                options.processId(),
                agent.phase(),
                agent.lease(),
                connection.describe(),
                agent.incarnation(),
                agent.revision(),
                agent.describeShards(),
                runner.counters());
    }

    /**
     * Hands all shards over, stops their processors and leaves. Returns at the latest after the close timeout;
     * processors that have not stopped then are interrupted. May be repeated.
     */
    @Override
    public void close() {
        loop.execute(() -> agent.close(options.closeTimeout(), closing::complete));
        boolean interrupted = false;
        try {
            ExecutorAgent.Closed closed = closing.get(options.closeTimeout().toMillis() + 1000, TimeUnit.MILLISECONDS);
            if (closed.stillRunning() > 0 || closed.notReleased() > 0) {
                LOG.log(
                        Level.WARNING,
                        "{0}: closed after {1} with {2} shards not stopped and {3} not released; they move when the lease ends",
                        options.who(),
                        options.closeTimeout(),
                        closed.stillRunning(),
                        closed.notReleased());
            }
        } catch (InterruptedException e) {
            interrupted = true;
        } catch (ExecutionException | TimeoutException e) {
            LOG.log(Level.WARNING, options.who() + ": close did not end in time", e);
        }
        loop.execute(() -> {
            runner.interruptAll();
            connection.close();
        });
        loop.close();
        events.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
