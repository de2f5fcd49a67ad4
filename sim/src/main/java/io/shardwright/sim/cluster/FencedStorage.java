package io.shardwright.sim.cluster;

import io.shardwright.client.lease.Ownership;
import io.shardwright.sim.network.Order;
import java.util.TreeMap;

/** Where the applications write: it records epoch and owner of each shard and takes writes as the fence rule says. */
final class FencedStorage {

    private static final String NAME = "storage";

    private final Simulation sim;
    private final TreeMap<String, Fence> fences = new TreeMap<>();

    private record Fence(long epoch, String owner) {}

    FencedStorage(Simulation sim) {
        this.sim = sim;
    }

    /** Raises the recorded epoch, if the fence takes it. */
    void open(Application from, Ownership shard) {
        send(from, shard, false);
    }

    /** Writes, if the fence takes it. */
    void write(Application from, Ownership shard) {
        send(from, shard, true);
    }

    private void send(Application from, Ownership shard, boolean write) {
        sim.network().send(from.machine(), NAME, new Order(), () -> {
            Fence recorded = fences.getOrDefault(shard.shardKey(), new Fence(0, ""));
            if (sim.wiring().fenceTakes(recorded.epoch(), recorded.owner(), shard.epoch(), from.owner())) {
                fences.put(shard.shardKey(), new Fence(shard.epoch(), from.owner()));
                if (write) {
                    sim.trace()
                            .wroteToStorage(sim.kernel().now(), from.machine(), shard.shardKey(), shard.epoch(), true);
                    sim.accepted(shard.shardKey(), shard.epoch(), from.owner());
                }
            } else {
                sim.trace().wroteToStorage(sim.kernel().now(), from.machine(), shard.shardKey(), shard.epoch(), false);
                sim.facts().count("storage refused a write of an older epoch");
            }
        });
    }
}
