package io.shardwright.client.fence;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * Fences writes to a database: SQLite, PostgreSQL, or another one that knows {@code INSERT ... ON CONFLICT DO UPDATE
 * ... WHERE}.
 *
 * <p>The newest epoch and its owner are kept in the table {@code shardwright_fence}. One statement compares and raises
 * it; it is the first of the transaction and locks the row (SQLite: the database) until the end, so no newer owner can
 * come between the check and the write.
 *
 * <p>Thread-safe if the data source is. Each call takes one connection and gives it back.
 */
public final class JdbcFence {

    private static final String CREATE = "CREATE TABLE IF NOT EXISTS shardwright_fence ("
            + "namespace VARCHAR(63) NOT NULL, shard_key VARCHAR(256) NOT NULL, "
            + "epoch BIGINT NOT NULL, owner VARCHAR(256) NOT NULL, PRIMARY KEY (namespace, shard_key))";

    // Passes a newer epoch, and the same epoch of the same owner; changes no row otherwise.
    private static final String PASS =
            "INSERT INTO shardwright_fence (namespace, shard_key, epoch, owner) VALUES (?, ?, ?, ?) "
                    + "ON CONFLICT (namespace, shard_key) DO UPDATE SET epoch = excluded.epoch, owner = excluded.owner "
                    + "WHERE shardwright_fence.epoch < excluded.epoch "
                    + "OR (shardwright_fence.epoch = excluded.epoch AND shardwright_fence.owner = excluded.owner)";

    private final DataSource database;
    private final String namespace;
    private final String owner;

    private JdbcFence(DataSource database, String namespace, String owner) {
        this.database = database;
        this.namespace = namespace;
        this.owner = owner;
    }

    /**
     * Makes a fence and its table, if it is missing.
     *
     * @param owner what tells this process from every other one that ever had the shard, as
     *     {@code ShardContext.owner()} gives it
     */
    public static JdbcFence create(DataSource database, String namespace, String owner) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(CREATE);
        }
        return new JdbcFence(database, namespace, owner);
    }

    /**
     * Raises the recorded epoch to ours, so that every former owner is refused from now on. Call it when a shard
     * starts, before its state is read.
     *
     * @throws StaleEpochException when a newer owner is recorded
     */
    public void open(String shardKey, long epoch) throws SQLException {
        write(shardKey, epoch, connection -> {});
    }

    /**
     * Writes if no newer owner is recorded; the check and the write are one transaction.
     *
     * @throws StaleEpochException when a newer owner is recorded; nothing was written
     */
    public void write(String shardKey, long epoch, SqlWork work) throws SQLException {
        if (epoch < 1) {
            throw new IllegalArgumentException(
                    "epoch: " + epoch + " must be at least 1; use the epoch of the assignment");
        }
        try (Connection connection = database.getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(false);
            boolean committed = false;
            try {
                pass(connection, shardKey, epoch);
                work.run(connection);
                connection.commit();
                committed = true;
            } finally {
                if (!committed) {
                    connection.rollback();
                }
                connection.setAutoCommit(autoCommit);
            }
        }
    }

    private void pass(Connection connection, String shardKey, long epoch) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(PASS)) {
            statement.setString(1, namespace);
            statement.setString(2, shardKey);
            statement.setLong(3, epoch);
            statement.setString(4, owner);
            if (statement.executeUpdate() != 1) {
                throw new StaleEpochException(shardKey, epoch, owner);
            }
        }
    }
}
