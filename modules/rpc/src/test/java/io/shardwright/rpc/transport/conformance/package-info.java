/**
 * What every transport must do: one line per promise, checked on real sockets with the grpc-netty client.
 *
 * <p>Start reading at {@link io.shardwright.rpc.transport.conformance.TransportConformanceTest}. Lines that a transport
 * is known to break are in {@code known-red.txt}; the results are written to {@code docs/transports.md}.
 */
@NullMarked
package io.shardwright.rpc.transport.conformance;

import org.jspecify.annotations.NullMarked;
