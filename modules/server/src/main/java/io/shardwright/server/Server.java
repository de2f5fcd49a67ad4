package io.shardwright.server;

import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.shardwright.control.ControlEvent;
import io.shardwright.control.ControlListener;
import io.shardwright.control.ControlPlane;
import io.shardwright.control.NamespaceView;
import io.shardwright.domain.Clock;
import io.shardwright.domain.system.EventLoop;
import io.shardwright.domain.system.SystemClock;
import io.shardwright.domain.system.SystemRandom;
import io.shardwright.election.Election;
import io.shardwright.election.ElectionPorts;
import io.shardwright.election.LeaderAddress;
import io.shardwright.election.LeaseElection;
import io.shardwright.persistence.Store;
import io.shardwright.rpc.service.AdminGrpc;
import io.shardwright.rpc.service.ControlListeners;
import io.shardwright.rpc.service.ExecutorGrpc;
import io.shardwright.rpc.service.RoutingFeed;
import io.shardwright.rpc.service.SpectatorGrpc;
import io.shardwright.rpc.service.StreamThreads;
import io.shardwright.rpc.transport.GrpcEndpoint;
import io.shardwright.rpc.transport.GrpcEndpointSettings;
import io.shardwright.server.config.GrpcConfig;
import io.shardwright.server.config.LoadedConfig;
import io.shardwright.server.config.ServerConfig;
import io.shardwright.server.dashboard.DashboardFeed;
import io.shardwright.server.http.BindFailedException;
import io.shardwright.server.http.HttpEndpoint;
import io.shardwright.server.http.Metrics;
import io.shardwright.server.http.Readiness;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * A running shard manager: store, event loop, leadership, control plane and ports.
 *
 * <p>Thread-safe. What was opened is closed in the opposite order, also when the start fails half-way.
 */
public final class Server implements AutoCloseable {

    /** Name of the health entry that says whether this process decides (R139). */
    public static final String HEALTH_SERVICE = "shardwright.v1.ShardManager";

    private static final Logger LOG = System.getLogger("shardwright");
    private static final int RESIGN_SECONDS = 5;

    private final LoadedConfig loaded;
    private final ServerConfig config;
    private final StoreOpener stores;
    private final Metrics metrics = Metrics.withProcess();
    private final ControlListeners listeners = new ControlListeners();
    private final CompletableFuture<Void> serving = new CompletableFuture<>();
    private final CompletableFuture<String> failed = new CompletableFuture<>();
    private final Deque<Runnable> closers =
            new ArrayDeque<>(); // touched by the starting thread, then by the one that closes
    private final ReentrantLock closing = new ReentrantLock();
    /** R131. */
    private volatile boolean reachable;

    private Optional<GrpcEndpoint> grpc = Optional.empty();
    private Optional<HttpEndpoint> http = Optional.empty();

    private Server(LoadedConfig loaded, StoreOpener stores) {
        this.loaded = loaded;
        this.stores = stores;
        this.config = loaded.config();
    }

    /**
     * Opens the store, then the ports, then begins to serve; returns when calls are served, or, where other replicas
     * may lead, when this one answers.
     *
     * @throws StartFailedException when it cannot; nothing is left open
     * @throws InterruptedException when interrupted while it waited; nothing is left open
     */
    public static Server start(LoadedConfig config) throws StartFailedException, InterruptedException {
        return start(config, Parts::openStore);
    }

    /** Starts a server on a store of the caller's making. */
    static Server start(LoadedConfig config, StoreOpener stores) throws StartFailedException, InterruptedException {
        Server server = new Server(config, stores);
        boolean started = false;
        try {
            server.open();
            server.awaitServing();
            started = true;
            return server;
        } finally {
            if (!started) {
                server.close();
            }
        }
    }

    /** Opens the store of a server; waits until it is loaded. What else it opens is handed to {@code closers}. */
    @FunctionalInterface
    interface StoreOpener {
        Store open(ServerConfig config, Clock clock, EventLoop loop, Consumer<Runnable> closers)
                throws StartFailedException, InterruptedException;
    }

    private void open() throws StartFailedException, InterruptedException {
        Clock clock = new SystemClock();
        EventLoop loop = EventLoop.start("control");
        closers.push(loop::close);
        Store store = stores.open(config, clock, loop, closers::push);
        LOG.log(Level.INFO, "store: {0}", Parts.displayName(config.persistence()));
        closers.push(store::close);
        StreamThreads threads = StreamThreads.start();
        closers.push(threads::close);
        SystemRandom random = new SystemRandom();
        Election election = Parts.election(config, new ElectionPorts(clock, loop, random, store), this::grpcPort);
        ControlPlane control = new ControlPlane(
                new ControlPlane.Ports(clock, loop, random, store),
                election,
                Parts.control(config),
                Parts.namespaces(config),
                listeners);
        RoutingFeed feed = new RoutingFeed(control.incarnation(), threads);
        listeners.add(new EventLog());
        listeners.add(feed);
        listeners.add(new ControlMetrics(metrics, control, loop));
        LeadershipMetrics.register(metrics, control, election);
        DashboardFeed dashboard = DashboardFeed.of(control, clock);
        listeners.add(dashboard);
        closers.push(dashboard::close); // again: a browser may come while the server closes
        // The two ports load most of the classes of a start; together they take half as long.
        CompletableFuture<Void> httpOpening =
                CompletableFuture.runAsync(() -> openHttp(control, dashboard), Thread::startVirtualThread);
        closers.push(() -> closeHttp(httpOpening));
        openGrpc(control, feed, threads);
        awaitHttp(httpOpening);
        closers.push(() -> resign(control));
        // Before that: browsers keep the last state, and are not told of an empty one on the way out.
        closers.push(dashboard::close);
        if (election instanceof LeaseElection contested) {
            contested.holdBack();
            control.start(this::started);
            checkOwnAddress(control, () -> loop.execute(contested::admit));
            serving.complete(null); // a standby is as much at work as the leader is; it may never lead (R93)
            warnOfLoopback();
        } else {
            reachable = true;
            control.start(this::started);
        }
    }

    private void checkOwnAddress(ControlPlane control, Runnable admit) {
        String entry = HEALTH_SERVICE + "/" + control.incarnation();
        grpc.orElseThrow().health().setStatus(entry, ServingStatus.SERVING);
        LeaderAddress address = Parts.advertised(config.grpc(), this::grpcPort);
        closers.push(new OwnAddress(address, entry, config.grpc().tls().isEmpty()).watch(() -> {
            reachable = true;
            admit.run();
        }));
    }

    /** R27. */
    private void warnOfLoopback() {
        config.grpc()
                .advertised()
                .map(GrpcConfig.Advertised::host)
                .filter(host -> host.equals("localhost") || host.startsWith("127.") || host.equals("::1"))
                .ifPresent(host -> LOG.log(
                        Level.WARNING,
                        "grpc.advertised-host = {0}: only processes on this machine can be sent here",
                        host));
    }

    private void openHttp(ControlPlane control, DashboardFeed dashboard) {
        if (!config.http().enabled()) {
            return;
        }
        Readiness readiness = () -> readiness(control);
        try {
            http = Optional.of(HttpEndpoint.start(
                    config.http(), new HttpEndpoint.Content(readiness, metrics, loaded.effective(), dashboard)));
        } catch (BindFailedException e) {
            throw new CompletionException(e);
        }
    }

    private Readiness.State readiness(ControlPlane control) {
        if (!reachable) {
            return new Readiness.State(false, "not serving: this process has not reached its own advertised address");
        }
        if (control.serving()) {
            return control.ready()
                    ? new Readiness.State(true, "serving")
                    : new Readiness.State(false, "not serving: leadership was not renewed in time");
        }
        return control.ready()
                ? new Readiness.State(true, "standing by: the store answers, another replica leads")
                : new Readiness.State(
                        false,
                        "not serving: the state is not loaded yet, leadership ended, or the store does not answer");
    }

    private static void awaitHttp(CompletableFuture<Void> opening) throws StartFailedException {
        try {
            opening.join();
        } catch (CompletionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new StartFailedException(String.valueOf(cause.getMessage()), cause);
        }
    }

    private void closeHttp(CompletableFuture<Void> opening) {
        opening.handle((opened, failure) -> http).join().ifPresent(HttpEndpoint::close);
    }

    private void openGrpc(ControlPlane control, RoutingFeed feed, StreamThreads threads) throws StartFailedException {
        GrpcEndpointSettings where = Parts.grpc(config.grpc());
        GrpcEndpoint endpoint = GrpcEndpoint.create(
                Parts.transport(config.grpc()),
                where,
                List.of(
                        new ExecutorGrpc(control, threads),
                        new SpectatorGrpc(control, feed, threads),
                        new AdminGrpc(control, threads)),
                List.of(new CallMetrics(metrics)));
        endpoint.health().setStatus(HEALTH_SERVICE, ServingStatus.NOT_SERVING);
        listeners.add(new Health(endpoint, control));
        try {
            endpoint.start();
        } catch (IllegalArgumentException e) {
            // Each file was read when the configuration was; together they may still not do.
            throw new StartFailedException(
                    "grpc.tls: the certificate and the key cannot be used together: " + rootMessage(e)
                            + "; give the key of the certificate (grpc.tls.cert-file, grpc.tls.key-file)",
                    e);
        } catch (IOException e) {
            throw new StartFailedException(
                    "grpc.port = " + where.port() + ": cannot listen on " + where.host() + ": " + rootMessage(e)
                            + "; stop the process that has the port, or set grpc.port (--grpc-port) to a free one (0: any)",
                    e);
        }
        grpc = Optional.of(endpoint);
        closers.push(endpoint::close);
    }

    /** Called on the event loop at the first term, and at a later one that finds bad state. */
    private void started(ControlPlane.Started outcome) {
        switch (outcome) {
            case ControlPlane.Started.Ready ready -> serving.complete(null);
            case ControlPlane.Started.Refused(String message) -> fail(message);
            case ControlPlane.Started.SameAddress(String message) -> fail(message);
        }
    }

    private void fail(String message) {
        serving.completeExceptionally(new StartFailedException(message));
        failed.complete(message);
    }

    private void awaitServing() throws StartFailedException, InterruptedException {
        try {
            serving.get();
        } catch (ExecutionException e) {
            throw new StartFailedException(
                    String.valueOf(
                            e.getCause() == null ? e.getMessage() : e.getCause().getMessage()),
                    e);
        }
    }

    /** Returns the port that gRPC is served on. */
    public int grpcPort() {
        return grpc.orElseThrow().port();
    }

    /** Returns the port that HTTP is served on; empty when it is not. */
    public OptionalInt httpPort() {
        return http.map(endpoint -> OptionalInt.of(endpoint.port())).orElse(OptionalInt.empty());
    }

    /** Completes with the reason when this server must not go on; it does not decide any more then. */
    public CompletableFuture<String> failed() {
        return failed.copy();
    }

    /**
     * Refuses new calls, gives leadership back, lets calls in flight end within the grace, then closes ports and store.
     * May be repeated.
     */
    @Override
    public void close() {
        closing.lock();
        try {
            while (!closers.isEmpty()) {
                closeOne(closers.pop());
            }
        } finally {
            closing.unlock();
        }
    }

    private static void closeOne(Runnable closer) {
        try {
            closer.run();
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "something did not close as it should; the rest is closed all the same", e);
        }
    }

    /** Ends every stream and refuses whoever waits, so that the port can close without waiting for its grace. */
    private static void resign(ControlPlane control) {
        CountDownLatch stopped = new CountDownLatch(1);
        control.stop(stopped::countDown);
        try {
            if (!stopped.await(RESIGN_SECONDS, TimeUnit.SECONDS)) {
                LOG.log(Level.WARNING, "the event loop did not stop within {0} s", RESIGN_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String rootMessage(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return String.valueOf(cause.getMessage());
    }

    /** Keeps the health entry right. It is set on another thread, because those who watch it may be slow. */
    private record Health(GrpcEndpoint endpoint, ControlPlane control) implements ControlListener {

        @Override
        public void event(ControlEvent event) {}

        @Override
        public void viewChanged(Optional<NamespaceView> before, Optional<NamespaceView> after) {}

        @Override
        public void servingChanged(boolean serving) {
            // Reads what is true when it runs, so two changes that overtake each other end right.
            Thread.startVirtualThread(() -> endpoint.health()
                    .setStatus(HEALTH_SERVICE, control.serving() ? ServingStatus.SERVING : ServingStatus.NOT_SERVING));
        }
    }
}
