package io.shardwright.rpc.transport.netty;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.grpc.BindableService;
import io.grpc.Grpc;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerInterceptor;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.netty.channel.ChannelOption;
import io.shardwright.rpc.transport.GrpcEndpoint;
import io.shardwright.rpc.transport.GrpcEndpointSettings;
import io.shardwright.rpc.transport.KeepaliveSettings;
import io.shardwright.rpc.transport.OpenCalls;
import io.shardwright.rpc.transport.Peer;
import io.shardwright.rpc.transport.PeerInterceptor;
import io.shardwright.rpc.transport.ServiceAssembly;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** gRPC on grpc-netty; see {@link GrpcEndpoint}. */
public final class NettyGrpcEndpoint implements GrpcEndpoint {
    /** For the last statuses to leave; {@code shutdownNow} of grpc-netty resets streams without flushing the resets. */
    private static final Duration LAST_WORDS = Duration.ofMillis(500);

    private final GrpcEndpointSettings settings;
    private final List<BindableService> services;
    private final List<ServerInterceptor> interceptors;
    private final HealthStatusManager health = new HealthStatusManager();
    private final OpenCalls openCalls = new OpenCalls();
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();

    private @Nullable Server server; // guarded by this
    private boolean closed; // guarded by this

    private NettyGrpcEndpoint(
            GrpcEndpointSettings settings, List<BindableService> services, List<ServerInterceptor> interceptors) {
        this.settings = settings;
        this.services = services;
        this.interceptors = interceptors;
    }

    /** Builds an endpoint that does not listen yet; {@link GrpcEndpoint#create} explains the arguments. */
    public static NettyGrpcEndpoint create(
            GrpcEndpointSettings settings, List<BindableService> services, List<ServerInterceptor> interceptors) {
        return new NettyGrpcEndpoint(settings, services, interceptors);
    }

    @Override
    public synchronized void start() throws IOException {
        if (server != null || closed) {
            throw new IllegalStateException("the endpoint was started before; create a new one");
        }
        server = builder().build().start();
    }

    private NettyServerBuilder builder() throws IOException {
        KeepaliveSettings keepalive = settings.keepalive();
        NettyServerBuilder builder = NettyServerBuilder.forAddress(
                        new InetSocketAddress(settings.host(), settings.port()))
                .executor(executor)
                .maxInboundMessageSize(settings.maxMessageBytes())
                .keepAliveTime(keepalive.probeAfter().toNanos(), NANOSECONDS)
                .keepAliveTimeout(keepalive.probeTimeout().toNanos(), NANOSECONDS)
                .permitKeepAliveTime(keepalive.clientProbesAtMostEvery().toNanos(), NANOSECONDS)
                .permitKeepAliveWithoutCalls(true)
                .maxConnectionIdle(keepalive.idleTimeout().toNanos(), NANOSECONDS)
                .withChildOption(ChannelOption.TCP_NODELAY, true);
        NettyTls.contextFor(settings.security()).ifPresent(builder::sslContext);
        PeerInterceptor peers = new PeerInterceptor(NettyGrpcEndpoint::peerOf);
        builder.addServices(ServiceAssembly.assemble(services, health, openCalls, peers, interceptors));
        return builder;
    }

    @Override
    public synchronized int port() {
        if (server == null) {
            throw new IllegalStateException("the endpoint has no port before start()");
        }
        return server.getPort();
    }

    @Override
    public HealthStatusManager health() {
        return health;
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        health.enterTerminalState();
        if (server != null) {
            stop(server);
        }
        executor.shutdown();
    }

    private void stop(Server running) {
        openCalls.refuseNew();
        running.shutdown();
        try {
            if (!openCalls.await(settings.grace())) {
                openCalls.cutAll();
            }
            if (!running.awaitTermination(LAST_WORDS.toNanos(), NANOSECONDS)) {
                running.shutdownNow();
            }
        } catch (InterruptedException e) {
            running.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }

    private static Peer peerOf(ServerCall<?, ?> call) {
        SocketAddress remote = call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
        String address = String.valueOf(remote);
        SSLSession session = call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
        if (session == null) {
            return new Peer.Anonymous(address);
        }
        try {
            return new Peer.Authenticated(address, session.getPeerPrincipal().getName());
        } catch (SSLPeerUnverifiedException noCertificate) {
            return new Peer.Anonymous(address);
        }
    }
}
