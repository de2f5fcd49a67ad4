package io.shardwright.rpc.transport;

import io.grpc.Context;

/** Who is at the other end of the connection that a call came in on. Immutable. */
public sealed interface Peer {

    /** Carries the peer of the current call; set for every service and interceptor behind a {@link GrpcEndpoint}. */
    Context.Key<Peer> KEY = Context.key("shardwright-peer");

    /** Host and port that the connection comes from, as text for people. */
    String address();

    /** A peer that showed no certificate. */
    record Anonymous(String address) implements Peer {}

    /**
     * A peer that proved its identity with a certificate.
     *
     * @param subject distinguished name of the certificate's subject (RFC 2253)
     */
    record Authenticated(String address, String subject) implements Peer {}

    /** The peer of the call that runs on this thread; anonymous with address {@code none} outside of a call. */
    static Peer current() {
        Peer peer = KEY.get();
        return peer == null ? new Anonymous("none") : peer;
    }
}
