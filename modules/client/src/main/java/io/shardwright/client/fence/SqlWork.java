package io.shardwright.client.fence;

import java.sql.Connection;
import java.sql.SQLException;

/** What is written under a fence. */
@FunctionalInterface
public interface SqlWork {

    /**
     * Writes.
     *
     * @param connection in the transaction of the check; do not commit, roll back or close it
     */
    void run(Connection connection) throws SQLException;
}
