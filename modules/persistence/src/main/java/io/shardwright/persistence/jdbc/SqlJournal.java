package io.shardwright.persistence.jdbc;

import io.shardwright.domain.Outcome.Fault;
import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.KeyValue;
import io.shardwright.persistence.WatchBatch.Event;
import io.shardwright.persistence.mvcc.Commit;
import io.shardwright.persistence.mvcc.Journal;
import io.shardwright.persistence.mvcc.Journal.JournalException.Effect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the changes of a store into tables, each call in one SQL transaction. Used by one thread at a time.
 *
 * <p>Statements live for one call only: the SQLite driver closes a statement that failed, so one that is kept would
 * refuse all writes after the first full disk.
 */
final class SqlJournal implements Journal {

    private static final int ROWS_PER_FETCH = 1_000;

    private static final String INSERT =
            "INSERT INTO shardwright_kv (rev, sub, key, value, create_rev, version, lease) VALUES (?, ?, ?, ?, ?, ?, ?)";
    private static final String FORGET = "DELETE FROM shardwright_kv WHERE rev = ? AND key = ?";

    private final Dialect dialect;
    private final Connection connection;

    private SqlJournal(Dialect dialect) {
        this.dialect = dialect;
        this.connection = dialect.connection();
    }

    /** Opens the journal, with its tables at the newest version. The dialect is closed with it. */
    static SqlJournal open(Dialect dialect) {
        Schema.migrate(dialect);
        return new SqlJournal(dialect);
    }

    @Override
    public void commit(List<Commit> commits) throws JournalException {
        write(() -> insert(commits));
    }

    @Override
    public void grant(long leaseId, long ttlSeconds) throws JournalException {
        write(() -> {
            try (PreparedStatement statement =
                    connection.prepareStatement("INSERT INTO shardwright_lease (id, ttl) VALUES (?, ?)")) {
                statement.setLong(1, leaseId);
                statement.setLong(2, ttlSeconds);
                statement.executeUpdate();
            }
            setMeta("last_lease", leaseId);
        });
    }

    @Override
    public void revoke(long leaseId, List<Commit> deletions) throws JournalException {
        write(() -> {
            try (PreparedStatement statement =
                    connection.prepareStatement("DELETE FROM shardwright_lease WHERE id = ?")) {
                statement.setLong(1, leaseId);
                statement.executeUpdate();
            }
            insert(deletions);
        });
    }

    @Override
    public void compact(long revision, List<Event> forgotten) throws JournalException {
        write(() -> {
            try (PreparedStatement forget = connection.prepareStatement(FORGET)) {
                for (Event event : forgotten) {
                    forget.setLong(1, event.revision());
                    forget.setBytes(2, event.key().toByteArray());
                    send(forget);
                }
                flush(forget);
            }
            setMeta("compacted", revision);
        });
    }

    private void insert(List<Commit> commits) throws SQLException {
        if (commits.isEmpty()) {
            return;
        }
        try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
            for (Commit commit : commits) {
                insert(insert, commit);
            }
            flush(insert);
        }
        setMeta("revision", commits.getLast().revision());
    }

    private void insert(PreparedStatement insert, Commit commit) throws SQLException {
        int sub = 0;
        for (Event event : commit.events()) {
            insert.setLong(1, commit.revision());
            insert.setInt(2, sub++);
            insert.setBytes(3, event.key().toByteArray());
            switch (event) {
                case Event.Put(KeyValue kv) -> {
                    insert.setBytes(4, kv.value().toByteArray());
                    insert.setLong(5, kv.createRevision());
                    insert.setLong(6, kv.version());
                    insert.setLong(7, kv.leaseId());
                }
                case Event.Delete delete -> {
                    insert.setNull(4, Types.BINARY);
                    insert.setLong(5, 0);
                    insert.setLong(6, 0);
                    insert.setLong(7, 0);
                }
            }
            send(insert);
        }
    }

    private void send(PreparedStatement statement) throws SQLException {
        if (dialect.sendsBatches()) {
            statement.addBatch();
        } else {
            statement.executeUpdate();
        }
    }

    private void flush(PreparedStatement statement) throws SQLException {
        if (dialect.sendsBatches()) {
            statement.executeBatch();
        }
    }

    private void setMeta(String name, long value) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("UPDATE shardwright_meta SET value = ? WHERE name = ?")) {
            statement.setString(1, Long.toString(value));
            statement.setString(2, name);
            statement.executeUpdate();
        }
    }

    private void write(SqlWork work) throws JournalException {
        try {
            dialect.begin();
            work.run();
        } catch (SQLException e) {
            dialect.rollback();
            throw fault(e, false);
        } catch (RuntimeException | Error e) {
            dialect.rollback();
            throw driverFault(e, Effect.NONE_AND_ENDED);
        }
        try {
            dialect.commit();
        } catch (SQLException e) {
            dialect.rollback();
            throw fault(e, dialect.commitUncertainAfter(e));
        } catch (RuntimeException | Error e) {
            dialect.rollback();
            throw driverFault(e, Effect.UNKNOWN_AND_ENDED);
        }
    }

    /** A driver that fails in a way of its own cannot be relied on any more; but its caller gets an answer. */
    private JournalException driverFault(Throwable e, Effect effect) {
        return new JournalException(
                new Fault(
                        Fault.Kind.UNAVAILABLE,
                        dialect.displayName() + ": the database driver failed: " + e + "; restart the server"),
                effect,
                e);
    }

    private JournalException fault(SQLException e, boolean uncertain) {
        Effect effect = dialect.endedBy(e)
                ? (uncertain ? Effect.UNKNOWN_AND_ENDED : Effect.NONE_AND_ENDED)
                : (uncertain ? Effect.UNKNOWN : Effect.NONE);
        Fault.Kind kind = dialect.kindOf(e);
        String remedy =
                switch (kind) {
                    case NO_SPACE -> "; free space on its disk";
                    case CORRUPT -> "; restore a backup";
                    default -> "";
                };
        return new JournalException(new Fault(kind, dialect.displayName() + ": " + e.getMessage() + remedy), effect, e);
    }

    @Override
    public Loaded load() throws JournalException {
        try (Statement statement = connection.createStatement()) {
            dialect.begin();
            statement.setFetchSize(ROWS_PER_FETCH);
            List<Commit> commits = loadCommits(statement);
            List<LoadedLease> leases = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery("SELECT id, ttl FROM shardwright_lease ORDER BY id")) {
                while (rows.next()) {
                    leases.add(new LoadedLease(rows.getLong(1), rows.getLong(2)));
                }
            }
            Loaded loaded = new Loaded(
                    commits,
                    meta(statement, "revision"),
                    meta(statement, "compacted"),
                    leases,
                    meta(statement, "last_lease"));
            dialect.commit();
            return loaded;
        } catch (SQLException e) {
            dialect.rollback();
            throw new JournalException(
                    new Fault(
                            e instanceof SQLDataException ? Fault.Kind.CORRUPT : dialect.kindOf(e),
                            dialect.displayName() + " cannot be read: " + e.getMessage()),
                    Effect.NONE_AND_ENDED,
                    e);
        }
    }

    private static List<Commit> loadCommits(Statement statement) throws SQLException {
        List<Commit> commits = new ArrayList<>();
        List<Event> events = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(
                "SELECT rev, key, value, create_rev, version, lease FROM shardwright_kv ORDER BY rev, sub")) {
            while (rows.next()) {
                long revision = rows.getLong(1);
                if (!events.isEmpty() && events.getLast().revision() != revision) {
                    commits.add(new Commit(events.getLast().revision(), events));
                    events.clear();
                }
                Bytes key = Bytes.of(rows.getBytes(2));
                byte @Nullable [] value = rows.getBytes(3);
                events.add(
                        value == null
                                ? new Event.Delete(key, revision)
                                : new Event.Put(new KeyValue(
                                        key,
                                        Bytes.of(value),
                                        rows.getLong(4),
                                        revision,
                                        rows.getLong(5),
                                        rows.getLong(6))));
            }
        }
        if (!events.isEmpty()) {
            commits.add(new Commit(events.getLast().revision(), events));
        }
        return commits;
    }

    private static long meta(Statement statement, String name) throws SQLException {
        try (ResultSet rows =
                statement.executeQuery("SELECT value FROM shardwright_meta WHERE name = '" + name + "'")) {
            if (rows.next()) {
                return Long.parseLong(rows.getString(1));
            }
        } catch (NumberFormatException e) {
            throw new SQLDataException("row '" + name + "' of shardwright_meta is no number", e);
        }
        throw new SQLDataException("row '" + name + "' of shardwright_meta is missing");
    }

    @Override
    public void probe() throws JournalException {
        try {
            dialect.probe();
        } catch (SQLException e) {
            throw fault(e, false);
        }
    }

    @Override
    public void close() {
        dialect.close();
    }

    private interface SqlWork {
        void run() throws SQLException;
    }
}
