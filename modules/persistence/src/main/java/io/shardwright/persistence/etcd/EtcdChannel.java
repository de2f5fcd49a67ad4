package io.shardwright.persistence.etcd;

import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import com.google.common.util.concurrent.MoreExecutors;
import io.etcd.jetcd.api.AuthGrpc;
import io.etcd.jetcd.api.AuthenticateRequest;
import io.etcd.jetcd.api.AuthenticateResponse;
import io.grpc.CallCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.AbstractStub;
import io.netty.channel.ChannelOption;
import io.netty.handler.ssl.SslContextBuilder;
import io.shardwright.persistence.etcd.EtcdSettings.Access;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** The connections to the members of etcd, and the token that goes with each call. Safe for any thread. */
final class EtcdChannel implements AutoCloseable {

    /** etcd refuses pings that come more often than every 5 s. */
    private static final long KEEP_ALIVE_SECONDS = 10;

    private static final long KEEP_ALIVE_TIMEOUT_SECONDS = 5;

    private static final Metadata.Key<String> TOKEN = Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);

    private final ManagedChannel channel;
    private final EtcdSettings settings;
    private final AtomicReference<@Nullable ListenableFuture<AuthenticateResponse>> token = new AtomicReference<>();

    EtcdChannel(EtcdSettings settings) {
        this.settings = settings;
        String members = settings.endpoints().stream()
                .map(endpoint -> endpoint.getHost() + ":" + endpoint.getPort())
                .collect(Collectors.joining(","));
        NettyChannelBuilder builder = NettyChannelBuilder.forTarget("ip:///" + members);
        settings.tls().ifPresentOrElse(tls -> secure(builder, tls), builder::usePlaintext);
        this.channel = builder.defaultLoadBalancingPolicy("round_robin")
                .withOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        settings.connectTimeout().toMillis())
                .keepAliveTime(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS)
                .keepAliveTimeout(KEEP_ALIVE_TIMEOUT_SECONDS, TimeUnit.SECONDS)
                // A read of a whole prefix or a backlog of a watch may be large; it is our own data.
                .maxInboundMessageSize(Integer.MAX_VALUE)
                // Only etcd may decide that a write is not sent again; gRPC never does.
                .disableRetry()
                .directExecutor()
                .build();
    }

    private static void secure(NettyChannelBuilder builder, EtcdTls tls) {
        try {
            SslContextBuilder context = GrpcSslContexts.forClient().trustManager(tls.trustManager());
            tls.keyManager().ifPresent(context::keyManager);
            builder.sslContext(context.build());
        } catch (SSLException e) {
            throw new IllegalStateException("this Java runtime cannot do TLS", e);
        }
        tls.serverName().ifPresent(builder::overrideAuthority);
    }

    ManagedChannel grpc() {
        return channel;
    }

    /** Returns a stub whose calls carry the token, if there is a user. */
    <S extends AbstractStub<S>> S authorised(S stub) {
        return settings.access() instanceof Access.UserPassword
                ? stub.withCallCredentials(new TokenCredentials())
                : stub;
    }

    /** Returns the stub for one call with one answer. */
    <S extends AbstractStub<S>> S withDeadline(S stub) {
        return stub.withDeadlineAfter(settings.requestTimeout().toNanos(), TimeUnit.NANOSECONDS);
    }

    /** The login whose token a call that is sent now carries, if there is one yet. */
    record Login(@Nullable ListenableFuture<AuthenticateResponse> token) {}

    Login login() {
        return new Login(token.get());
    }

    /**
     * Returns whether a call failed because etcd does not take its token any more; the next call then logs in again.
     */
    boolean loginIsOver(Login login, Throwable thrown) {
        if (!(settings.access() instanceof Access.UserPassword) || !EtcdFaults.tokenIsOld(thrown)) {
            return false;
        }
        forget(login);
        return true;
    }

    /** Lets the next call log in again; others that failed with the same token do not make it log in once each. */
    void forget(Login login) {
        token.compareAndSet(login.token(), null);
    }

    private ListenableFuture<AuthenticateResponse> token() {
        ListenableFuture<AuthenticateResponse> present = token.get();
        if (present == null
                && settings.access() instanceof Access.UserPassword(String user, Supplier<String> password)) {
            present = withDeadline(AuthGrpc.newFutureStub(channel))
                    .authenticate(AuthenticateRequest.newBuilder()
                            .setName(user)
                            .setPassword(password.get())
                            .build());
            token.set(present);
        }
        return present == null
                ? Futures.immediateFailedFuture(new IllegalStateException("no user is configured"))
                : present;
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }

    private final class TokenCredentials extends CallCredentials {
        @Override
        public void applyRequestMetadata(RequestInfo info, Executor executor, MetadataApplier applier) {
            Futures.addCallback(
                    token(),
                    new FutureCallback<>() {
                        @Override
                        public void onSuccess(AuthenticateResponse response) {
                            Metadata metadata = new Metadata();
                            metadata.put(TOKEN, response.getToken());
                            applier.apply(metadata);
                        }

                        @Override
                        public void onFailure(Throwable thrown) {
                            Status status = Status.fromThrowable(thrown);
                            if (EtcdFaults.usersAreOff(status)) {
                                // A user is set before etcd is told to ask for one; until then no token is needed.
                                applier.apply(new Metadata());
                                return;
                            }
                            token.set(null);
                            // etcd calls a wrong password an invalid argument; to the caller it is a lack of rights.
                            applier.fail(
                                    status.getCode() == Status.Code.INVALID_ARGUMENT
                                            ? Status.UNAUTHENTICATED.withDescription(status.getDescription())
                                            : status);
                        }
                    },
                    MoreExecutors.directExecutor());
        }
    }
}
