package io.shardwright.rpc.transport.helidon;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HttpPrologue;
import io.helidon.http.WritableHeaders;
import io.helidon.http.http2.Http2Headers;
import io.helidon.http.http2.Http2Settings;
import io.helidon.http.http2.Http2StreamState;
import io.helidon.http.http2.Http2StreamWriter;
import io.helidon.http.http2.StreamFlowControl;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.Router;
import io.helidon.webserver.grpc.GrpcConfig;
import io.helidon.webserver.grpc.GrpcProtocolSelector;
import io.helidon.webserver.http2.Http2Config;
import io.helidon.webserver.http2.Http2ConnectionSelector;
import io.helidon.webserver.http2.spi.Http2SubProtocolSelector;
import io.helidon.webserver.http2.spi.SubProtocolResult;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Helidon's HTTP/2 connections, told apart by whether calls are open on them. Helidon alone counts a connection as idle
 * from its last request, which would cut a quiet stream, and does not tell calls that their connection is lost.
 * Thread-safe.
 */
final class HelidonConnections implements ServerConnectionSelector, Http2SubProtocolSelector {
    private static final HeaderName ACCEPT_ENCODING = HeaderNames.create("grpc-accept-encoding");

    private final Map<ConnectionContext, OpenStreams> connections = new ConcurrentHashMap<>();
    private final Http2SubProtocolSelector grpc;
    private final Http2ConnectionSelector http2;

    HelidonConnections(Http2Config http2Config, GrpcConfig grpcConfig) {
        this.grpc = GrpcProtocolSelector.create(grpcConfig);
        this.http2 = Http2ConnectionSelector.builder()
                .http2Config(http2Config)
                .addSubProtocolSelector(this)
                .build();
    }

    @Override
    public int bytesToIdentifyConnection() {
        return http2.bytesToIdentifyConnection();
    }

    @Override
    public Support supports(BufferData data) {
        return http2.supports(data);
    }

    @Override
    public Set<String> supportedApplicationProtocols() {
        return http2.supportedApplicationProtocols();
    }

    @Override
    public ServerConnection connection(ConnectionContext context) {
        OpenStreams streams = new OpenStreams();
        FrameFilter filter = new FrameFilter(context.dataReader(), streams);
        ConnectionContext filtered = new FilteredContext(context, filter.reader());
        connections.put(filtered, streams);
        return new WatchedConnection(http2.connection(filtered), streams, () -> connections.remove(filtered));
    }

    @Override
    @SuppressWarnings("checkstyle:ParameterNumber") // the signature is Helidon's
    public SubProtocolResult subProtocol(
            ConnectionContext context,
            HttpPrologue prologue,
            Http2Headers headers,
            Http2StreamWriter writer,
            int streamId,
            Http2Settings serverSettings,
            Http2Settings clientSettings,
            StreamFlowControl flowControl,
            Http2StreamState state,
            Router router) {
        SubProtocolResult result = grpc.subProtocol(
                context,
                prologue,
                withoutAcceptEncoding(headers),
                writer,
                streamId,
                serverSettings,
                clientSettings,
                flowControl,
                state,
                router);
        OpenStreams streams = connections.get(context);
        if (streams == null) {
            return result;
        }
        if (!result.supported()) {
            streams.foreign(streamId);
            return result;
        }
        HelidonStream stream = new HelidonStream(result.subProtocol(), flowControl, () -> streams.closed(streamId));
        streams.bind(streamId, stream, writer);
        return new SubProtocolResult(true, stream);
    }

    /**
     * Helidon would compress every answer to a client that merely can decompress; grpc-java does so only when asked.
     */
    private static Http2Headers withoutAcceptEncoding(Http2Headers headers) {
        WritableHeaders<?> kept = WritableHeaders.create(headers.httpHeaders());
        kept.remove(ACCEPT_ENCODING);
        return Http2Headers.create(kept);
    }

    private record WatchedConnection(ServerConnection connection, OpenStreams streams, Runnable whenEnded)
            implements ServerConnection {
        @Override
        public void handle(Limit limit) throws InterruptedException {
            try {
                connection.handle(limit);
            } finally {
                whenEnded.run();
                streams.lost();
            }
        }

        @Override
        public Duration idleTime() {
            return streams.idleTime();
        }

        @Override
        public void close(boolean interrupt) {
            connection.close(interrupt);
        }
    }
}
