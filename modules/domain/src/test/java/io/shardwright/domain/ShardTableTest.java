package io.shardwright.domain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.domain.Namespace.Kind;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShardTableTest {

    private static final ExecutorId A = new ExecutorId("a");

    @Test
    void aFixedTableHasExactlyTheShardsFromZeroUp() {
        ShardTable table = ShardTable.initial(new Kind.Fixed(600), 7);
        assertEquals(600, table.size());
        assertEquals(3, table.segmentCount());
        assertEquals(Optional.of(Shard.unassigned(new ShardKey("599"), 7)), table.find(new ShardKey("599")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"600", "-1", "01", "+1", "1.0", "one", "99999999999", " 1", "١"})
    void aKeyThatIsNotACanonicalNumberInRangeIsUnknownInAFixedTable(String key) {
        assertEquals(
                Optional.empty(), ShardTable.initial(new Kind.Fixed(600), 0).find(new ShardKey(key)));
    }

    @Test
    void aChangeCopiesOnlyTheSegmentsItTouches() {
        ShardTable before = ShardTable.initial(new Kind.Fixed(600), 0);
        Shard moved = before.find(new ShardKey("300")).orElseThrow().assignTo(A);
        ShardTable after = before.with(List.of(moved), List.of());
        assertSame(before.segment(0), after.segment(0));
        assertSame(before.segment(2), after.segment(2));
        assertEquals(new TreeSet<>(List.of(1)), after.segmentsChangedSince(before));
        assertEquals(Optional.of(moved), after.find(new ShardKey("300")));
        assertTrue(before.find(new ShardKey("300")).orElseThrow().owner().isEmpty(), "the older snapshot is unchanged");
    }

    @Test
    void anEphemeralShardThatIsForgottenAndCreatedAgainContinuesAboveItsEpoch() {
        ShardKey key = new ShardKey("user-17");
        ShardTable empty = ShardTable.initial(new Kind.Ephemeral(), 3);
        Shard first = empty.fresh(key).assignTo(A).assignTo(A).assignTo(A);
        assertEquals(6, first.epoch());
        ShardTable forgotten = empty.with(List.of(first), List.of()).with(List.of(), List.of(key));
        assertEquals(Optional.empty(), forgotten.find(key));
        assertEquals(7, forgotten.fresh(key).assignTo(A).epoch());
    }

    @Test
    void ephemeralShardsAreFoundAmongManyInTheirSegments() {
        ShardTable table = ShardTable.initial(new Kind.Ephemeral(), 0);
        for (int i = 0; i < 2000; i++) {
            table = table.with(List.of(Shard.unassigned(new ShardKey("k" + i), i)), List.of());
        }
        assertEquals(2000, table.size());
        for (int i = 0; i < 2000; i++) {
            assertEquals(i, table.find(new ShardKey("k" + i)).orElseThrow().epoch());
        }
    }

    /** The segment of a key is stored by its number, so the hash may never change. */
    @Test
    void theHashOfKeysIsFrozen() {
        assertEquals(
                0x02c0bdbf481420f8L,
                ShardTable.hash(new ShardKey("a")),
                () -> Long.toHexString(ShardTable.hash(new ShardKey("a"))));
    }
}
