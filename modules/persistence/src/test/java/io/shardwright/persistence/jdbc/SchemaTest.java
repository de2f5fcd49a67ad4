package io.shardwright.persistence.jdbc;

import static io.shardwright.persistence.StoreCalls.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.persistence.Backend;
import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.StoreCalls;
import io.shardwright.persistence.mvcc.EmbeddedSettings;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Databases of another version than this server's: older ones are brought up, newer ones refused and left alone. */
final class SchemaTest {

    private static final Bytes A = Bytes.utf8("a");

    abstract static class Versions {

        private final Backend backend = Backend.real();

        abstract JdbcTarget target();

        abstract Connection connect() throws SQLException;

        @AfterEach
        void closeLoop() {
            backend.close();
        }

        private Store open() {
            return JdbcStore.open(target(), EmbeddedSettings.DEFAULTS, backend.clock(), backend.loop());
        }

        private void sql(String statement) throws SQLException {
            try (Connection connection = connect();
                    Statement executed = connection.createStatement()) {
                executed.execute(statement);
            }
        }

        private TreeMap<String, String> meta() throws SQLException {
            TreeMap<String, String> meta = new TreeMap<>();
            try (Connection connection = connect();
                    Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT name, value FROM shardwright_meta")) {
                while (rows.next()) {
                    meta.put(rows.getString(1), rows.getString(2));
                }
            }
            return meta;
        }

        private void writeAndClose() {
            try (Store store = open()) {
                new StoreCalls(backend, store).write(put(A, "1"));
            }
        }

        private StoreOpenException refused(String version) throws SQLException {
            sql("UPDATE shardwright_meta SET value = '" + version + "' WHERE name = 'schema'");
            TreeMap<String, String> before = meta();
            StoreOpenException refused = assertThrows(StoreOpenException.class, this::open);
            assertTrue(refused.getMessage().contains(target().displayName()), refused.getMessage());
            assertEquals(before, meta());
            return refused;
        }

        @Test
        void anEmptyDatabaseIsBroughtUpToTheNewestVersion() throws SQLException {
            writeAndClose();
            assertEquals(Integer.toString(Schema.NEWEST), meta().get("schema"));
        }

        @Test
        void aDatabaseWithoutAVersionIsBroughtUpToTheNewest() throws SQLException {
            sql("CREATE TABLE shardwright_meta (name VARCHAR(64) PRIMARY KEY, value TEXT NOT NULL)");
            writeAndClose();
            assertEquals(Integer.toString(Schema.NEWEST), meta().get("schema"));
        }

        @Test
        void aNewerVersionIsRefusedWithBothVersionsAndARemedyAndLeftAlone() throws SQLException {
            writeAndClose();
            StoreOpenException refused = refused("7");
            assertEquals(StoreOpenException.Reason.NEWER_SCHEMA, refused.reason());
            for (String part : List.of(
                    "has schema version 7",
                    "knows up to " + Schema.NEWEST,
                    "start a server of the version that wrote it")) {
                assertTrue(refused.getMessage().contains(part), refused.getMessage());
            }
            sql("UPDATE shardwright_meta SET value = '" + Schema.NEWEST + "' WHERE name = 'schema'");
            try (Store store = open()) {
                assertEquals(
                        "1",
                        new StoreCalls(backend, store)
                                .get(A)
                                .orElseThrow()
                                .value()
                                .toUtf8());
            }
        }

        @Test
        void aVersionThatIsNoNumberIsRefusedAndNamed() throws SQLException {
            writeAndClose();
            for (String version : List.of("one", "-1", "")) {
                StoreOpenException refused = refused(version);
                assertEquals(StoreOpenException.Reason.CORRUPT, refused.reason());
                assertTrue(
                        refused.getMessage().contains("'" + version + "', a number is needed; restore a backup"),
                        refused.getMessage());
            }
        }
    }

    @Nested
    final class OfSqlite extends Versions {

        @TempDir
        Path directory;

        @Override
        JdbcTarget.Sqlite target() {
            return new JdbcTarget.Sqlite(directory.resolve("store.db"));
        }

        @Override
        Connection connect() throws SQLException {
            return DriverManager.getConnection("jdbc:sqlite:" + target().file());
        }
    }

    @Nested
    final class OfPostgreSql extends Versions {

        private JdbcTarget.PostgreSql target;

        @BeforeEach
        void makeDatabase() throws SQLException {
            target = TestPostgreSql.newDatabase();
        }

        @Override
        JdbcTarget target() {
            return target;
        }

        @Override
        Connection connect() throws SQLException {
            return DriverManager.getConnection(target.url(), target.user(), target.password());
        }
    }
}
