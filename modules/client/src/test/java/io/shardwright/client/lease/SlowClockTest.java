package io.shardwright.client.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.client.fence.JdbcFence;
import io.shardwright.client.fence.StaleEpochException;
import io.shardwright.testkit.VirtualTime;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

/**
 * A clock that is wrong by more than the leases allow for: the leases overlap, and the fence is what keeps one writer.
 */
class SlowClockTest {

    private static final Duration LEASE = Duration.ofSeconds(15);

    private final VirtualTime time = new VirtualTime();
    private final FakeManager manager = new FakeManager(time, LEASE);
    private final FakeNetwork.Calm slowUp = new FakeNetwork.Calm();
    private final FakeNetwork.Calm slowDown = new FakeNetwork.Calm();

    @TempDir
    Path folder;

    private TestExecutor executor(String id, double rate, FakeNetwork.Calm up, FakeNetwork.Calm down) {
        TestExecutor.Skewed clock = new TestExecutor.Skewed(time, time, rate);
        TestExecutor executor =
                new TestExecutor(id, clock, clock, new FakeNetwork(time, manager, up, down), Duration.ZERO, 1);
        executor.agent.start();
        time.advance(Duration.ofMillis(10));
        return executor;
    }

    private JdbcFence fence(String owner) throws SQLException {
        SQLiteDataSource database = new SQLiteDataSource();
        database.setUrl("jdbc:sqlite:" + folder.resolve("fence.db"));
        return JdbcFence.create(database, "orders", owner);
    }

    /** Cuts the slow executor off and lets the manager give its shard to the other one. */
    private void failOver() {
        slowUp.cut = true;
        slowDown.cut = true;
        long step = 0;
        while (!manager.owner("7").equals(Optional.of("other"))) {
            time.advance(Duration.ofMillis(10));
            manager.expire();
            if (!manager.owner("7").equals(Optional.of("slow"))) {
                manager.give("7", "other");
            }
            if (++step > 3000) {
                throw new AssertionError("the shard did not move within 30 s; owner " + manager.owner("7"));
            }
        }
        time.advance(Duration.ofMillis(10));
    }

    @Test
    @Tag("R162")
    void aClockFivePercentSlowOverlapsTheNextLeaseAndTheFenceRefusesItsWrite() throws SQLException {
        TestExecutor slow = executor("slow", 0.95, slowUp, slowDown);
        TestExecutor other = executor("other", 1, new FakeNetwork.Calm(), new FakeNetwork.Calm());
        manager.give("7", "slow");
        time.advance(Duration.ofMillis(100));
        long before = manager.epoch("7");
        JdbcFence slowFence = fence("slow/p");
        slowFence.open("7", before);

        failOver();

        long after = manager.epoch("7");
        assertTrue(slow.owns("7", before) && other.owns("7", after), "outside the drift bound the leases overlap");
        fence("other/p").open("7", after);
        assertThrows(StaleEpochException.class, () -> slowFence.write("7", before, connection -> {}));
    }

    @Test
    @Tag("R91")
    void aClockWithinTheBoundIsOverBeforeTheNextLeaseBegins() {
        TestExecutor slow = executor("slow", 0.99, slowUp, slowDown);
        TestExecutor other = executor("other", 1, new FakeNetwork.Calm(), new FakeNetwork.Calm());
        manager.give("7", "slow");
        time.advance(Duration.ofMillis(100));
        long before = manager.epoch("7");

        failOver();

        assertFalse(slow.owns("7", before));
        assertTrue(other.owns("7", manager.epoch("7")));
        assertEquals(Optional.of("other"), manager.owner("7"));
    }
}
