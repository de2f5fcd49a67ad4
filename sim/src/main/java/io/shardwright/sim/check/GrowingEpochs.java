package io.shardwright.sim.check;

import java.util.TreeMap;

/** S3. Remembers the last owner also while nobody owns the shard. */
final class GrowingEpochs implements Invariant {

    private record Last(long epoch, String owner) {}

    private final TreeMap<String, Last> last = new TreeMap<>();

    @Override
    public String id() {
        return "S3";
    }

    @Override
    public String statement() {
        return "the epoch of a shard never falls, and grows with each change of its owner";
    }

    @Override
    public void stored(Stored change, World world) {
        if (!(change instanceof Stored.ShardChanged shard) || shard.after().isEmpty()) {
            return;
        }
        String name = shard.namespace() + "/" + shard.key();
        Stored.Ownership now = shard.after().get();
        Last before = last.getOrDefault(name, new Last(0, ""));
        boolean otherOwner = !now.owner().isEmpty()
                && !before.owner().isEmpty()
                && !now.owner().equals(before.owner());
        if (now.epoch() < before.epoch() || (otherOwner && now.epoch() == before.epoch())) {
            world.violated(
                    this,
                    "shard " + name + " went from " + before.owner() + " at epoch " + before.epoch() + " to "
                            + now.owner() + " at epoch " + now.epoch() + " in revision " + shard.revision());
        }
        last.put(name, new Last(now.epoch(), now.owner().isEmpty() ? before.owner() : now.owner()));
    }
}
