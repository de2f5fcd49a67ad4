package io.shardwright.client.fence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a fence does, whatever the database. */
abstract class JdbcFenceBehaviour {

    private DataSource database;
    JdbcFence first;
    JdbcFence second;

    /** Makes an empty database. */
    abstract DataSource newDatabase() throws Exception;

    DataSource database() {
        return database;
    }

    @BeforeEach
    void createTables() throws Exception {
        database = newDatabase();
        first = JdbcFence.create(database, "orders", "e1/p1");
        second = JdbcFence.create(database, "orders", "e2/p2");
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (v VARCHAR(20))");
        }
    }

    @Test
    void theCurrentOwnerWrites() throws SQLException {
        first.open("7", 3);
        first.write("7", 3, insert("a"));
        first.write("7", 3, insert("b"));
        assertEquals(2, rows());
    }

    @Test
    void anOlderEpochIsRefusedAndNothingIsWritten() throws SQLException {
        first.open("7", 3);
        second.open("7", 4);
        assertThrows(StaleEpochException.class, () -> first.write("7", 3, insert("late")));
        assertThrows(StaleEpochException.class, () -> first.open("7", 3));
        assertEquals(0, rows());
    }

    @Test
    void theSameEpochOfAnotherOwnerIsRefused() throws SQLException {
        first.open("7", 3);
        assertThrows(StaleEpochException.class, () -> second.write("7", 3, insert("other")));
        assertEquals(0, rows());
    }

    @Test
    void shardsAndNamespacesAreFencedApart() throws SQLException {
        first.open("7", 9);
        second.write("8", 1, insert("other shard"));
        JdbcFence.create(database, "invoices", "e2/p2").write("7", 1, insert("other namespace"));
        assertEquals(2, rows());
    }

    @Test
    void aFailedWriteRaisesNothing() throws SQLException {
        first.open("7", 3);
        assertThrows(
                SQLException.class,
                () -> second.write("7", 4, connection -> {
                    throw new SQLException("application failed");
                }));
        first.write("7", 3, insert("still mine"));
        assertEquals(1, rows());
    }

    static SqlWork insert(String value) {
        return connection -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute("INSERT INTO t VALUES ('" + value + "')");
            }
        };
    }

    int rows() throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT COUNT(*) FROM t")) {
            result.next();
            return result.getInt(1);
        }
    }
}
