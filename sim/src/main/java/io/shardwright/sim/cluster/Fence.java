package io.shardwright.sim.cluster;

import io.etcd.jetcd.op.Op;
import io.shardwright.client.fence.EtcdFence;
import java.util.concurrent.CompletableFuture;

/** What an application uses of {@link EtcdFence}; a mutant uses something else. */
public interface Fence {

    /** Raises the recorded epoch. */
    CompletableFuture<?> open(String shard, long epoch);

    /** Writes, if the fence takes it. */
    CompletableFuture<?> write(String shard, long epoch, Op write);

    /** Returns the product's own. */
    static Fence of(EtcdFence real) {
        return new Fence() {
            @Override
            public CompletableFuture<?> open(String shard, long epoch) {
                return real.open(shard, epoch);
            }

            @Override
            public CompletableFuture<?> write(String shard, long epoch, Op write) {
                return real.write(shard, epoch, write);
            }
        };
    }
}
