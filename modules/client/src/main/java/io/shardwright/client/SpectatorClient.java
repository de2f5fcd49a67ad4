package io.shardwright.client;

import io.shardwright.client.grpc.Connection;
import io.shardwright.client.grpc.ConnectionOptions;
import io.shardwright.client.grpc.GrpcRouting;
import io.shardwright.client.routing.Route;
import io.shardwright.client.routing.RoutingFollower;
import io.shardwright.client.routing.RoutingTable;
import io.shardwright.domain.system.EventLoop;
import io.shardwright.domain.system.SystemClock;
import io.shardwright.domain.system.SystemRandom;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Holds the routing table of a namespace and answers who owns a shard.
 *
 * <p>Thread-safe. {@link #ownerOf} reads an immutable local table: no lock, no garbage, nanoseconds. The table follows
 * the shard manager over a stream that is opened again whenever it breaks; meanwhile the last table stands and
 * {@link #age()} grows.
 */
public final class SpectatorClient implements AutoCloseable {

    private static final Logger LOG = System.getLogger(SpectatorClient.class.getName());

    private final String namespace;
    private final EventLoop loop;
    private final Connection connection;
    private final RoutingFollower follower;
    private final OwnerCalls calls;
    private final CountDownLatch ready = new CountDownLatch(1);
    private final List<SpectatorListener> listeners = new CopyOnWriteArrayList<>();
    private final ExecutorService events = Executors.newSingleThreadExecutor(
            Thread.ofVirtual().name("shardwright-routing-events").factory());

    SpectatorClient(ConnectionOptions options, String namespace, Duration patience) {
        this.namespace = namespace;
        this.loop = EventLoop.start("shardwright-spectator-" + namespace);
        this.connection = options.connect(loop);
        SystemRandom random = new SystemRandom();
        this.calls = new OwnerCalls(namespace, connection, loop, random, OwnerCalls.FAILOVER, patience);
        this.follower = new RoutingFollower(
                namespace,
                new RoutingFollower.Ports(new SystemClock(), loop, random, new GrpcRouting(connection)),
                new Follow());
        loop.execute(follower::start);
    }

    /** Returns a builder. Target and namespace have to be set. */
    public static SpectatorClientBuilder builder() {
        return new SpectatorClientBuilder();
    }

    /**
     * Returns the owner of a shard as the local table says it; empty when nobody owns the shard, or it is not known
     * here (yet).
     *
     * <p>Never blocks. Use {@link #findOwner} where a miss has to be asked for.
     */
    public Optional<Route> ownerOf(String shardKey) {
        return follower.table().ownerOf(shardKey);
    }

    /**
     * Returns the owner of a shard; asks the shard manager when the local table names none. In an ephemeral namespace
     * this creates the shard.
     *
     * <p>The result is empty when nobody owns the shard now, and fails with {@link ShardwrightException} when there is
     * no such shard, when servers answered and nobody led for 15 s, or when no server was reached for as long as
     * {@link SpectatorClientBuilder#patience} says.
     */
    public CompletableFuture<Optional<Route>> findOwner(String shardKey) {
        Optional<Route> local = ownerOf(shardKey);
        return local.isPresent() ? CompletableFuture.completedFuture(local) : calls.ask(shardKey);
    }

    /**
     * Waits for the first table.
     *
     * @return whether it came within this time
     */
    public boolean awaitReady(Duration timeout) throws InterruptedException {
        return ready.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Returns the current table. */
    public RoutingTable table() {
        return follower.table();
    }

    /** Returns the store revision of the table; 0 before the first. */
    public long revision() {
        return follower.table().revision();
    }

    /**
     * Returns how long ago the shard manager last said that the table is current (at most 5 s while all is well); empty
     * before the first table.
     */
    public Optional<Duration> age() {
        return follower.hasTable() ? Optional.of(follower.age()) : Optional.empty();
    }

    /** Adds a listener. */
    public void addListener(SpectatorListener listener) {
        listeners.add(listener);
    }

    /** Removes a listener. */
    public void removeListener(SpectatorListener listener) {
        listeners.remove(listener);
    }

    /** Ends the stream and all calls; the last table goes on answering {@link #ownerOf}. May be repeated. */
    @Override
    public void close() {
        loop.execute(() -> {
            follower.close();
            connection.close();
            calls.close();
        });
        loop.close();
        events.shutdown();
    }

    private final class Follow implements RoutingFollower.Listener {
        private boolean interrupted;

        @Override
        public void changed(RoutingTable before, RoutingTable now) {
            if (ready.getCount() > 0 || interrupted) {
                LOG.log(
                        Level.INFO,
                        "spectator of {0}: routing table of {1} shards at revision {2}",
                        namespace,
                        now.size(),
                        now.revision());
            }
            interrupted = false;
            ready.countDown();
            for (SpectatorListener listener : listeners) {
                tell(listener, before, now);
            }
        }

        private void tell(SpectatorListener listener, RoutingTable before, RoutingTable now) {
            try {
                events.execute(() -> {
                    try {
                        listener.changed(before, now);
                    } catch (RuntimeException e) {
                        LOG.log(Level.WARNING, "a listener of the routing table of " + namespace + " threw", e);
                    }
                });
            } catch (RejectedExecutionException e) {
                LOG.log(Level.DEBUG, "spectator of {0}: change after close", namespace);
            }
        }

        @Override
        public void interrupted(String why) {
            LOG.log(
                    interrupted ? Level.DEBUG : Level.WARNING,
                    "spectator of {0}: routing stream is opened again: {1}",
                    namespace,
                    why);
            interrupted = true;
        }
    }
}
