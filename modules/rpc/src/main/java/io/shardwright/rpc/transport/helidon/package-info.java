/**
 * The gRPC endpoint on Helidon's webserver-grpc, with what Helidon 4.5.0 gets wrong mended from the outside.
 *
 * <p>Helidon's handler reads the HTTP/2 frames and calls a service almost directly: it knows no deadlines, no contexts,
 * no error text beyond ASCII, and forgets messages that a service has not asked for yet. Four layers put that right,
 * through Helidon's public extension points only:
 *
 * <ul>
 *   <li>{@link io.shardwright.rpc.transport.helidon.HelidonConnections} wraps connections: a connection with an open
 *       call is not idle, and a lost one cancels its calls.
 *   <li>{@link io.shardwright.rpc.transport.helidon.FrameFilter} keeps late frames of ended calls from Helidon, which
 *       would end the connection for them.
 *   <li>{@link io.shardwright.rpc.transport.helidon.HelidonStream} wraps the frames of one call: every reset cancels,
 *       and a writer that waits for a reader that left is let go.
 *   <li>{@link io.shardwright.rpc.transport.helidon.HelidonCall} stands between Helidon's handler and the service:
 *       deadline, context, credit, message limit, gzip, error text.
 * </ul>
 *
 * <p>What cannot be mended from here is marked in {@code docs/transports.md}. Start reading at
 * {@link io.shardwright.rpc.transport.helidon.HelidonGrpcEndpoint}.
 */
@NullMarked
package io.shardwright.rpc.transport.helidon;

import org.jspecify.annotations.NullMarked;
