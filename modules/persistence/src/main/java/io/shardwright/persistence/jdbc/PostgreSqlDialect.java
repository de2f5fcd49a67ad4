package io.shardwright.persistence.jdbc;

import io.shardwright.domain.Outcome.Fault;
import io.shardwright.persistence.jdbc.StoreOpenException.Reason;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL database.
 *
 * <p>The right to use it is a session advisory lock, and the session that holds the lock is the one that writes: no
 * write can come from a server that lost the lock, because it lost the connection with it. So a lost connection ends
 * the store, and it is not opened again behind the server's back.
 */
final class PostgreSqlDialect implements Dialect {

    private static final Logger LOG = System.getLogger(PostgreSqlDialect.class.getName());

    /**
     * First half of the advisory lock's key ("shwr"); the second half is a hash of the schema, so that each schema can
     * hold a store.
     */
    private static final int LOCK_KEY = 0x73687772;

    /** How long a server that was killed may take to lose its session. */
    private static final Duration LOCK_PATIENCE = Duration.ofSeconds(1);

    private static final Duration LOCK_RETRY = Duration.ofMillis(50);

    private final JdbcTarget.PostgreSql target;
    private final Connection connection;

    private PostgreSqlDialect(JdbcTarget.PostgreSql target, Connection connection) {
        this.target = target;
        this.connection = connection;
    }

    static PostgreSqlDialect open(JdbcTarget.PostgreSql target) {
        Properties properties = new Properties();
        properties.setProperty("user", target.user());
        if (!target.password().isEmpty()) {
            properties.setProperty("password", target.password());
        }
        properties.setProperty("ApplicationName", "shardwright");
        properties.setProperty("connectTimeout", "5");
        properties.setProperty("socketTimeout", "10");
        properties.setProperty("tcpKeepAlive", "true");
        Connection connection;
        try {
            connection = DriverManager.getConnection(target.url(), properties);
        } catch (SQLException e) {
            throw unreachable(target, e);
        }
        boolean opened = false;
        try {
            connection.setAutoCommit(false);
            lock(target, connection);
            opened = true;
            return new PostgreSqlDialect(target, connection);
        } catch (SQLException e) {
            throw unreachable(target, e);
        } finally {
            if (!opened) {
                close(target, connection);
            }
        }
    }

    private static StoreOpenException unreachable(JdbcTarget.PostgreSql target, SQLException e) {
        return new StoreOpenException(
                Reason.UNREACHABLE,
                target.displayName() + " cannot be used "
                        + (target.user().isEmpty() ? "without a user" : "as " + target.user()) + ": " + e.getMessage()
                        + "; check address, user and password",
                e);
    }

    private static void lock(JdbcTarget.PostgreSql target, Connection connection) throws SQLException {
        long end = System.nanoTime() + LOCK_PATIENCE.toNanos();
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET synchronous_commit = on");
            checkSchema(target, statement);
            while (!tryLock(statement)) {
                if (System.nanoTime() - end > 0) {
                    throw new StoreOpenException(
                            Reason.IN_USE,
                            target.displayName()
                                    + " is in use by another server; one server uses a store at a time: stop that server, or give this one another database"
                                    + " or schema (?currentSchema=...)");
                }
                LockSupport.parkNanos(LOCK_RETRY.toNanos());
            }
        }
        connection.commit();
    }

    private static void checkSchema(JdbcTarget.PostgreSql target, Statement statement) throws SQLException {
        try (ResultSet result = statement.executeQuery("SELECT current_schema()")) {
            if (!result.next() || result.getString(1) == null) {
                throw new StoreOpenException(
                        Reason.UNREACHABLE,
                        target.displayName()
                                + ": the schema that its url names (currentSchema) does not exist; create it");
            }
        }
    }

    private static boolean tryLock(Statement statement) throws SQLException {
        try (ResultSet result =
                statement.executeQuery("SELECT pg_try_advisory_lock(" + LOCK_KEY + ", hashtext(current_schema()))")) {
            return result.next() && result.getBoolean(1);
        }
    }

    @Override
    public String displayName() {
        return target.displayName();
    }

    @Override
    public Connection connection() {
        return connection;
    }

    /** The driver begins by itself: auto-commit is off. */
    @Override
    public void begin() {}

    @Override
    public void commit() throws SQLException {
        connection.commit();
    }

    @Override
    public void rollback() {
        try {
            connection.rollback();
        } catch (SQLException ignored) {
            // The connection is gone; the fault that led here says so.
        }
    }

    @Override
    public String bytesType() {
        return "BYTEA";
    }

    @Override
    public boolean sendsBatches() {
        return true;
    }

    @Override
    public Fault.Kind kindOf(SQLException e) {
        return switch (state(e)) {
            case "53100" -> Fault.Kind.NO_SPACE; // disk_full
            case "XX001", "XX002" -> Fault.Kind.CORRUPT; // data_corrupted, index_corrupted
            default -> Fault.Kind.UNAVAILABLE;
        };
    }

    @Override
    public boolean endedBy(SQLException e) {
        String state = state(e);
        // 08: connection exceptions; 57P0x: the server ended the session; no state: the driver itself gave up.
        return state.isEmpty() || state.startsWith("08") || state.startsWith("57P0") || state.startsWith("XX00");
    }

    @Override
    public boolean commitUncertainAfter(SQLException e) {
        // An error that the database itself reported means that the commit was refused.
        return endedBy(e);
    }

    private static String state(SQLException e) {
        @Nullable String state = e.getSQLState();
        return state == null ? "" : state;
    }

    @Override
    public void probe() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT 1");
        }
        connection.commit();
    }

    @Override
    public void close() {
        close(target, connection);
    }

    private static void close(JdbcTarget.PostgreSql target, Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            LOG.log(Level.WARNING, target.displayName() + ": closing failed; what was answered is safe", e);
        }
    }
}
