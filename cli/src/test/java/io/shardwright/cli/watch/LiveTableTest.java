package io.shardwright.cli.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.cli.output.Terminal;
import io.shardwright.proto.v1.ExecutorInfo;
import io.shardwright.proto.v1.RoutingEvent;
import io.shardwright.proto.v1.RoutingSnapshot;
import io.shardwright.proto.v1.ShardRoute;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

final class LiveTableTest {
    private final StringWriter screen = new StringWriter();
    private final LiveTable view = new LiveTable(
            new PrintWriter(screen),
            "orders",
            new Terminal(24, 60),
            InstantSource.fixed(Instant.parse("2026-01-02T03:04:05Z")));
    private final RoutingTable table = new RoutingTable();

    @Test
    void theScreenShowsExecutorsWithTheirShardCountsAndTheLatestChanges() throws RoutingTable.GapException {
        view.changed(table, table.apply(snapshot(1)));
        assertEquals("""
                namespace orders  revision 10  1 executors, 2 shards, 1 wi…
                stream: live  (Ctrl-C ends)

                EXECUTOR  ADDRESS   HOST  SHARDS
                w-0       host:700  -          1

                2026-01-02T03:04:05Z  1 executors, 2 shards, 1 without an …
                """, plain());
    }

    @Test
    void aScreenNeverGrowsBeyondTheTerminal() throws RoutingTable.GapException {
        view.changed(table, table.apply(snapshot(100)));
        assertTrue(plain().lines().count() <= 23, plain());
        assertTrue(plain().contains("... and 92 more"), plain());
    }

    @Test
    void anInterruptionIsShownWithTheNextTick() throws RoutingTable.GapException {
        view.changed(table, table.apply(snapshot(1)));
        view.interrupted("the stream broke");
        view.tick(table);
        assertTrue(plain().contains("stream: the stream broke"), plain());
    }

    private static RoutingEvent snapshot(int executors) {
        RoutingSnapshot.Builder snapshot =
                RoutingSnapshot.newBuilder().setFirst(true).setLast(true);
        for (int i = 0; i < executors; i++) {
            snapshot.addExecutors(
                    ExecutorInfo.newBuilder().setExecutorId("w-" + i).setAddress("host:700"));
        }
        snapshot.addShards(
                ShardRoute.newBuilder().setShardKey("0").setOwner("w-0").setEpoch(1));
        snapshot.addShards(ShardRoute.newBuilder().setShardKey("1"));
        return RoutingEvent.newBuilder()
                .setIncarnation("s1")
                .setRevision(10)
                .setSnapshot(snapshot)
                .build();
    }

    private String plain() {
        return screen.toString().replaceAll("\u001b\\[[0-9]*[A-Za-z]", "").replace("\r", "");
    }
}
