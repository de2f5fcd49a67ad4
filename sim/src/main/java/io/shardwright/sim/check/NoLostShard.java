package io.shardwright.sim.check;

/** S5, for a fixed namespace. */
final class NoLostShard implements Invariant {

    private final String namespace;
    private final int shards;

    NoLostShard(String namespace, int shards) {
        this.namespace = namespace;
        this.shards = shards;
    }

    @Override
    public String id() {
        return "S5";
    }

    @Override
    public String statement() {
        return "each shard of a fixed namespace is stored exactly once";
    }

    @Override
    public void stored(Stored change, World world) {
        if (change instanceof Stored.SegmentWritten written
                && written.namespace().equals(namespace)) {
            int belong = Math.min(Ledger.SEGMENT_SHARDS, shards - written.segment() * Ledger.SEGMENT_SHARDS);
            if (written.shards() != belong) {
                world.violated(
                        this,
                        "segment " + written.segment() + " was stored with " + written.shards() + " shards where "
                                + belong + " belong, in revision " + written.revision());
            }
        }
    }
}
