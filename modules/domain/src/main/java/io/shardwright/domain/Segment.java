package io.shardwright.domain;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A part of a shard table that is stored under one key.
 *
 * <p>Immutable. The shards of a fixed namespace stand in the order of their numbers, those of an ephemeral one in the
 * order of their keys.
 */
public final class Segment {

    private final int id;
    private final long epochFloor;
    private final Shard[] shards;

    private Segment(int id, long epochFloor, Shard[] shards) {
        this.id = id;
        this.epochFloor = epochFloor;
        this.shards = shards;
    }

    /**
     * Returns a segment.
     *
     * @param epochFloor epoch that a shard starts from when it is created in this segment: not below the epoch of any
     *     shard that was forgotten here
     */
    public static Segment of(int id, long epochFloor, List<Shard> shards) {
        return new Segment(id, epochFloor, shards.toArray(Shard[]::new));
    }

    /** Returns its number in its table. */
    public int id() {
        return id;
    }

    /** Returns the epoch that a new shard starts from. */
    public long epochFloor() {
        return epochFloor;
    }

    /** Returns the number of its shards. */
    public int size() {
        return shards.length;
    }

    /** Returns the shard at a position. */
    public Shard at(int position) {
        return shards[position];
    }

    /** Returns its shards, in order. */
    public List<Shard> shards() {
        return List.of(shards);
    }

    /** Finds a shard by binary search over the keys; only for segments of an ephemeral namespace. O(log n). */
    Optional<Shard> findSorted(ShardKey key) {
        int position = search(key);
        return position < 0 ? Optional.empty() : Optional.of(shards[position]);
    }

    /** Returns this segment with a shard replaced. O(n). */
    Segment withAt(int position, Shard shard) {
        Shard[] copy = shards.clone();
        copy[position] = shard;
        return new Segment(id, epochFloor, copy);
    }

    /** Returns this segment with a shard added or replaced, in key order. O(n). */
    Segment withSorted(Shard shard) {
        int position = search(shard.key());
        if (position >= 0) {
            return withAt(position, shard);
        }
        int insert = -position - 1;
        Shard[] copy = new Shard[shards.length + 1];
        System.arraycopy(shards, 0, copy, 0, insert);
        copy[insert] = shard;
        System.arraycopy(shards, insert, copy, insert + 1, shards.length - insert);
        return new Segment(id, epochFloor, copy);
    }

    /** Returns this segment without a shard; its epoch stays remembered in the floor. O(n). */
    Segment withoutSorted(ShardKey key) {
        int position = search(key);
        if (position < 0) {
            return this;
        }
        Shard[] copy = new Shard[shards.length - 1];
        System.arraycopy(shards, 0, copy, 0, position);
        System.arraycopy(shards, position + 1, copy, position, copy.length - position);
        return new Segment(id, Math.max(epochFloor, shards[position].epoch()), copy);
    }

    private int search(ShardKey key) {
        int low = 0;
        int high = shards.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = shards[middle].key().compareTo(key);
            if (order < 0) {
                low = middle + 1;
            } else if (order > 0) {
                high = middle - 1;
            } else {
                return middle;
            }
        }
        return -(low + 1);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Segment s
                && id == s.id
                && epochFloor == s.epochFloor
                && Arrays.equals(shards, s.shards);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(shards);
    }

    @Override
    public String toString() {
        return "segment " + id + " with " + shards.length + " shards";
    }
}
