package io.shardwright.rpc.transport.helidon;

import io.grpc.BindableService;
import io.grpc.ServerCall;
import io.grpc.ServerInterceptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.protobuf.services.HealthStatusManager;
import io.helidon.common.socket.PeerInfo;
import io.helidon.common.socket.SocketOptions;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;
import io.helidon.webserver.grpc.GrpcConfig;
import io.helidon.webserver.grpc.ServerContextKeys;
import io.helidon.webserver.http2.Http2Config;
import io.shardwright.rpc.transport.GrpcEndpoint;
import io.shardwright.rpc.transport.GrpcEndpointSettings;
import io.shardwright.rpc.transport.KeepaliveSettings;
import io.shardwright.rpc.transport.OpenCalls;
import io.shardwright.rpc.transport.Peer;
import io.shardwright.rpc.transport.PeerInterceptor;
import io.shardwright.rpc.transport.ServiceAssembly;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/** gRPC on Helidon's webserver-grpc; see {@link GrpcEndpoint}. */
public final class HelidonGrpcEndpoint implements GrpcEndpoint {
    /** Helidon limits how often clients may cancel, and punishes every call on the connection for it. */
    private static final int NO_LIMIT = -1;

    /**
     * A slow reader is let go when its call ends; Helidon's own limit of 15 s would end the call of a reader that
     * rests.
     */
    private static final Duration PATIENCE_WITH_READERS = Duration.ofDays(1);

    /** Calls have had their grace when the web server is stopped; what is left is only torn down. */
    private static final Duration TEAR_DOWN = Duration.ofMillis(100);

    /** For the last statuses to leave. */
    private static final Duration LAST_WORDS = Duration.ofMillis(500);

    private final GrpcEndpointSettings settings;
    private final List<BindableService> services;
    private final List<ServerInterceptor> interceptors;
    private final HealthStatusManager health = new HealthStatusManager();
    private final OpenCalls openCalls = new OpenCalls();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("grpc-deadlines").daemon().factory());

    private @Nullable WebServer server; // guarded by this
    private boolean closed; // guarded by this

    private HelidonGrpcEndpoint(
            GrpcEndpointSettings settings, List<BindableService> services, List<ServerInterceptor> interceptors) {
        this.settings = settings;
        this.services = services;
        this.interceptors = interceptors;
    }

    /** Builds an endpoint that does not listen yet; {@link GrpcEndpoint#create} explains the arguments. */
    public static HelidonGrpcEndpoint create(
            GrpcEndpointSettings settings, List<BindableService> services, List<ServerInterceptor> interceptors) {
        return new HelidonGrpcEndpoint(settings, services, interceptors);
    }

    @Override
    public synchronized void start() throws IOException {
        if (server != null || closed) {
            throw new IllegalStateException("the endpoint was started before; create a new one");
        }
        try {
            server = configuration().build().start();
        } catch (RuntimeException e) {
            throw new IOException(
                    "cannot listen on " + settings.host() + ":" + settings.port() + ": " + e.getMessage(), e);
        }
    }

    private WebServerConfig.Builder configuration() {
        List<ServerServiceDefinition> definitions = ServiceAssembly.assemble(
                services, health, openCalls, new PeerInterceptor(HelidonGrpcEndpoint::peerOf), interceptors);
        InboundMessages messages = new InboundMessages(settings.maxMessageBytes());
        Duration idleTimeout = settings.keepalive().idleTimeout();
        WebServerConfig.Builder configuration = WebServer.builder()
                .host(settings.host())
                .port(settings.port())
                .shutdownHook(false)
                .shutdownGracePeriod(TEAR_DOWN)
                .idleConnectionTimeout(idleTimeout)
                .idleConnectionPeriod(idleTimeout.dividedBy(4).plusMillis(1))
                .connectionOptions(socketOptions(settings.keepalive()))
                .addConnectionSelector(new HelidonConnections(http2(), grpc()))
                .addRouting(new HelidonServices(definitions, messages, timer).routing());
        HelidonTls.tlsFor(settings.security()).ifPresent(configuration::tls);
        return configuration;
    }

    private static Http2Config http2() {
        return Http2Config.builder()
                .maxRapidResets(NO_LIMIT)
                .flowControlTimeout(PATIENCE_WITH_READERS)
                .build();
    }

    private GrpcConfig grpc() {
        return GrpcConfig.builder()
                .maxReadBufferSize(settings.maxMessageBytes())
                .build();
    }

    /**
     * Helidon sends no HTTP/2 pings, so the kernel probes: it finds a dead machine just as well, a hung process not.
     */
    private static SocketOptions socketOptions(KeepaliveSettings keepalive) {
        int probes = 3;
        return SocketOptions.builder()
                .tcpNoDelay(true)
                .socketKeepAlive(true)
                .putSocketOption(ExtendedSocketOptions.TCP_KEEPIDLE, wholeSeconds(keepalive.probeAfter()))
                .putSocketOption(
                        ExtendedSocketOptions.TCP_KEEPINTERVAL,
                        wholeSeconds(keepalive.probeTimeout().dividedBy(probes)))
                .putSocketOption(ExtendedSocketOptions.TCP_KEEPCOUNT, probes)
                .build();
    }

    private static int wholeSeconds(Duration duration) {
        return Math.clamp(duration.toSeconds(), 1, 32_767);
    }

    @Override
    public synchronized int port() {
        if (server == null) {
            throw new IllegalStateException("the endpoint has no port before start()");
        }
        return server.port();
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
        timer.shutdownNow();
    }

    private void stop(WebServer running) {
        try {
            openCalls.refuseNew();
            if (!openCalls.await(settings.grace())) {
                openCalls.cutAll();
                openCalls.await(LAST_WORDS);
            }
        } catch (InterruptedException e) {
            openCalls.cutAll();
            Thread.currentThread().interrupt();
        }
        running.stop();
    }

    private static Peer peerOf(ServerCall<?, ?> call) {
        PeerInfo remote = ServerContextKeys.CONNECTION_CONTEXT.get().remotePeer();
        String address = String.valueOf(remote.address());
        return remote.tlsPrincipal()
                .<Peer>map(subject -> new Peer.Authenticated(address, subject.getName()))
                .orElseGet(() -> new Peer.Anonymous(address));
    }
}
