package io.shardwright.client.grpc;

import io.grpc.Deadline;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.shardwright.domain.Scheduler;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where the shard manager is and how it is reached.
 *
 * @param targets configured addresses, {@code host:port} or any gRPC target; at least one. They are asked in turn
 * @param tls how connections are secured; absent: plain text
 */
public record ConnectionOptions(
        List<String> targets, @Nullable TlsOptions tls) {

    private static final Pattern HOST_AND_PORT = Pattern.compile("(?:dns:///?)?(\\[[^\\]]*]|[^:/]*)(?::\\d+)?");
    private static final Pattern ADDRESS = Pattern.compile("\\[.*|[0-9.]+");

    // A snapshot part or an assignment of a very large executor; the server's own parts are far smaller.
    private static final int MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
    private static final long KEEP_ALIVE_SECONDS = 10;
    private static final long KEEP_ALIVE_PATIENCE_SECONDS = 5;
    // For ever: an idle channel would drop the connection that has to stay (R118).
    private static final long IDLE_DAYS = 365;

    /** Checks that there is somebody to ask. */
    public ConnectionOptions {
        targets = List.copyOf(targets);
        if (targets.isEmpty() || targets.stream().anyMatch(String::isBlank)) {
            throw new IllegalArgumentException(
                    "target: " + targets + " names no address; give host:port of a shard manager");
        }
    }

    /** Returns how connections are secured; empty for plain text. */
    Optional<TlsOptions> security() {
        return Optional.ofNullable(tls);
    }

    /** Opens a connection over sockets, whose deadlines count on the clock of the system. */
    public Connection connect(Scheduler loop) {
        return new Connection(targets(), new Connection.Ports(this::channel, Deadline.getSystemTicker(), loop));
    }

    /** @param configured the target through which the address was found */
    private ManagedChannel channel(String target, String configured) {
        NettyChannelBuilder builder = NettyChannelBuilder.forTarget(target)
                .directExecutor()
                .disableRetry()
                .maxInboundMessageSize(MAX_MESSAGE_BYTES)
                .keepAliveTime(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS)
                .keepAliveTimeout(KEEP_ALIVE_PATIENCE_SECONDS, TimeUnit.SECONDS)
                .keepAliveWithoutCalls(true)
                .idleTimeout(IDLE_DAYS, TimeUnit.DAYS);
        security()
                .ifPresentOrElse(
                        options -> options.applyTo(builder, target.equals(configured) ? "" : name(configured)),
                        builder::usePlaintext);
        return builder.build();
    }

    /** Returns the host of a target where it is a name; empty where it is an address (R37). */
    static String name(String target) {
        Matcher parts = HOST_AND_PORT.matcher(target);
        String host = parts.matches() ? parts.group(1) : "";
        return ADDRESS.matcher(host).matches() ? "" : host;
    }
}
