package io.shardwright.canary.executor;

import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.shardwright.client.ExecutorClient;
import io.shardwright.client.ShardProcessor;
import io.shardwright.proto.canary.v1.PingRequest;
import io.shardwright.proto.canary.v1.PingResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/**
 * An executor whose shards do nothing but answer pings, in one namespace or several. Thread-safe.
 *
 * <p>{@link #close()} leaves gracefully: it hands all shards over, then stops answering.
 */
public final class CanaryExecutor implements AutoCloseable {

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

    private final ExecutorSettings settings;
    private final Consumer<String> lines;
    private final Map<String, ExecutorClient> clients = new ConcurrentHashMap<>();
    private final Writes writes;
    private final Server server;

    private CanaryExecutor(ExecutorSettings settings, Consumer<String> lines, Writes writes) throws IOException {
        this.settings = settings;
        this.lines = lines;
        this.writes = writes;
        this.server = NettyServerBuilder.forAddress(new InetSocketAddress(settings.bind(), settings.port()))
                .executor(Executors.newVirtualThreadPerTaskExecutor())
                .addService(new PingService(this::answer))
                .build()
                .start();
    }

    /**
     * Starts an executor.
     *
     * @param lines hears one line per change of state
     * @throws IOException when it cannot listen
     * @throws IllegalArgumentException when a setting is wrong
     */
    public static CanaryExecutor start(ExecutorSettings settings, Consumer<String> lines) throws IOException {
        Writes writes = settings.fence().isEmpty() ? Writes.NONE : new FencedWrites(settings.fence(), lines);
        CanaryExecutor executor = new CanaryExecutor(settings, lines, writes);
        boolean started = false;
        try {
            lines.accept("listening address=" + executor.address() + " pid="
                    + ProcessHandle.current().pid());
            settings.namespaces().forEach(executor::join);
            started = true;
            return executor;
        } finally {
            if (!started) {
                executor.close();
            }
        }
    }

    private void join(String namespace) {
        ExecutorClient client = ExecutorClient.builder()
                .target(settings.targets().toArray(String[]::new))
                .namespace(namespace)
                .executorId(settings.id())
                .address(address())
                .processors(key -> processor(key))
                .listener(new StateLines(namespace, lines))
                .idleAfter(settings.idleAfter())
                .closeTimeout(CLOSE_TIMEOUT)
                .start();
        clients.put(namespace, client);
    }

    private ShardProcessor processor(String shardKey) {
        return new CanaryProcessor(
                settings.loads().of(shardKey), settings.slowness().of(shardKey), writes);
    }

    /** Returns where pings are answered. */
    public String address() {
        return settings.bind() + ":" + server.getPort();
    }

    private PingResponse answer(PingRequest request) {
        ExecutorClient client = clients.get(request.getNamespace());
        if (client == null) {
            return PingResponse.getDefaultInstance();
        }
        long epoch = client.processor(request.getShardKey())
                .map(processor -> ((CanaryProcessor) processor).ping())
                .orElse(0L);
        return PingResponse.newBuilder()
                .setExecutorId(client.executorId())
                .setProcessId(client.owner().substring(client.executorId().length() + 1))
                .setOwned(epoch > 0)
                .setEpoch(epoch)
                .setPid(ProcessHandle.current().pid())
                .build();
    }

    @Override
    public void close() {
        // Together: each may take its whole time.
        List<Thread> leaving = clients.values().stream()
                .map(client -> Thread.startVirtualThread(client::close))
                .toList();
        leaving.forEach(CanaryExecutor::join);
        writes.close();
        server.shutdownNow();
        lines.accept("left");
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
