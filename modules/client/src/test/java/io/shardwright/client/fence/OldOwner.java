package io.shardwright.client.fence;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.sql.Statement;
import org.sqlite.SQLiteDataSource;

/** A process that owns shard 7 at epoch 1 and writes a line whenever it is told to, until its fence refuses. */
final class OldOwner {

    private OldOwner() {}

    public static void main(String[] args) throws Exception {
        SQLiteDataSource database = new SQLiteDataSource();
        database.setUrl(args[0]);
        database.setBusyTimeout(5000);
        JdbcFence fence = JdbcFence.create(database, "orders", "e1/old");
        fence.open("7", 1);
        System.out.println("open");
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        while (commands.readLine() != null) {
            try {
                fence.write("7", 1, connection -> {
                    try (Statement statement = connection.createStatement()) {
                        statement.execute("INSERT INTO t VALUES ('old')");
                    }
                });
                System.out.println("written");
            } catch (StaleEpochException e) {
                System.out.println("refused");
            }
        }
    }
}
