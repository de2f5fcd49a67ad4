/**
 * Where gRPC meets the network: one {@link io.shardwright.rpc.transport.GrpcEndpoint} interface and what every
 * transport does alike.
 *
 * <p>Here: the settings of an endpoint, the choice of a transport, and the interceptors that both share (errors become
 * statuses, the peer is named). Not here: any service, and any HTTP. The transports live in sub-packages named after
 * their technology; which one is the default, and why, is in {@code docs/transports.md}.
 *
 * <p>Start reading at {@link io.shardwright.rpc.transport.GrpcEndpoint}.
 */
@NullMarked
package io.shardwright.rpc.transport;

import org.jspecify.annotations.NullMarked;
