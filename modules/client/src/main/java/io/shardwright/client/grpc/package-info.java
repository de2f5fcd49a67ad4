/**
 * The gRPC connection that both clients share: which server is asked, how redirects are followed, how dead peers are
 * noticed, how errors are read.
 *
 * <p>Rules (R96, R106 to R118, R121 to R124): a call that a standby refuses with {@code NotLeader} goes to the named
 * leader at once, over a connection of its own that is kept until a call on it fails; then the configured address is
 * asked again. The connection to the configured address stays open all the time. Every call of the Shardwright API may
 * be sent again, whether or not it ran before (registrations name their process, renewals carry a sequence, releases
 * name an epoch), so {@code UNAVAILABLE} without {@code RefusedBeforeRunning} is repeated like one with it.
 *
 * <p>Start reading at {@link io.shardwright.client.grpc.Connection}. Not here: leases and routing tables. One
 * connection is used on one event loop.
 */
@NullMarked
package io.shardwright.client.grpc;

import org.jspecify.annotations.NullMarked;
