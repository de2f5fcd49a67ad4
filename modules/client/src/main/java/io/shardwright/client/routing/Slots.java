package io.shardwright.client.routing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * An immutable hash table of routes: an array of small buckets, of which a changed copy shares all it did not touch.
 */
final class Slots {

    /**
     * Wanted slots per bucket: few enough to compare in a row, many enough to keep the array short that every change
     * copies.
     */
    private static final int PER_BUCKET = 4;

    private static final int MIN_BUCKETS = 16;
    private static final Slot[] NO_SLOTS = {};

    /**
     * One shard.
     *
     * @param owner executor id; empty when nobody owns the shard
     * @param route what a lookup returns
     */
    record Slot(String shardKey, String owner, long epoch, Optional<Route> route) {}

    private final Slot[][] buckets;
    private final int size;

    private Slots(Slot[][] buckets, int size) {
        this.buckets = buckets;
        this.size = size;
    }

    static Slots empty() {
        return new Slots(emptyBuckets(MIN_BUCKETS), 0);
    }

    Optional<Route> find(String shardKey) {
        for (Slot slot : buckets[index(shardKey, buckets.length)]) {
            if (slot.shardKey().equals(shardKey)) {
                return slot.route();
            }
        }
        return Optional.empty();
    }

    int size() {
        return size;
    }

    void forEach(Consumer<Slot> action) {
        forEach(buckets, action);
    }

    Builder change() {
        return new Builder(buckets.clone(), size);
    }

    /** A copy that is being changed; used by one thread, built once. */
    static final class Builder {
        private Slot[][] buckets;
        private int size;

        private Builder(Slot[][] buckets, int size) {
            this.buckets = buckets;
            this.size = size;
        }

        int size() {
            return size;
        }

        void forEach(Consumer<Slot> action) {
            Slots.forEach(buckets, action);
        }

        void put(Slot slot) {
            int index = index(slot.shardKey(), buckets.length);
            Slot[] bucket = buckets[index];
            for (int i = 0; i < bucket.length; i++) {
                if (bucket[i].shardKey().equals(slot.shardKey())) {
                    Slot[] changed = bucket.clone();
                    changed[i] = slot;
                    buckets[index] = changed;
                    return;
                }
            }
            Slot[] larger = Arrays.copyOf(bucket, bucket.length + 1);
            larger[bucket.length] = slot;
            buckets[index] = larger;
            size++;
            if (size > buckets.length * PER_BUCKET) {
                grow();
            }
        }

        void remove(String shardKey) {
            int index = index(shardKey, buckets.length);
            Slot[] left = Arrays.stream(buckets[index])
                    .filter(slot -> !slot.shardKey().equals(shardKey))
                    .toArray(Slot[]::new);
            size -= buckets[index].length - left.length;
            buckets[index] = left;
        }

        private void grow() {
            List<List<Slot>> spread = new ArrayList<>(buckets.length * 2);
            for (int i = 0; i < buckets.length * 2; i++) {
                spread.add(new ArrayList<>(PER_BUCKET));
            }
            forEach(slot -> spread.get(index(slot.shardKey(), spread.size())).add(slot));
            buckets = spread.stream().map(list -> list.toArray(NO_SLOTS)).toArray(Slot[][]::new);
        }

        Slots build() {
            return new Slots(buckets, size);
        }
    }

    private static void forEach(Slot[][] buckets, Consumer<Slot> action) {
        for (Slot[] bucket : buckets) {
            for (Slot slot : bucket) {
                action.accept(slot);
            }
        }
    }

    private static Slot[][] emptyBuckets(int count) {
        Slot[][] buckets = new Slot[count][];
        Arrays.fill(buckets, NO_SLOTS);
        return buckets;
    }

    private static int index(String shardKey, int buckets) {
        int hash = shardKey.hashCode();
        return (hash ^ (hash >>> 16)) & (buckets - 1);
    }
}
