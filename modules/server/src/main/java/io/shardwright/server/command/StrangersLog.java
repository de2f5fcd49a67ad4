package io.shardwright.server.command;

import java.util.logging.Filter;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;

/**
 * Says in one line what somebody did who connected to the gRPC port and spoke something else. grpc-java logs the stack
 * of its parser instead, for every such connection.
 */
final class StrangersLog implements Filter {

    /** The name under which grpc-java logs it. */
    static final String LOGGER = "io.grpc.netty.NettyServerTransport.connections";

    private static final String PREFACE = "client preface string missing or corrupt";
    private static final String TLS_HANDSHAKE = "received bytes: 1603";
    private static final String HTTP_1 = "Unexpected HTTP/1.x request";

    @Override
    public boolean isLoggable(LogRecord line) {
        @Nullable Throwable thrown = line.getThrown();
        String what = thrown == null || thrown.getMessage() == null ? "" : thrown.getMessage();
        if (what.contains(HTTP_1)) {
            rewrite(line, "a client spoke HTTP/1 to the gRPC port; dashboard, health and metrics are on http.port");
        } else if (what.contains(PREFACE) && what.contains(TLS_HANDSHAKE)) {
            rewrite(
                    line,
                    "a client spoke TLS to the gRPC port, which is plain; set grpc.tls here, or take TLS off there");
        } else if (what.contains(PREFACE)) {
            rewrite(line, "a client spoke something else than gRPC to the gRPC port");
        }
        return true;
    }

    private static void rewrite(LogRecord line, String message) {
        line.setMessage(message);
        line.setThrown(null);
    }
}
