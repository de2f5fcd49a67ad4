package io.shardwright.client;

import io.shardwright.client.grpc.ConnectionOptions;
import io.shardwright.client.grpc.TlsOptions;
import io.shardwright.client.lease.LeaseSettings;
import io.shardwright.proto.v1.Label;
import io.shardwright.proto.v1.RegisterRequest;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Collects the settings of an {@link ExecutorClient}. Not thread-safe. */
public final class ExecutorClientBuilder {

    /** Default of {@link #startDeadline} and {@link #stopDeadline}. */
    public static final Duration DEFAULT_STEP_DEADLINE = Duration.ofSeconds(10);

    /** Default of {@link #closeTimeout}: below the 30 s that container platforms usually wait before they kill. */
    public static final Duration DEFAULT_CLOSE_TIMEOUT = Duration.ofSeconds(20);

    private static final Pattern EXECUTOR_ID = Pattern.compile("[A-Za-z0-9._:-]{1,128}");

    private List<String> targets = List.of();
    private @Nullable TlsOptions tls;
    private String namespace = "";
    private String executorId = "";
    private String address = "";
    private String host = "";
    private final TreeMap<String, String> labels = new TreeMap<>();
    private @Nullable ShardProcessorFactory processors;
    private ExecutorListener listener = new ExecutorListener() {};
    private Duration idleAfter = Duration.ZERO;
    private Duration startDeadline = DEFAULT_STEP_DEADLINE;
    private Duration stopDeadline = DEFAULT_STEP_DEADLINE;
    private Duration closeTimeout = DEFAULT_CLOSE_TIMEOUT;
    private double clockTolerance = LeaseSettings.DEFAULT_CLOCK_TOLERANCE;

    ExecutorClientBuilder() {}

    /** Sets the addresses of the shard manager, {@code host:port} each; any replica will do. Required. */
    public ExecutorClientBuilder target(String... addresses) {
        targets = List.of(addresses);
        return this;
    }

    /** Secures the connections; without it they are plain text. */
    public ExecutorClientBuilder tls(TlsOptions options) {
        tls = options;
        return this;
    }

    /** Sets the namespace whose shards this process runs. Required. */
    public ExecutorClientBuilder namespace(String name) {
        namespace = name;
        return this;
    }

    /**
     * Sets the identity of this executor: 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', '-' and ':', unique in the
     * namespace. A process that comes back under the same id gets its shards back. Default: the name of the host, and
     * the port of {@link #address} if it has one.
     */
    public ExecutorClientBuilder executorId(String id) {
        executorId = id;
        return this;
    }

    /** Sets the address at which this process serves its shards, for routers; for example {@code 10.0.0.7:7000}. */
    public ExecutorClientBuilder address(String hostAndPort) {
        address = hostAndPort;
        return this;
    }

    /** Sets the name of the machine, for host drains. Default: the name of the host. */
    public ExecutorClientBuilder host(String name) {
        host = name;
        return this;
    }

    /** Adds a label for routers; at most 32. */
    public ExecutorClientBuilder label(String key, String value) {
        labels.put(key, value);
        return this;
    }

    /** Sets what makes the processors of shards. Required. */
    public ExecutorClientBuilder processors(ShardProcessorFactory factory) {
        processors = factory;
        return this;
    }

    /** Sets who hears of events. */
    public ExecutorClientBuilder listener(ExecutorListener eventListener) {
        listener = eventListener;
        return this;
    }

    /**
     * Gives shards of an ephemeral namespace back that nobody asked for ({@link ExecutorClient#isOwned},
     * {@link ExecutorClient#processor}) in this time. Default: zero, never.
     */
    public ExecutorClientBuilder idleAfter(Duration time) {
        idleAfter = time;
        return this;
    }

    /** Sets when a start is reported as slow. Default: 10 s. */
    public ExecutorClientBuilder startDeadline(Duration time) {
        startDeadline = time;
        return this;
    }

    /** Sets when a stop is reported as slow. Default: 10 s. */
    public ExecutorClientBuilder stopDeadline(Duration time) {
        stopDeadline = time;
        return this;
    }

    /** Bounds {@link ExecutorClient#close()}. Default: 20 s. */
    public ExecutorClientBuilder closeTimeout(Duration time) {
        closeTimeout = time;
        return this;
    }

    /** Sets the allowed difference of clock rates between this machine and the shard manager. Default: 0.01 (1 %). */
    public ExecutorClientBuilder clockTolerance(double fraction) {
        clockTolerance = fraction;
        return this;
    }

    /**
     * Starts the client.
     *
     * @throws IllegalArgumentException when a required setting is missing or a value is out of its bounds
     */
    public ExecutorClient start() {
        if (namespace.isBlank()) {
            throw new IllegalArgumentException("namespace: not set; name the namespace whose shards run here");
        }
        if (processors == null) {
            throw new IllegalArgumentException("processors: not set; give a factory of shard processors");
        }
        String hostName = host.isBlank() ? hostName() : host;
        String id = executorId.isBlank() ? defaultId(hostName) : executorId;
        if (!EXECUTOR_ID.matcher(id).matches()) {
            throw new IllegalArgumentException("executorId: '" + id
                    + "' must be 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', '-' and ':'; set executorId(...)");
        }
        RegisterRequest.Builder identity = RegisterRequest.newBuilder()
                .setNamespace(namespace)
                .setExecutorId(id)
                .setProcessId(UUID.randomUUID().toString())
                .setAddress(address)
                .setHost(hostName);
        labels.forEach((key, value) ->
                identity.addLabels(Label.newBuilder().setKey(key).setValue(value)));
        String owner = id + "/" + identity.getProcessId();
        return new ExecutorClient(new ExecutorOptions(
                new ConnectionOptions(targets, tls),
                new LeaseSettings(identity.build(), clockTolerance, LeaseSettings.DEFAULT_CALL_DEADLINE, idleAfter),
                new ProcessorRunner.Setup(processors, startDeadline, stopDeadline, namespace, owner),
                listener,
                closeTimeout));
    }

    private String defaultId(String hostName) {
        int colon = address.lastIndexOf(':');
        return colon < 0 ? hostName : hostName + ":" + address.substring(colon + 1);
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(
                    "host: the name of this machine cannot be resolved; set host(...) and executorId(...)", e);
        }
    }
}
