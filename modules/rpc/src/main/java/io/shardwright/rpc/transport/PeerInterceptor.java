package io.shardwright.rpc.transport;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.util.function.Function;

/** Puts the {@link Peer} of each call into its context. */
public final class PeerInterceptor implements ServerInterceptor {
    private final Function<ServerCall<?, ?>, Peer> peers;

    /** @param peers how the transport at hand knows the other end of a call's connection */
    public PeerInterceptor(Function<ServerCall<?, ?>, Peer> peers) {
        this.peers = peers;
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        Context context = Context.current().withValue(Peer.KEY, peers.apply(call));
        return Contexts.interceptCall(context, call, headers, next);
    }
}
