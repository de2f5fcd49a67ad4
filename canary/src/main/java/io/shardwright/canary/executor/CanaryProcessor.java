package io.shardwright.canary.executor;

import io.shardwright.client.ShardContext;
import io.shardwright.client.ShardProcessor;
import io.shardwright.client.lease.ShardStop;
import java.time.Duration;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** A shard that answers pings. */
final class CanaryProcessor implements ShardProcessor {

    private final double load;
    private final Duration startTime;
    private final Writes writes;
    private volatile @Nullable ShardContext running;

    CanaryProcessor(double load, Duration startTime, Writes writes) {
        this.load = load;
        this.startTime = startTime;
        this.writes = writes;
    }

    @Override
    public void start(ShardContext shard) throws Exception {
        Thread.sleep(startTime);
        writes.begin(shard);
        running = shard;
    }

    @Override
    public void stop(ShardStop reason) {
        ShardContext shard = running;
        running = null;
        if (shard != null) {
            writes.end(shard);
        }
    }

    @Override
    public OptionalDouble load() {
        return OptionalDouble.of(load);
    }

    /** Returns the epoch at which the shard runs here; 0 when it does not. */
    long ping() {
        ShardContext shard = running;
        return shard != null && shard.isOwned() ? shard.epoch() : 0;
    }
}
