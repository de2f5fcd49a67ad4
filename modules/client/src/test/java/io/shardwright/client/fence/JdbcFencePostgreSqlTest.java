package io.shardwright.client.fence;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The fence on a real PostgreSQL, where two writers can be under way at once. */
class JdbcFencePostgreSqlTest extends JdbcFenceBehaviour {

    private static final AtomicInteger DATABASES = new AtomicInteger();

    private static EmbeddedPostgres server;

    @BeforeAll
    static void startServer() throws IOException {
        server = EmbeddedPostgres.builder().setServerConfig("fsync", "off").start();
    }

    @AfterAll
    static void stopServer() throws IOException {
        server.close();
    }

    @Override
    DataSource newDatabase() throws SQLException {
        String name = "fence" + DATABASES.incrementAndGet();
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name);
        }
        return server.getDatabase("postgres", name);
    }

    @Test
    void aNewOwnerWaitsForTheWriteThatIsUnderWayAndTheNextOneIsRefused() throws Exception {
        first.open("7", 3);
        CompletableFuture<Void> opening = new CompletableFuture<>();
        first.write("7", 3, connection -> {
            Thread.startVirtualThread(() -> {
                try {
                    second.open("7", 4);
                    opening.complete(null);
                } catch (SQLException e) {
                    opening.completeExceptionally(e);
                }
            });
            await().atMost(Duration.ofSeconds(30)).until(this::someoneWaitsForALock);
            assertFalse(opening.isDone(), "the new owner came between the check and the write");
            insert("last").run(connection);
        });
        opening.get(30, TimeUnit.SECONDS);
        assertThrows(StaleEpochException.class, () -> first.write("7", 3, insert("late")));
        assertEquals(1, rows());
    }

    private boolean someoneWaitsForALock() throws SQLException {
        try (Connection connection = database().getConnection();
                Statement statement = connection.createStatement();
                ResultSet waiting = statement.executeQuery("SELECT count(*) FROM pg_locks WHERE NOT granted")) {
            waiting.next();
            return waiting.getInt(1) > 0;
        }
    }
}
