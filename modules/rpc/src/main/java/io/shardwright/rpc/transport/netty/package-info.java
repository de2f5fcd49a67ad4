/**
 * The gRPC endpoint on grpc-netty: event loops for the sockets, one virtual thread per call for the services.
 *
 * <p>Not here: anything that the other transport does too; that is in the package above. Start reading at
 * {@link io.shardwright.rpc.transport.netty.NettyGrpcEndpoint}.
 */
@NullMarked
package io.shardwright.rpc.transport.netty;

import org.jspecify.annotations.NullMarked;
