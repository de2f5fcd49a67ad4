package io.shardwright.client.grpc;

import io.shardwright.client.routing.RoutingTransport;
import io.shardwright.domain.Outcome;
import io.shardwright.proto.v1.RoutingEvent;
import io.shardwright.proto.v1.SpectatorServiceGrpc;
import io.shardwright.proto.v1.WatchRoutingRequest;
import java.util.function.Consumer;

/** The routing stream over gRPC; any replica may serve it, so the leader is spared. */
public final class GrpcRouting implements RoutingTransport {

    private final Connection connection;

    public GrpcRouting(Connection connection) {
        this.connection = connection;
    }

    @Override
    public RoutingStream watch(
            WatchRoutingRequest request, Consumer<RoutingEvent> onEvent, Consumer<Outcome.Fault> onEnd) {
        Connection.Open stream = connection.stream(
                SpectatorServiceGrpc.getWatchRoutingMethod(),
                request,
                Connection.Via.ANY,
                onEvent,
                error -> onEnd.accept(error.fault()));
        return stream::cancel;
    }
}
