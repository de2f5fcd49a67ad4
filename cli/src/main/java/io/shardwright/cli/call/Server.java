package io.shardwright.cli.call;

import io.grpc.ChannelCredentials;
import io.grpc.Deadline;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import io.shardwright.proto.v1.AdminServiceGrpc;
import io.shardwright.proto.v1.AdminServiceGrpc.AdminServiceBlockingStub;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * The server that the user named, and how to call it.
 *
 * <p>A command makes one call, so each call has a connection of its own. Immutable.
 *
 * @param address where it listens
 * @param security how the connection is protected
 * @param timeout how long a call may take, redirects included
 */
public record Server(Address address, Security security, Duration timeout) {
    /**
     * A replica that lost the leadership names the new leader; that one can have lost it too. More than two hops is a
     * loop.
     */
    public static final int MAX_REDIRECTS = 2;

    /** An executor with 100,000 shards is described in about 10 MB. */
    private static final int MAX_MESSAGE_BYTES = 256 << 20;

    /**
     * Runs one admin call, on the leader if the named server is a standby.
     *
     * @throws CallFailedException with the sentence to show
     */
    public <T> T admin(Function<AdminServiceBlockingStub, T> call) {
        Deadline deadline = Deadline.after(timeout.toMillis(), TimeUnit.MILLISECONDS);
        Address at = address;
        for (int redirects = 0; ; redirects++) {
            ManagedChannel channel = connect(at);
            try {
                return call.apply(AdminServiceGrpc.newBlockingStub(channel).withDeadline(deadline));
            } catch (StatusRuntimeException e) {
                Optional<Address> leader = ServerErrors.leader(e);
                if (leader.isEmpty() || redirects == MAX_REDIRECTS) {
                    throw explain(e, at);
                }
                at = leader.get();
            } finally {
                channel.shutdownNow();
            }
        }
    }

    /** Opens a connection, which the caller ends with {@code shutdownNow}. */
    public ManagedChannel connect(Address at) {
        ManagedChannelBuilder<?> builder = Grpc.newChannelBuilderForAddress(at.host(), at.port(), credentials())
                .maxInboundMessageSize(MAX_MESSAGE_BYTES);
        if (security instanceof Security.Tls tls) {
            tls.serverName().ifPresent(builder::overrideAuthority);
        }
        return builder.build();
    }

    /** Says why a call to {@code at} failed. */
    public CallFailedException explain(Throwable thrown, Address at) {
        return ServerErrors.explain(thrown, at, timeout);
    }

    /** Where the leader is, if {@code thrown} is the refusal of a standby that knows. */
    public static Optional<Address> leaderNamedBy(Throwable thrown) {
        return ServerErrors.leader(thrown);
    }

    private ChannelCredentials credentials() {
        return switch (security) {
            case Security.Plaintext plaintext -> InsecureChannelCredentials.create();
            case Security.Tls tls -> credentials(tls);
        };
    }

    private static ChannelCredentials credentials(Security.Tls tls) {
        TlsChannelCredentials.Builder builder = TlsChannelCredentials.newBuilder();
        try {
            if (tls.authorities().isPresent()) {
                builder.trustManager(tls.authorities().get().toFile());
            }
            if (tls.identity().isPresent()) {
                Security.Identity identity = tls.identity().get();
                builder.keyManager(
                        identity.certificate().toFile(), identity.key().toFile());
            }
            return builder.build();
        } catch (IOException | IllegalArgumentException e) {
            throw CallFailedException.local(
                    "INVALID_ARGUMENT",
                    "cannot use the TLS files: " + e.getMessage()
                            + "; --ca-cert and --cert are PEM certificates, --key is a PEM PKCS#8 key without password");
        }
    }
}
