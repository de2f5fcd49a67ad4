package io.shardwright.persistence.differential;

import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.KeyValue;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What the sequence has come to: turns a {@link Rev} into an offset from the revision at the start of the sequence, the
 * same for both stores.
 *
 * @param newest offset of the newest revision
 * @param compacted offset of the compaction point
 * @param keys what exists, with revisions as offsets
 */
record Situation(long newest, long compacted, Map<Bytes, KeyValue> keys) {

    /** Both stores have so many revisions before the sequence, all of them compacted. */
    static final long BEFORE_START = 2;

    /** Returns the offset; empty: no revision. */
    OptionalLong offset(Rev revision) {
        return switch (revision.anchor()) {
            case NONE -> OptionalLong.empty();
            case NEWEST -> at(newest, revision);
            case COMPACTED -> at(compacted, revision);
            case WRITTEN -> {
                KeyValue kv = keys.get(revision.key());
                yield kv == null ? OptionalLong.empty() : at(kv.modRevision(), revision);
            }
            case CREATED -> {
                KeyValue kv = keys.get(revision.key());
                yield kv == null ? OptionalLong.empty() : at(kv.createRevision(), revision);
            }
        };
    }

    private static OptionalLong at(long offset, Rev revision) {
        return OptionalLong.of(Math.max(-BEFORE_START, offset + revision.delta()));
    }

    /** Returns a revision as people read it: its offset, and what it was drawn as. */
    String show(Rev revision) {
        OptionalLong offset = offset(revision);
        return offset.isEmpty() ? "0" : "%+d".formatted(offset.getAsLong());
    }
}
