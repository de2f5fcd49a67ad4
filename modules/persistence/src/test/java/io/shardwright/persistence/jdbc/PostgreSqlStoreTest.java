package io.shardwright.persistence.jdbc;

import static io.shardwright.persistence.StoreCalls.failure;
import static io.shardwright.persistence.StoreCalls.put;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.domain.Outcome;
import io.shardwright.domain.Outcome.Fault;
import io.shardwright.persistence.Backend;
import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.KeyRange;
import io.shardwright.persistence.RangeRequest;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.StoreCalls;
import io.shardwright.persistence.Txn;
import io.shardwright.persistence.TxnResponse;
import io.shardwright.persistence.mvcc.EmbeddedSettings;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class PostgreSqlStoreTest {

    private static final Bytes A = Bytes.utf8("a");

    private final Backend backend = Backend.real();
    private JdbcTarget.PostgreSql target;

    @BeforeEach
    void makeDatabase() throws SQLException {
        target = TestPostgreSql.newDatabase();
    }

    @AfterEach
    void closeLoop() {
        backend.close();
    }

    private Store open() {
        return open(target);
    }

    private Store open(JdbcTarget.PostgreSql opened) {
        return JdbcStore.open(opened, EmbeddedSettings.DEFAULTS, backend.clock(), backend.loop());
    }

    @Test
    void everythingIsThereAfterReopening() {
        Store first = open();
        StoreCalls calls = new StoreCalls(backend, first);
        long one = calls.write(put(A, "1"));
        long two = calls.write(put(A, "2"));
        first.close();
        try (Store second = open()) {
            StoreCalls again = new StoreCalls(backend, second);
            assertEquals("2", again.get(A).orElseThrow().value().toUtf8());
            assertEquals(one, again.get(A).orElseThrow().createRevision());
            assertEquals(2, again.watch(KeyRange.single(A), one).events(2).size());
            assertEquals(two + 1, again.write(put(A, "3")));
        }
    }

    @Test
    @Tag("R2")
    void aSecondServerIsRefusedByNameUntilTheFirstOneCloses() {
        Store first = open();
        StoreOpenException refused = assertThrows(StoreOpenException.class, this::open);
        assertEquals(StoreOpenException.Reason.IN_USE, refused.reason());
        assertTrue(refused.getMessage().contains(target.displayName()), refused.getMessage());
        assertTrue(refused.getMessage().contains("stop that server"), refused.getMessage());
        first.close();
        open().close();
    }

    @Test
    void twoSchemasOfOneDatabaseHoldTwoStores() throws SQLException {
        JdbcTarget.PostgreSql other =
                new JdbcTarget.PostgreSql(target.url() + "&currentSchema=other", target.user(), target.password());
        try (Store first = open()) {
            StoreOpenException missing = assertThrows(StoreOpenException.class, () -> open(other));
            assertEquals(StoreOpenException.Reason.UNREACHABLE, missing.reason());
            assertTrue(missing.getMessage().contains("create it"), missing.getMessage());
            try (Connection connection = DriverManager.getConnection(target.url(), target.user(), target.password());
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE SCHEMA other");
            }
            new StoreCalls(backend, first).write(put(A, "1"));
            try (Store second = open(other)) {
                assertEquals(Optional.empty(), new StoreCalls(backend, second).get(A));
            }
        }
    }

    @Test
    void aCutConnectionEndsTheStoreAndNothingAnsweredIsLost() throws SQLException {
        Store store = open();
        StoreCalls calls = new StoreCalls(backend, store);
        calls.write(put(A, "1"));
        StoreCalls.Watched watched = calls.watch(KeyRange.single(A), 0);
        TestPostgreSql.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'shardwright' AND datname = '"
                        + target.url().replaceAll(".*/([a-z0-9]+)\\?.*", "$1") + "'");
        Outcome<TxnResponse> lost = calls.txn(new Txn(List.of(), List.of(put(A, "2")), List.of()));
        assertFalse(lost instanceof Outcome.Success, lost::toString);
        assertEquals(Fault.Kind.UNAVAILABLE, watched.end());
        assertEquals(Fault.Kind.UNAVAILABLE, failure(calls.txn(new Txn(List.of(), List.of(put(A, "3")), List.of()))));
        assertEquals(
                Fault.Kind.UNAVAILABLE,
                failure(calls.range(RangeRequest.of(KeyRange.single(A)))),
                "without the lock another server may write, so reads end too");
        store.close();
        try (Store again = open()) {
            assertEquals(
                    "1",
                    new StoreCalls(backend, again).get(A).orElseThrow().value().toUtf8());
        }
    }

    @Test
    void aCutConnectionIsNoticedWithoutAWrite() throws SQLException {
        try (Store store = open()) {
            StoreCalls calls = new StoreCalls(backend, store);
            StoreCalls.Watched watched = calls.watch(KeyRange.single(A), 0);
            calls.write(put(A, "1"));
            watched.events(0);
            TestPostgreSql.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'shardwright'");
            assertEquals(Fault.Kind.UNAVAILABLE, watched.end());
        }
    }

    @Test
    void itIsProvenToBeOursWhileItsSessionAnswersAndNotAfterItsEnd() throws SQLException {
        try (JdbcStore store = (JdbcStore) open()) {
            long opened = store.provenAt();
            await().atMost(Duration.ofSeconds(30)).until(() -> store.provenAt() - opened > 0);
            StoreCalls.Watched watched = new StoreCalls(backend, store).watch(KeyRange.single(A), 0);
            TestPostgreSql.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'shardwright'");
            try (JdbcStore next = (JdbcStore) open()) {
                long taken = backend.clock().nanoTime();
                assertEquals(Fault.Kind.UNAVAILABLE, watched.end());
                assertTrue(store.provenAt() - taken < 0, "the next server has it, and the old one took it for its own");
                assertTrue(next.provenAt() - store.provenAt() > 0);
            }
        }
    }

    @Test
    void aPasswordIsNeverPrinted() {
        JdbcTarget.PostgreSql secret =
                new JdbcTarget.PostgreSql("jdbc:postgresql://127.0.0.1:1/x?password=in-the-url", "someone", "s3cret");
        StoreOpenException refused = assertThrows(
                StoreOpenException.class,
                () -> JdbcStore.open(secret, EmbeddedSettings.DEFAULTS, backend.clock(), backend.loop()));
        for (Throwable t = refused; t != null; t = t.getCause()) {
            assertFalse(String.valueOf(t.getMessage()).contains("s3cret"), t.getMessage());
            assertFalse(String.valueOf(t.getMessage()).contains("in-the-url"), t.getMessage());
        }
        assertFalse(
                secret.toString().contains("s3cret") || secret.toString().contains("in-the-url"), secret.toString());
        assertInstanceOf(StoreOpenException.class, refused);
    }
}
