package io.shardwright.canary.check;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * How long shards were without an owner that answers: from the question that failed first to the next answer "owned".
 * Times are nanoseconds of the asking process. Not thread-safe.
 */
public final class Gaps {

    private final Map<String, Long> open = new HashMap<>();
    private final TreeMap<String, Long> longest = new TreeMap<>();

    /** A question about a shard that was asked at this time found no owner. */
    public void failed(String shard, long from) {
        open.merge(shard, from, Math::min);
    }

    /** A question about a shard was answered "owned" at this time. Returns the length of the gap that this ends. */
    public Optional<Duration> owned(String shard, long until) {
        Long from = open.remove(shard);
        if (from == null) {
            return Optional.empty();
        }
        longest.merge(shard, until - from, Math::max);
        return Optional.of(Duration.ofNanos(until - from));
    }

    /** Forgets the open gap of a shard that is gone for good. */
    public void forget(String shard) {
        open.remove(shard);
    }

    /** Returns the shards that have no owner as far as is known. */
    public Set<String> open() {
        return Set.copyOf(open.keySet());
    }

    /** Returns the longest gap of each shard that had one, gaps that still last included. */
    public Map<String, Duration> longest(long now) {
        TreeMap<String, Long> all = new TreeMap<>(longest);
        open.forEach((shard, from) -> all.merge(shard, Math.max(0, now - from), Math::max));
        TreeMap<String, Duration> result = new TreeMap<>();
        all.forEach((shard, nanos) -> result.put(shard, Duration.ofNanos(nanos)));
        return result;
    }

    /** Returns the longest gap of all; zero when there was none. */
    public Duration worst(long now) {
        return longest(now).values().stream().max(Comparator.naturalOrder()).orElse(Duration.ZERO);
    }

    /** Returns how many shards had a gap longer than this. */
    public int longerThan(Duration allowed, long now) {
        return (int) longest(now).values().stream()
                .filter(gap -> gap.compareTo(allowed) > 0)
                .count();
    }
}
