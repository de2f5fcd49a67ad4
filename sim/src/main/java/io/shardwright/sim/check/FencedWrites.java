package io.shardwright.sim.check;

import java.util.TreeMap;

/** S2. */
final class FencedWrites implements Invariant {

    private record Write(long epoch, String owner) {}

    private final TreeMap<String, Write> newest = new TreeMap<>();

    @Override
    public String id() {
        return "S2";
    }

    @Override
    public String statement() {
        return "fenced storage takes no write of an older epoch, and of one epoch the writes of one owner only";
    }

    @Override
    public void accepted(String shard, long epoch, String owner, World world) {
        Write last = newest.put(shard, new Write(epoch, owner));
        if (last != null && (epoch < last.epoch() || (epoch == last.epoch() && !owner.equals(last.owner())))) {
            world.violated(
                    this,
                    "storage of shard " + shard + " took a write of " + owner + " at epoch " + epoch + " after one of "
                            + last.owner() + " at epoch " + last.epoch());
        }
    }
}
