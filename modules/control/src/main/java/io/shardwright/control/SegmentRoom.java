package io.shardwright.control;

import io.shardwright.domain.ExecutorId;
import io.shardwright.domain.Segment;
import io.shardwright.domain.Shard;
import io.shardwright.domain.ShardKey;
import io.shardwright.domain.ShardTable;
import java.nio.charset.StandardCharsets;
import java.util.TreeMap;

/**
 * Tells whether a segment of an ephemeral namespace has room for one more shard, so that it can always be stored in one
 * request.
 *
 * <p>Counts each shard at its most: with two executors (owner and next owner) that no other shard of the segment names,
 * whose ids are as long as ids get, and with numbers as long as they get. So a segment that had room for its shards
 * still can be stored after any move of them: only new shards are ever refused.
 */
final class SegmentRoom {

    /** Key of the entry, format, number and floor of the segment, with some to spare. */
    private static final int SEGMENT_BYTES = 512;

    /** Tags, lengths, epoch, positions and flag of a shard. */
    private static final int NUMBERS_BYTES = 24;

    /** Tag, length and id. */
    private static final int EXECUTOR_BYTES = 3 + ExecutorId.MAX_LENGTH;

    private static final int MOST_BYTES_BESIDE_KEY = NUMBERS_BYTES + 2 * EXECUTOR_BYTES;

    private final ShardTable table;
    private final int limit;
    private final TreeMap<Integer, Integer> used = new TreeMap<>();

    /**
     * Begins to count.
     *
     * @param limit bytes that one request may have
     */
    SegmentRoom(ShardTable table, int limit) {
        this.table = table;
        this.limit = limit;
    }

    /** Takes room for a new shard; false when its segment has none. O(n of the segment) at the first key of each. */
    boolean take(ShardKey key) {
        int id = table.segmentOf(key);
        int now = used.computeIfAbsent(id, unseen -> bytes(table.segment(id)));
        int then = now + bytes(key);
        if (then > limit) {
            return false;
        }
        used.put(id, then);
        return true;
    }

    private static int bytes(Segment segment) {
        int bytes = SEGMENT_BYTES;
        for (Shard shard : segment.shards()) {
            bytes += bytes(shard.key());
        }
        return bytes;
    }

    private static int bytes(ShardKey key) {
        return MOST_BYTES_BESIDE_KEY + key.value().getBytes(StandardCharsets.UTF_8).length;
    }
}
