package io.shardwright.client.lease;

import io.shardwright.proto.v1.ShardEpoch;

/** A shard at one ownership generation, ordered by key, then epoch. */
record Held(String shardKey, long epoch) implements Comparable<Held> {

    static Held of(ShardEpoch shard) {
        return new Held(shard.getShardKey(), shard.getEpoch());
    }

    ShardEpoch toProto() {
        return ShardEpoch.newBuilder().setShardKey(shardKey).setEpoch(epoch).build();
    }

    @Override
    public int compareTo(Held other) {
        int byKey = shardKey.compareTo(other.shardKey);
        return byKey != 0 ? byKey : Long.compare(epoch, other.epoch);
    }
}
