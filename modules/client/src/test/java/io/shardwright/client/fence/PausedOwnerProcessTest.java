package io.shardwright.client.fence;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.BufferedReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

/** A former owner that slept through the loss of its shard cannot write when it wakes up. */
class PausedOwnerProcessTest {

    @TempDir
    Path folder;

    @Test
    @Timeout(60)
    void anOwnerPausedDuringTheMoveIsRefusedWhenItContinues() throws Exception {
        SQLiteDataSource database = new SQLiteDataSource();
        database.setUrl("jdbc:sqlite:" + folder.resolve("fence.db"));
        database.setBusyTimeout(5000);
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (v VARCHAR(20))");
        }
        Process old = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        OldOwner.class.getName(),
                        database.getUrl()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            BufferedReader answers = old.inputReader(StandardCharsets.UTF_8);
            assertEquals("open", answers.readLine());
            tell(old);
            assertEquals("written", answers.readLine());

            signal(old, "STOP");
            Path state = Path.of("/proc", Long.toString(old.pid()), "stat");
            Awaitility.await().until(() -> Files.readString(state).contains(") T "));
            // The order to write is already on its way when the process is paused.
            tell(old);
            JdbcFence next = JdbcFence.create(database, "orders", "e2/new");
            next.open("7", 2);
            signal(old, "CONT");

            assertEquals("refused", answers.readLine());
            try (Connection connection = database.getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM t")) {
                assertEquals(1, rows.getInt(1), "only the write from before the move");
            }
        } finally {
            old.destroyForcibly().waitFor();
        }
    }

    private static void tell(Process process) throws Exception {
        OutputStream commands = process.getOutputStream();
        commands.write('\n');
        commands.flush();
    }

    private static void signal(Process process, String name) throws Exception {
        int exit = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        assertEquals(0, exit, "kill -" + name);
    }
}
