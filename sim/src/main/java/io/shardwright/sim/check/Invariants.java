package io.shardwright.sim.check;

import io.shardwright.client.lease.LeaseSettings;
import java.util.List;

/** All invariants. */
public final class Invariants {

    private Invariants() {}

    /** Returns fresh ones for a run with one fixed namespace. */
    public static List<Invariant> of(String namespace, int shards) {
        return List.of(
                new OneOwner(),
                new FencedWrites(),
                new GrowingEpochs(),
                new ToldIsStored(namespace),
                new NoLostShard(namespace, shards),
                new Acknowledged(namespace, LeaseSettings.DEFAULT_CLOCK_TOLERANCE),
                new OneLeader(),
                new DeliveryOrder(),
                new TrueAge(),
                new NoStorm(),
                new QuietLoops());
    }
}
