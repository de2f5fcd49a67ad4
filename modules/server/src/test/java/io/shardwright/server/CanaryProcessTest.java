package io.shardwright.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The canary against a real server, with executors that are killed. */
final class CanaryProcessTest {

    @TempDir
    Path directory;

    @Test
    void killedExecutorsLeaveNoShardWithTwoOwnersAndNoneWithoutOneForLong() throws Exception {
        try (ServerProcess server =
                ServerProcess.startOnFreePorts(directory, "--store", "sqlite:" + directory.resolve("state.db"))) {
            String target = server.connect().authority();
            try (CommandProcess canary = CommandProcess.start(
                    directory,
                    directory,
                    "canary",
                    "--target",
                    target,
                    "--lease",
                    "2s",
                    "--for",
                    "30s",
                    "--kill-every",
                    "6s",
                    // The shards of the first victim would be over this limit at the end, had they not moved.
                    "--allow-unowned",
                    "20s",
                    "--fence",
                    "jdbc:sqlite:" + directory.resolve("fence.db"),
                    "--output",
                    "json")) {
                assertEquals(0, canary.exitCode(), canary::log);
                String summary = canary.out();
                assertEquals(0, number(summary, "double_owners"));
                assertEquals(0, number(summary, "epoch_falls"));
                assertTrue(number(summary, "executors_killed") >= 3, summary);
                assertTrue(number(summary, "moves") > 0, summary);
                assertTrue(number(summary, "ok") > number(summary, "pings") / 3, summary);
                assertTrue(number(summary, "ephemeral_created") > 0, summary);
                assertTrue(canary.started() >= 3, canary::log);
                assertEquals(32, shardsWithFencedWrites(), canary::log);
                assertEquals(0, canary.left().size(), "executors were left behind");
            }
        }
    }

    private int shardsWithFencedWrites() throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("fence.db"));
                Statement statement = connection.createStatement();
                ResultSet count = statement.executeQuery(
                        "SELECT count(DISTINCT shard_key) FROM canary_writes WHERE namespace = 'canary-fixed'")) {
            count.next();
            return count.getInt(1);
        }
    }

    private static long number(String json, String field) {
        Matcher matcher = Pattern.compile("\"" + field + "\":([0-9]+)").matcher(json);
        assertTrue(matcher.find(), field + " is missing in " + json);
        return Long.parseLong(matcher.group(1));
    }
}
