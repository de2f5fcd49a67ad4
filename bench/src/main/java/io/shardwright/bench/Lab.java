package io.shardwright.bench;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.shardwright.control.Answers;
import io.shardwright.control.Claim;
import io.shardwright.control.ControlPlane;
import io.shardwright.control.ControlSettings;
import io.shardwright.control.Delivery;
import io.shardwright.control.NamespaceView;
import io.shardwright.control.Reply;
import io.shardwright.domain.Clock;
import io.shardwright.domain.Executor;
import io.shardwright.domain.ExecutorId;
import io.shardwright.domain.Namespace;
import io.shardwright.domain.NamespaceName;
import io.shardwright.domain.Scheduler;
import io.shardwright.domain.system.EventLoop;
import io.shardwright.domain.system.SystemClock;
import io.shardwright.election.LocalElection;
import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.memory.MemoryStore;
import io.shardwright.rpc.service.AdminGrpc;
import io.shardwright.rpc.service.ControlListeners;
import io.shardwright.rpc.service.ExecutorGrpc;
import io.shardwright.rpc.service.RoutingFeed;
import io.shardwright.rpc.service.SpectatorGrpc;
import io.shardwright.rpc.service.StreamThreads;
import io.shardwright.rpc.transport.GrpcEndpoint;
import io.shardwright.rpc.transport.GrpcEndpointSettings;
import io.shardwright.rpc.transport.GrpcTransport;
import io.shardwright.testkit.SeededRandom;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * A control plane with a namespace of many executors and shards, as the figures are measured on: by default 1,000
 * executors with 100 shards each, on the memory store.
 */
public final class Lab implements AutoCloseable {

    static final NamespaceName NAMESPACE = new NamespaceName("bench");

    /** Long enough that no lease ends while something is measured. */
    private static final Duration LEASE = Duration.ofHours(1);

    private final ControlPlane control;
    private final StreamThreads threads = StreamThreads.start();
    private final RoutingFeed feed;
    private Optional<GrpcEndpoint> endpoint = Optional.empty();
    private Optional<EventLoop> loop = Optional.empty();

    private Lab(Clock clock, Scheduler scheduler, int shards) {
        Store store = MemoryStore.open(clock, scheduler);
        ControlListeners listeners = new ControlListeners();
        control = new ControlPlane(
                new ControlPlane.Ports(clock, scheduler, new SeededRandom(7), store),
                new LocalElection(store, scheduler, Bytes.utf8("/shardwright/leader"), "bench"),
                ControlSettings.DEFAULT,
                List.of(new Namespace(NAMESPACE, new Namespace.Kind.Fixed(shards), LEASE, "naive")),
                listeners);
        feed = new RoutingFeed(control.incarnation(), threads);
        listeners.add(feed);
    }

    /** Opens a lab whose loop the caller runs. {@code run} runs everything that is due. */
    static Lab on(Clock clock, Scheduler scheduler, Runnable run, int executors, int shards) {
        Lab lab = new Lab(clock, scheduler, shards);
        lab.control.start(started -> {});
        run.run();
        lab.registerAll(executors, reply -> {});
        run.run();
        return lab;
    }

    /** Opens a lab on a real event loop, served over gRPC on a free port. */
    static Lab served(int executors, int shards) throws IOException, InterruptedException {
        EventLoop loop = EventLoop.start("control");
        Lab lab = new Lab(new SystemClock(), loop, shards);
        lab.loop = Optional.of(loop);
        CountDownLatch serving = new CountDownLatch(1);
        lab.control.start(started -> serving.countDown());
        serving.await();
        CountDownLatch registered = new CountDownLatch(executors);
        lab.registerAll(executors, reply -> registered.countDown());
        registered.await();
        GrpcEndpoint opened = GrpcEndpoint.create(
                GrpcTransport.NETTY,
                GrpcEndpointSettings.plaintext("127.0.0.1", 0),
                List.of(
                        new ExecutorGrpc(lab.control, lab.threads),
                        new SpectatorGrpc(lab.control, lab.feed, lab.threads),
                        new AdminGrpc(lab.control, lab.threads)),
                List.of());
        opened.start();
        lab.endpoint = Optional.of(opened);
        return lab;
    }

    private void registerAll(int executors, Consumer<Reply<Answers.Registered>> answered) {
        for (int i = 0; i < executors; i++) {
            ExecutorId id = id(i);
            Executor executor = new Executor(
                    id, "process-" + i, "10.0.0.1:" + (7000 + i), "host-" + i, new TreeMap<>(), Executor.Status.ACTIVE);
            control.register(NAMESPACE, executor, List.of(), answered::accept);
        }
    }

    static ExecutorId id(int number) {
        return new ExecutorId(String.format("executor-%05d", number));
    }

    static Answers.Caller caller(int number) {
        return new Answers.Caller(id(number), "process-" + number);
    }

    ControlPlane control() {
        return control;
    }

    NamespaceView view() {
        return control.view(NAMESPACE).orElseThrow();
    }

    /** The set of each executor, as it is stored. */
    List<List<Delivery.Entry>> sets(int executors) {
        TreeMap<ExecutorId, List<Delivery.Entry>> byOwner = new TreeMap<>();
        view().table()
                .forEach(shard -> shard.owner()
                        .ifPresent(owner -> byOwner.computeIfAbsent(owner, id -> new ArrayList<>())
                                .add(new Delivery.Entry(shard.key(), shard.epoch()))));
        List<List<Delivery.Entry>> sets = new ArrayList<>();
        for (int i = 0; i < executors; i++) {
            sets.add(byOwner.getOrDefault(id(i), List.of()));
        }
        return sets;
    }

    static List<Claim> claims(List<Delivery.Entry> set) {
        List<Claim> claims = new ArrayList<>();
        set.forEach(entry -> claims.add(Claim.measured(entry.key(), entry.epoch(), Claim.Activity.RUNNING, 1)));
        return claims;
    }

    int port() {
        return endpoint.orElseThrow().port();
    }

    ManagedChannel channel() {
        return NettyChannelBuilder.forAddress("127.0.0.1", port())
                .usePlaintext()
                .build();
    }

    @Override
    public void close() {
        endpoint.ifPresent(GrpcEndpoint::close);
        threads.close();
        loop.ifPresent(EventLoop::close);
    }
}
