package io.shardwright.persistence.jdbc;

import io.shardwright.domain.Outcome.Fault;
import io.shardwright.persistence.jdbc.StoreOpenException.Reason;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** A SQLite file: write-ahead log, each commit synced to the disk. */
final class SqliteDialect implements Dialect {

    private static final Logger LOG = System.getLogger(SqliteDialect.class.getName());

    /** How long a write waits for a person's {@code sqlite3} shell that holds the file. */
    private static final int BUSY_MILLIS = 5_000;

    private final JdbcTarget.Sqlite target;
    private final StoreFileLock lock;
    private final Connection connection;
    private final Object fileKey;

    private SqliteDialect(JdbcTarget.Sqlite target, StoreFileLock lock, Connection connection, Object fileKey) {
        this.target = target;
        this.lock = lock;
        this.connection = connection;
        this.fileKey = fileKey;
    }

    static SqliteDialect open(JdbcTarget.Sqlite target) {
        StoreFileLock lock = StoreFileLock.acquire(target);
        @Nullable Connection connection = null;
        boolean opened = false;
        try {
            SQLiteConfig config = new SQLiteConfig();
            config.setJournalMode(SQLiteConfig.JournalMode.WAL);
            config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
            config.setBusyTimeout(BUSY_MILLIS);
            connection = config.createConnection("jdbc:sqlite:" + target.file());
            checkIntegrity(target, connection);
            lock.lockOpenedDatabase();
            SqliteDialect dialect = new SqliteDialect(target, lock, connection, fileKey(target.file()));
            opened = true;
            return dialect;
        } catch (SQLException e) {
            throw openFault(target, e);
        } catch (IOException e) {
            throw new StoreOpenException(
                    Reason.UNREACHABLE,
                    target.displayName() + " cannot be read: " + e.getMessage()
                            + "; check the path and its permissions",
                    e);
        } finally {
            if (!opened) {
                closeQuietly(target, connection);
                lock.close();
            }
        }
    }

    private static void closeQuietly(JdbcTarget.Sqlite target, @Nullable Connection connection) {
        try {
            if (connection != null) {
                connection.close();
            }
        } catch (SQLException e) {
            LOG.log(Level.WARNING, target.displayName() + ": closing failed; what was answered is safe", e);
        }
    }

    private static void checkIntegrity(JdbcTarget.Sqlite target, Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("PRAGMA quick_check(1)")) {
            if (result.next() && !result.getString(1).equals("ok")) {
                throw corrupt(target, result.getString(1), new SQLException("quick_check"));
            }
        }
    }

    private static StoreOpenException openFault(JdbcTarget.Sqlite target, SQLException e) {
        if (isDamage(e)) {
            return corrupt(target, String.valueOf(e.getMessage()), e);
        }
        return new StoreOpenException(
                Reason.UNREACHABLE,
                target.displayName() + " cannot be opened: " + e.getMessage()
                        + "; check the path, its permissions and the free space",
                e);
    }

    private static StoreOpenException corrupt(JdbcTarget.Sqlite target, String found, SQLException cause) {
        return new StoreOpenException(
                Reason.CORRUPT,
                target.displayName() + " is damaged or is no SQLite database (" + found
                        + "); it was left as it is: move it away with its -wal and -shm files and restore a backup",
                cause);
    }

    private static Object fileKey(Path file) throws IOException {
        return Objects.requireNonNullElse(
                Files.readAttributes(file, BasicFileAttributes.class).fileKey(), file);
    }

    @Override
    public String displayName() {
        return target.displayName();
    }

    @Override
    public Connection connection() {
        return connection;
    }

    /**
     * Transactions are begun and ended by statements, not by the driver: SQLite takes a transaction back by itself when
     * the disk is full, and the driver, which does not notice, would go on without one and commit each statement alone.
     */
    @Override
    public void begin() throws SQLException {
        execute("BEGIN IMMEDIATE");
    }

    @Override
    public void commit() throws SQLException {
        execute("COMMIT");
    }

    @Override
    public void rollback() {
        try {
            execute("ROLLBACK");
        } catch (SQLException ignored) {
            // Already taken back; if not, the next begin says so.
        }
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public String bytesType() {
        return "BLOB";
    }

    @Override
    public boolean sendsBatches() {
        return false;
    }

    @Override
    public Fault.Kind kindOf(SQLException e) {
        if (isDamage(e)) {
            return Fault.Kind.CORRUPT;
        }
        return primary(e) == SQLiteErrorCode.SQLITE_FULL.code ? Fault.Kind.NO_SPACE : Fault.Kind.UNAVAILABLE;
    }

    @Override
    public boolean endedBy(SQLException e) {
        return isDamage(e) || e instanceof FileGoneException;
    }

    @Override
    public boolean commitUncertainAfter(SQLException e) {
        // A full disk or a busy file stops a commit before its last frame is written; after an input/output error
        // nobody knows.
        int code = primary(e);
        return code != SQLiteErrorCode.SQLITE_FULL.code && code != SQLiteErrorCode.SQLITE_BUSY.code;
    }

    private static boolean isDamage(SQLException e) {
        int code = primary(e);
        return code == SQLiteErrorCode.SQLITE_CORRUPT.code || code == SQLiteErrorCode.SQLITE_NOTADB.code;
    }

    /** Returns the error code without its extension. */
    private static int primary(SQLException e) {
        return e instanceof SQLiteException sqlite ? sqlite.getResultCode().code & 0xff : -1;
    }

    /** A file that was deleted or replaced still takes writes, which then nobody finds again. */
    @Override
    public void probe() throws SQLException {
        try {
            if (!fileKey(target.file()).equals(fileKey)) {
                throw new FileGoneException("the file was replaced while it was in use; restart the server");
            }
        } catch (IOException e) {
            FileGoneException gone = new FileGoneException(
                    "the file was removed while it was in use; restore it and restart the server");
            gone.initCause(e);
            throw gone;
        }
    }

    @Override
    public void close() {
        closeQuietly(target, connection);
        lock.close();
    }

    private static final class FileGoneException extends SQLException {
        private FileGoneException(String message) {
            super(message);
        }
    }
}
