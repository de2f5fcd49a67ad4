package io.shardwright.sim.network;

/** Hears of every message of a simulated network. */
public interface Wire {

    /**
     * One message of a call.
     *
     * @param from name of the sender
     * @param to name of the receiver
     * @param method full gRPC method name
     * @param content the message, or the {@link io.grpc.Status} that ends the call
     * @param answer it goes from server to client
     */
    record Packet(String from, String to, String method, Object content, boolean answer) {}

    /** A message was handed to the network. */
    void sent(Packet packet);

    /** A message reached its receiver. */
    void delivered(Packet packet);

    /** A fault had an effect. */
    void counted(String fact);

    /** A message will never reach its receiver. */
    void lost(Packet packet);
}
