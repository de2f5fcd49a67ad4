package io.shardwright.canary.executor;

import io.shardwright.client.ShardContext;
import io.shardwright.client.fence.JdbcFence;
import io.shardwright.client.fence.StaleEpochException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Counts up a row of each shard every second, under a fence. It does not ask whether the lease still holds before it
 * writes: who was paused and comes too late has to be refused by the fence alone. Thread-safe.
 */
final class FencedWrites implements Writes {

    private static final String CREATE = "CREATE TABLE IF NOT EXISTS canary_writes ("
            + "namespace VARCHAR(63) NOT NULL, shard_key VARCHAR(256) NOT NULL, epoch BIGINT NOT NULL, "
            + "writes BIGINT NOT NULL, PRIMARY KEY (namespace, shard_key, epoch))";
    private static final String WRITE =
            "INSERT INTO canary_writes (namespace, shard_key, epoch, writes) VALUES (?, ?, ?, 1) "
                    + "ON CONFLICT (namespace, shard_key, epoch) DO UPDATE SET writes = canary_writes.writes + 1";

    private final UrlDataSource database;
    private final Consumer<String> lines;
    private final Map<String, ShardContext> shards = new ConcurrentHashMap<>();
    private final Map<String, JdbcFence> fences = new ConcurrentHashMap<>();
    private final Thread writer = new Thread(this::writeUntilClosed, "fenced-writes");

    FencedWrites(String url, Consumer<String> lines) {
        this.database = new UrlDataSource(url);
        this.lines = lines;
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(CREATE);
        } catch (SQLException e) {
            throw new IllegalArgumentException(
                    "--fence: cannot use " + url + ": " + e.getMessage()
                            + "; give a JDBC URL such as jdbc:sqlite:/tmp/fence.db",
                    e);
        }
        writer.setDaemon(true);
        writer.start();
    }

    private void writeUntilClosed() {
        try {
            while (true) {
                TimeUnit.SECONDS.sleep(1);
                writeAll();
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    /** Raises the fence of the shard first, so that its former owners are refused from then on. */
    @Override
    public void begin(ShardContext shard) throws SQLException {
        fence(shard).open(shard.shardKey(), shard.epoch());
        shards.put(shard.namespace() + "/" + shard.shardKey(), shard);
    }

    @Override
    public void end(ShardContext shard) {
        shards.remove(shard.namespace() + "/" + shard.shardKey(), shard);
    }

    private JdbcFence fence(ShardContext shard) throws SQLException {
        JdbcFence known = fences.get(shard.namespace());
        if (known == null) {
            known = JdbcFence.create(database, shard.namespace(), shard.owner());
            fences.put(shard.namespace(), known);
        }
        return known;
    }

    private void writeAll() {
        for (ShardContext shard : shards.values()) {
            try {
                fence(shard).write(shard.shardKey(), shard.epoch(), connection -> write(connection, shard));
            } catch (StaleEpochException refused) {
                lines.accept("fence-refused shard=" + shard.shardKey() + " epoch=" + shard.epoch() + " namespace="
                        + shard.namespace());
                end(shard);
            } catch (SQLException e) {
                lines.accept("fence-failed shard=" + shard.shardKey() + " message=\"" + e.getMessage() + "\"");
            }
        }
    }

    private static void write(Connection connection, ShardContext shard) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(WRITE)) {
            statement.setString(1, shard.namespace());
            statement.setString(2, shard.shardKey());
            statement.setLong(3, shard.epoch());
            statement.executeUpdate();
        }
    }

    @Override
    public void close() {
        writer.interrupt();
    }
}
