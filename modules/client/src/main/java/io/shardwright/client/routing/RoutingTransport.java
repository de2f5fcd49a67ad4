package io.shardwright.client.routing;

import io.shardwright.domain.Outcome;
import io.shardwright.proto.v1.RoutingEvent;
import io.shardwright.proto.v1.WatchRoutingRequest;
import java.util.function.Consumer;

/** Opens the stream of routing events. */
@FunctionalInterface
public interface RoutingTransport {

    /**
     * Opens a stream.
     *
     * @param onEvent called on the event loop for each message, never inside this call
     * @param onEnd called once on the event loop when the stream ended for a reason other than
     *     {@link RoutingStream#cancel()}
     */
    RoutingStream watch(WatchRoutingRequest request, Consumer<RoutingEvent> onEvent, Consumer<Outcome.Fault> onEnd);

    /** An open stream. */
    interface RoutingStream {

        /** Ends the stream; nothing is delivered afterwards. May be repeated. */
        void cancel();
    }
}
