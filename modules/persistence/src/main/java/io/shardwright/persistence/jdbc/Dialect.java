package io.shardwright.persistence.jdbc;

import io.shardwright.domain.Outcome.Fault;
import java.sql.Connection;
import java.sql.SQLException;

/** What differs between the databases. Used by one thread at a time. */
interface Dialect extends AutoCloseable {

    /** How the store is named in messages. */
    String displayName();

    /** The one connection that is used. Its transactions are the ones below, never its own. */
    Connection connection();

    /** Begins a transaction. */
    void begin() throws SQLException;

    /** Commits it. */
    void commit() throws SQLException;

    /** Takes it back; no fault if the database already did. */
    void rollback();

    /** SQL type of a sequence of bytes. */
    String bytesType();

    /** Whether many rows are best sent at once. */
    boolean sendsBatches();

    /** What a fault means to the caller. */
    Fault.Kind kindOf(SQLException e);

    /** Whether the database is of no further use after a fault. */
    boolean endedBy(SQLException e);

    /** Whether a commit that failed like this may nevertheless have happened. */
    boolean commitUncertainAfter(SQLException e);

    /** Finds out whether the database is still there and still ours. */
    void probe() throws SQLException;

    /** Closes the connection and gives the store free for the next server. */
    @Override
    void close();
}
