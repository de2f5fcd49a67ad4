package io.shardwright.sim.check;

import io.shardwright.control.stored.v1.StoredExecutor;
import java.util.Optional;

/** One stored change, decoded. */
public sealed interface Stored {

    /** Returns the revision that stored it. */
    long revision();

    /** A shard changed. {@code before} is empty when it was never stored, {@code after} when it is gone. */
    record ShardChanged(
            long revision, String namespace, String key, Optional<Ownership> before, Optional<Ownership> after)
            implements Stored {}

    /** A segment was written with this many shards in it. */
    record SegmentWritten(long revision, String namespace, int segment, int shards) implements Stored {}

    /** An executor's record changed. */
    record ExecutorChanged(
            long revision, String namespace, String id, Optional<StoredExecutor> before, Optional<StoredExecutor> after)
            implements Stored {}

    /** Something was drained, or taken back. */
    record DrainChanged(long revision, DrainTarget target, boolean drained) implements Stored {}

    /** An election key was written, or is gone: then its entry is empty. */
    record ElectionChanged(long revision, String key, String entry) implements Stored {}

    /** Who has a shard as it is stored; empty owner: nobody. */
    record Ownership(long epoch, String owner, boolean releasing, String next) {}
}
