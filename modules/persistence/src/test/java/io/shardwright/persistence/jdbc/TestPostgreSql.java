package io.shardwright.persistence.jdbc;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/** One real PostgreSQL for all tests of this JVM, from a Maven package; each test gets a database of its own. */
final class TestPostgreSql {

    private static final AtomicInteger DATABASES = new AtomicInteger();

    private TestPostgreSql() {}

    private static final class Server {
        private static final EmbeddedPostgres RUNNING = start();

        private static EmbeddedPostgres start() {
            try {
                return EmbeddedPostgres.builder()
                        .setServerConfig("fsync", "off")
                        .setServerConfig("max_connections", "20")
                        .start();
            } catch (IOException e) {
                throw new UncheckedIOException(
                        "PostgreSQL did not start. It comes as a Maven package and does not run as root by itself; as root the command 'unshare' (util-linux) and user"
                                + " namespaces are needed",
                        e);
            }
        }
    }

    /** Makes an empty database. */
    static JdbcTarget.PostgreSql newDatabase() throws SQLException {
        String name = "store" + DATABASES.incrementAndGet();
        execute("CREATE DATABASE " + name);
        return new JdbcTarget.PostgreSql(Server.RUNNING.getJdbcUrl("postgres", name), "postgres", "not-asked-for");
    }

    /** Runs a statement as the administrator. */
    static void execute(String sql) throws SQLException {
        try (Connection connection = Server.RUNNING.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
