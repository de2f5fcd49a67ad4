package io.shardwright.client;

import io.shardwright.client.grpc.ConnectionOptions;
import io.shardwright.client.grpc.TlsOptions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects the settings of a {@link SpectatorClient}. Not thread-safe. */
public final class SpectatorClientBuilder {

    private List<String> targets = List.of();
    private @Nullable TlsOptions tls;
    private String namespace = "";

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
     * Starts the client.
     *
     * @throws IllegalArgumentException when a required setting is missing
     */
    public SpectatorClient start() {
        if (namespace.isBlank()) {
            throw new IllegalArgumentException("namespace: not set; name the namespace to route in");
        }
        return new SpectatorClient(new ConnectionOptions(targets, tls), namespace);
    }
}
