package io.shardwright.domain;

import io.shardwright.domain.Namespace.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * All shards of one namespace.
 *
 * <p>Immutable and made of immutable {@link Segment}s: a change copies the segments it touches and shares the others,
 * so a snapshot costs nothing and two tables compare segment by segment. A lookup is O(1) in a fixed namespace and
 * O(log n of a segment) in an ephemeral one.
 */
public final class ShardTable {

    /**
     * Shards of a full segment of a fixed namespace. A move rewrites one segment, so this bounds the cost of a move
     * (about 8 KiB stored); a namespace of 100,000 shards has 391 segments, which four transactions of 128 operations
     * rewrite when everything changes.
     */
    public static final int SEGMENT_SHARDS = 256;

    /** Segments of an ephemeral namespace; frozen, because the segment of a key is stored by its number. */
    public static final int EPHEMERAL_SEGMENTS = 256;

    private final Kind kind;
    private final Segment[] segments;
    private final int size;

    private ShardTable(Kind kind, Segment[] segments) {
        this.kind = kind;
        this.segments = segments;
        int total = 0;
        for (Segment segment : segments) {
            total += segment.size();
        }
        this.size = total;
    }

    /**
     * Returns the table of a new namespace: nobody owns anything.
     *
     * @param epochFloor epoch that every shard starts from: the store revision at the namespace's creation, so that a
     *     namespace that is deleted and created again continues above the epochs it had
     */
    public static ShardTable initial(Kind kind, long epochFloor) {
        return switch (kind) {
            case Kind.Fixed(int count) -> {
                Segment[] segments = new Segment[(count + SEGMENT_SHARDS - 1) / SEGMENT_SHARDS];
                for (int id = 0; id < segments.length; id++) {
                    List<Shard> shards = new ArrayList<>(SEGMENT_SHARDS);
                    for (int i = id * SEGMENT_SHARDS; i < Math.min(count, (id + 1) * SEGMENT_SHARDS); i++) {
                        shards.add(Shard.unassigned(new ShardKey(Integer.toString(i)), epochFloor));
                    }
                    segments[id] = Segment.of(id, epochFloor, shards);
                }
                yield new ShardTable(kind, segments);
            }
            case Kind.Ephemeral() -> {
                Segment[] segments = new Segment[EPHEMERAL_SEGMENTS];
                for (int id = 0; id < segments.length; id++) {
                    segments[id] = Segment.of(id, epochFloor, List.of());
                }
                yield new ShardTable(kind, segments);
            }
        };
    }

    /** Returns how the shards came into being. */
    public Kind kind() {
        return kind;
    }

    /** Returns the number of shards. */
    public int size() {
        return size;
    }

    /** Returns the number of segments. */
    public int segmentCount() {
        return segments.length;
    }

    /** Returns a segment. */
    public Segment segment(int id) {
        return segments[id];
    }

    /** Finds a shard. */
    public Optional<Shard> find(ShardKey key) {
        return switch (kind) {
            case Kind.Fixed(int count) -> {
                int number = number(key.value(), count);
                yield number < 0
                        ? Optional.empty()
                        : Optional.of(segments[number / SEGMENT_SHARDS].at(number % SEGMENT_SHARDS));
            }
            case Kind.Ephemeral() -> segments[segmentOf(key)].findSorted(key);
        };
    }

    /** Returns the segment number of a key that is, or would be, in this table. */
    public int segmentOf(ShardKey key) {
        return switch (kind) {
            case Kind.Fixed(int count) -> {
                int number = number(key.value(), count);
                if (number < 0) {
                    throw new IllegalArgumentException("no shard " + key + " in a namespace that is " + kind);
                }
                yield number / SEGMENT_SHARDS;
            }
            case Kind.Ephemeral() -> (int) Long.remainderUnsigned(hash(key), EPHEMERAL_SEGMENTS);
        };
    }

    /** Returns a shard as it would be created now: unassigned, at the epoch floor of its segment. */
    public Shard fresh(ShardKey key) {
        return Shard.unassigned(key, segments[segmentOf(key)].epochFloor());
    }

    /** Visits all shards, segment by segment. O(n). */
    public void forEach(Consumer<Shard> visitor) {
        for (Segment segment : segments) {
            for (int i = 0; i < segment.size(); i++) {
                visitor.accept(segment.at(i));
            }
        }
    }

    /** Returns the shards that an executor may run now, in table order. O(n). */
    public List<Shard> ownedBy(ExecutorId executor) {
        List<Shard> owned = new ArrayList<>();
        forEach(shard -> {
            if (shard.ownedBy(executor)) {
                owned.add(shard);
            }
        });
        return owned;
    }

    /** Returns this table with shards removed, then others added or replaced. Untouched segments are shared. */
    public ShardTable with(Collection<Shard> changed, Collection<ShardKey> removed) {
        if (changed.isEmpty() && removed.isEmpty()) {
            return this;
        }
        Segment[] copy = segments.clone();
        for (ShardKey key : removed) {
            if (kind instanceof Kind.Fixed) {
                throw new IllegalArgumentException("shard " + key + " of a fixed namespace cannot be removed");
            }
            int id = segmentOf(key);
            copy[id] = copy[id].withoutSorted(key);
        }
        for (Shard shard : changed) {
            int id = segmentOf(shard.key());
            copy[id] = switch (kind) {
                case Kind.Fixed(int count) ->
                    copy[id].withAt(number(shard.key().value(), count) % SEGMENT_SHARDS, shard);
                case Kind.Ephemeral() -> copy[id].withSorted(shard);
            };
        }
        return new ShardTable(kind, copy);
    }

    /** Returns this table with a segment replaced, as it was read from the store. */
    public ShardTable withSegment(Segment segment) {
        Segment[] copy = segments.clone();
        copy[segment.id()] = segment;
        return new ShardTable(kind, copy);
    }

    /**
     * Returns the numbers of the segments in which this table differs from another one of the same namespace; compares
     * identities first.
     */
    @SuppressWarnings("ReferenceEquality") // shared segments are the point; an equal copy only costs a second look
    public SortedSet<Integer> segmentsChangedSince(ShardTable before) {
        SortedSet<Integer> changed = new TreeSet<>();
        for (int id = 0; id < segments.length; id++) {
            if (segments[id] != before.segments[id]) {
                changed.add(id);
            }
        }
        return changed;
    }

    /** Returns the number that a canonical decimal key stands for, or -1. */
    private static int number(String key, int count) {
        int length = key.length();
        if (length > 7 || (length > 1 && key.charAt(0) == '0')) {
            return -1;
        }
        int number = 0;
        for (int i = 0; i < length; i++) {
            int digit = key.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = number * 10 + digit;
        }
        return number < count ? number : -1;
    }

    /**
     * FNV-1a, 64 bits, over the UTF-8 form, with a final mix (Stafford's mix13) because FNV's low bits are weak on
     * short keys. Frozen: stored by its result.
     */
    static long hash(ShardKey key) {
        long hash = 0xcbf29ce484222325L;
        for (byte b : key.value().getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (b & 0xff)) * 0x100000001b3L;
        }
        hash = (hash ^ (hash >>> 30)) * 0xbf58476d1ce4e5b9L;
        hash = (hash ^ (hash >>> 27)) * 0x94d049bb133111ebL;
        return hash ^ (hash >>> 31);
    }
}
