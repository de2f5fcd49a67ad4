package io.shardwright.persistence.jdbc;

import io.shardwright.persistence.jdbc.StoreOpenException.Reason;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The tables and their version.
 *
 * <p>Each version is a list of statements; a store of an older version is brought up one version after the other, all
 * in one transaction. A newer one is refused. Flyway would do the same; it was measured to cost more start-up time than
 * the whole server may take.
 *
 * <ul>
 *   <li>{@code shardwright_kv}: the versions of keys that are kept; a delete has no value
 *   <li>{@code shardwright_lease}: leases by their granted length
 *   <li>{@code shardwright_meta}: schema, store_id, revision, compacted, last_lease
 * </ul>
 */
final class Schema {

    /**
     * Statements that lead to version 1, 2, ...; {@code $BYTES} is the dialect's type. Never change one that was
     * released.
     */
    private static final List<List<String>> VERSIONS = List.of(
            List.of(
                    "CREATE TABLE shardwright_kv (rev BIGINT NOT NULL, sub INTEGER NOT NULL, key $BYTES NOT NULL, value $BYTES,"
                            + " create_rev BIGINT NOT NULL, version BIGINT NOT NULL, lease BIGINT NOT NULL, PRIMARY KEY (rev, sub))",
                    "CREATE TABLE shardwright_lease (id BIGINT PRIMARY KEY, ttl BIGINT NOT NULL)",
                    "INSERT INTO shardwright_meta (name, value) VALUES ('revision', '1'), ('compacted', '0'), ('last_lease', '0')"));

    /** Newest version that this code knows. */
    static final int NEWEST = VERSIONS.size();

    private Schema() {}

    /** Creates the tables of a new store, or brings an old one up to the newest version. */
    static void migrate(Dialect dialect) {
        try (Statement statement = dialect.connection().createStatement()) {
            dialect.begin();
            statement.execute(
                    "CREATE TABLE IF NOT EXISTS shardwright_meta (name VARCHAR(64) PRIMARY KEY, value TEXT NOT NULL)");
            int found = version(dialect, statement);
            if (found > NEWEST) {
                throw new StoreOpenException(
                        Reason.NEWER_SCHEMA,
                        dialect.displayName() + " has schema version " + found + ", this server knows up to " + NEWEST
                                + "; start a server of the version that wrote it, or restore a backup");
            }
            if (found == 0) {
                statement.execute("INSERT INTO shardwright_meta (name, value) VALUES ('schema', '0'), ('store_id', '"
                        + UUID.randomUUID() + "')");
            }
            for (List<String> statements : VERSIONS.subList(found, NEWEST)) {
                for (String sql : statements) {
                    statement.execute(sql.replace("$BYTES", dialect.bytesType()));
                }
            }
            if (found < NEWEST) {
                statement.execute("UPDATE shardwright_meta SET value = '" + NEWEST + "' WHERE name = 'schema'");
            }
            dialect.commit();
        } catch (SQLException e) {
            throw new StoreOpenException(
                    Reason.UNREACHABLE,
                    dialect.displayName() + ": its tables cannot be created or read: " + e.getMessage()
                            + "; check the rights of the user and the free space",
                    e);
        }
    }

    private static int version(Dialect dialect, Statement statement) throws SQLException {
        Optional<String> stored = Optional.empty();
        try (ResultSet result = statement.executeQuery("SELECT value FROM shardwright_meta WHERE name = 'schema'")) {
            if (result.next()) {
                stored = Optional.of(result.getString(1));
            }
        }
        try {
            int version = stored.map(Integer::parseInt).orElse(0);
            if (version >= 0) {
                return version;
            }
        } catch (NumberFormatException e) {
            // Refused below, with the value.
        }
        throw new StoreOpenException(
                Reason.CORRUPT,
                dialect.displayName() + ": schema version in shardwright_meta is '" + stored.orElse("")
                        + "', a number is needed; restore a backup");
    }
}
