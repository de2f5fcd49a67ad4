/**
 * The executor's side of the lease: which shards this process may run, until when, and what it has to start and stop.
 *
 * <p><b>Problem.</b> Two processes must never run one shard at the same time, although messages are lost, late or
 * twice, leaders change and clocks run at different rates.
 *
 * <p><b>Argument.</b> An answer to a request that was sent at local time {@code s} permits the shards it lists until
 * {@code s + lease * (1 - d)}. The server counts at least {@code lease} from the moment it processed that request,
 * which is later than {@code s}; so the executor stops first as long as clock rates differ by at most {@code d}. Pushes
 * tell of changes at once but never move such a moment. Readers on other threads compare a published moment with the
 * monotonic clock, so a lease ends without timer, message or lock.
 *
 * <p><b>What would break it:</b> counting from the arrival of an answer; letting a push extend; starting a shard again
 * at an epoch at which it was released; following a deposed server because its revision number is higher. Each has a
 * test named after it.
 *
 * <p>Everything here runs on one event loop and gets time, timers, randomness and calls passed in; the same classes run
 * in the simulator. Only {@link io.shardwright.client.lease.Ownership} and
 * {@link io.shardwright.client.lease.OwnershipTable} are read by other threads.
 *
 * <p>Start reading at {@link io.shardwright.client.lease.ExecutorAgent}, then
 * {@link io.shardwright.client.lease.Grants}. Not here: gRPC, threads, user code. Requirements: R78 to R92, R103, R109.
 */
@NullMarked
package io.shardwright.client.lease;

import org.jspecify.annotations.NullMarked;
