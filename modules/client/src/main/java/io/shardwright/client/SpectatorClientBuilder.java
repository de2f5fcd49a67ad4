package io.shardwright.client;

import io.shardwright.client.grpc.ConnectionOptions;
import io.shardwright.client.grpc.TlsOptions;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects the settings of a {@link SpectatorClient}. Not thread-safe. */
public final class SpectatorClientBuilder {

    /** Default of {@link #patience}. */
    public static final Duration DEFAULT_PATIENCE = Duration.ofSeconds(5);

    private List<String> targets = List.of();
    private @Nullable TlsOptions tls;
    private String namespace = "";
    private Duration patience = DEFAULT_PATIENCE;

    SpectatorClientBuilder() {}

    /** Sets the addresses of the shard manager, {@code host:port} each; any replica will do. Required. */
    public SpectatorClientBuilder target(String... addresses) {
        targets = List.of(addresses);
        return this;
    }

    /** Secures the connections; without it they are plain text. */
    public SpectatorClientBuilder tls(TlsOptions options) {
        tls = options;
        return this;
    }

    /** Sets the namespace. Required. */
    public SpectatorClientBuilder namespace(String name) {
        namespace = name;
        return this;
    }

    /**
     * Sets how long {@link SpectatorClient#findOwner} goes on while no server can be reached at all. While servers
     * answer and nobody leads it goes on for 15 s in any case, and longer where this is longer: give it the leader
     * lease and 5 s where the leader lease of the servers was made longer than its default of 10 s.
     *
     * @param time at least zero; default: 5 s
     */
    public SpectatorClientBuilder patience(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("patience: " + time + " is negative; use zero to ask once");
        }
        patience = time;
        return this;
    }

    /**
     * Starts the client.
     *
     * @throws IllegalArgumentException when a required setting is missing
     */
    public SpectatorClient start() {
        if (namespace.isBlank()) {
            throw new IllegalArgumentException("namespace: not set; name the namespace to route in");
        }
        return new SpectatorClient(new ConnectionOptions(targets, tls), namespace, patience);
    }
}
