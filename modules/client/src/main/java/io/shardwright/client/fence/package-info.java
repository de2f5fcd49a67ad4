/**
 * Fenced writers: the check in the storage that refuses a write of a former owner.
 *
 * <p>A lease cannot protect a write from a process that is paused between check and write, nor from a clock that lies.
 * So each write carries the epoch, and the storage compares it with the newest one it has seen, in the same transaction
 * as the write. The owner is recorded with the epoch: the same epoch in the hand of another process is refused as well.
 *
 * <p>Start reading at {@link io.shardwright.client.fence.JdbcFence}. The drivers (JDBC, jetcd) are the application's
 * choice and are optional dependencies.
 */
@NullMarked
package io.shardwright.client.fence;

import org.jspecify.annotations.NullMarked;
