package io.shardwright.persistence.jdbc;

import static io.shardwright.persistence.StoreCalls.delete;
import static io.shardwright.persistence.StoreCalls.expect;
import static io.shardwright.persistence.StoreCalls.failure;
import static io.shardwright.persistence.StoreCalls.filled;
import static io.shardwright.persistence.StoreCalls.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
import io.shardwright.persistence.StoreLeases.Lease;
import io.shardwright.persistence.Txn;
import io.shardwright.persistence.Txn.Op;
import io.shardwright.persistence.TxnResponse;
import io.shardwright.persistence.mvcc.EmbeddedSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SqliteStoreTest {

    private static final Bytes A = Bytes.utf8("a");
    private static final Bytes B = Bytes.utf8("b");

    private final Backend backend = Backend.real();

    @TempDir
    Path directory;

    private JdbcTarget.Sqlite target;

    @BeforeEach
    void chooseFile() {
        target = new JdbcTarget.Sqlite(directory.resolve("data/store.db"));
    }

    @AfterEach
    void closeLoop() {
        backend.close();
    }

    private Store open() {
        return open(EmbeddedSettings.DEFAULTS);
    }

    private Store open(EmbeddedSettings settings) {
        return JdbcStore.open(target, settings, backend.clock(), backend.loop());
    }

    private void sql(String statement) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + target.file());
                Statement executed = connection.createStatement()) {
            executed.execute(statement);
        }
    }

    private StoreOpenException refused() {
        return assertThrows(StoreOpenException.class, this::open);
    }

    @Test
    void keysHistoryLeasesAndRevisionsAreThereAfterReopening() {
        Store first = open();
        StoreCalls calls = new StoreCalls(backend, first);
        Lease lease = calls.grant(60);
        Lease gone = calls.grant(60);
        long one = calls.write(put(A, "1"), new Op.Put(B, Bytes.EMPTY, lease.id()));
        calls.write(put(A, "2"));
        long deleted = calls.write(delete(A));
        expect(calls.revoke(gone.id()));
        first.close();
        try (Store second = open()) {
            StoreCalls again = new StoreCalls(backend, second);
            assertEquals(
                    List.of(B),
                    again.read(KeyRange.from(A)).kvs().stream()
                            .map(kv -> kv.key())
                            .toList());
            assertEquals(lease.id(), again.get(B).orElseThrow().leaseId());
            assertEquals(Bytes.EMPTY, again.get(B).orElseThrow().value());
            assertEquals(
                    2,
                    expect(again.range(RangeRequest.of(KeyRange.from(A)).at(one)))
                            .count());
            assertEquals(4, again.watch(KeyRange.from(A), one).events(4).size());
            assertEquals(60, expect(again.timeToLive(lease.id())).grantedTtlSeconds());
            assertEquals(Fault.Kind.NOT_FOUND, failure(again.timeToLive(gone.id())));
            assertTrue(again.grant(60).id() > gone.id(), "a lease id is never used twice");
            assertEquals(deleted + 1, again.write(put(A, "3")));
            assertEquals(1, again.get(A).orElseThrow().version());
        }
    }

    @Test
    void aCompactedStoreStaysCompactedAfterReopening() {
        Store first = open();
        StoreCalls calls = new StoreCalls(backend, first);
        long one = calls.write(put(A, "1"), put(B, "1"));
        calls.write(put(A, "2"));
        long three = calls.write(put(A, "3"));
        expect(calls.compact(three));
        first.close();
        try (Store second = open()) {
            StoreCalls again = new StoreCalls(backend, second);
            assertEquals(
                    Fault.Kind.OUT_OF_RANGE,
                    failure(again.range(RangeRequest.of(KeyRange.single(A)).at(one))));
            assertEquals(2, again.read(KeyRange.from(A)).count());
            assertEquals(one, again.get(B).orElseThrow().modRevision());
        }
    }

    @Test
    void theFileStopsGrowingBecauseTheStoreCompactsItself() throws IOException {
        EmbeddedSettings shortHistory = EmbeddedSettings.DEFAULTS.withRetention(20, 1 << 20);
        Bytes value = filled(10_000);
        try (Store store = open(shortHistory)) {
            StoreCalls calls = new StoreCalls(backend, store);
            for (int i = 0; i < 1_000; i++) {
                calls.write(new Op.Put(A, value, 0));
            }
            long newest = calls.get(A).orElseThrow().modRevision();
            assertEquals(1_000, calls.get(A).orElseThrow().version());
            assertEquals(
                    Fault.Kind.OUT_OF_RANGE,
                    failure(calls.range(RangeRequest.of(KeyRange.single(A)).at(newest - 30))));
            expect(calls.range(RangeRequest.of(KeyRange.single(A)).at(newest - 15)));
        }
        assertTrue(
                Files.size(target.file()) < 2_000_000, "10 MB were written, the file has " + Files.size(target.file()));
    }

    @Test
    void aFullDiskRefusesWritesLosesNothingAndRecovers() throws SQLException {
        SqliteDialect dialect = SqliteDialect.open(target);
        Store store = JdbcStore.open(dialect, EmbeddedSettings.DEFAULTS, backend.clock(), backend.loop());
        StoreCalls calls = new StoreCalls(backend, store);
        calls.write(put(A, "1"));
        long used = pragma(dialect, "PRAGMA page_count");
        pragma(dialect, "PRAGMA max_page_count = " + (used + 20));

        Bytes large = filled(30_000);
        List<Bytes> acknowledged = new ArrayList<>();
        long refusals = 0;
        for (int i = 0; i < 10; i++) {
            Bytes key = Bytes.utf8("k" + i);
            switch (calls.txn(new Txn(List.of(), List.of(new Op.Put(key, large, 0)), List.of()))) {
                case Outcome.Success<TxnResponse> success -> acknowledged.add(key);
                case Outcome.Failure<TxnResponse>(Fault fault) -> {
                    assertEquals(Fault.Kind.NO_SPACE, fault.kind(), fault::message);
                    assertTrue(
                            fault.message().contains("store.db")
                                    && fault.message().contains("free space"),
                            fault::message);
                    refusals++;
                }
                case Outcome.Unknown<TxnResponse>(Fault fault) -> throw new AssertionError(fault);
            }
        }
        assertTrue(refusals > 0 && !acknowledged.isEmpty(), refusals + " refusals, acknowledged " + acknowledged);
        assertEquals(
                acknowledged.size(),
                calls.read(KeyRange.prefix(Bytes.utf8("k"))).count(),
                "what was refused is not there");
        assertEquals("1", calls.get(A).orElseThrow().value().toUtf8(), "reads go on");

        // Queued together: the large one is refused, the small one beside it is not.
        List<Outcome<TxnResponse>> answers = new CopyOnWriteArrayList<>();
        backend.loop().execute(() -> {
            store.txn(new Txn(List.of(), List.of(new Op.Put(B, filled(200_000), 0)), List.of()), answers::add);
            store.txn(new Txn(List.of(), List.of(put(A, "2")), List.of()), answers::add);
        });
        assertTrue(calls.waitUntil(() -> answers.size() == 2));
        assertEquals(Fault.Kind.NO_SPACE, failure(answers.getFirst()));
        expect(answers.getLast());

        pragma(dialect, "PRAGMA max_page_count = 1000000");
        long revision = calls.write(new Op.Put(B, large, 0));
        assertEquals(revision, calls.get(B).orElseThrow().modRevision());
        store.close();

        try (Store again = open()) {
            StoreCalls reopened = new StoreCalls(backend, again);
            assertEquals(
                    acknowledged.size(),
                    reopened.read(KeyRange.prefix(Bytes.utf8("k"))).count());
            assertEquals("2", reopened.get(A).orElseThrow().value().toUtf8());
            assertEquals(revision, reopened.get(B).orElseThrow().modRevision());
        }
    }

    /** The store's thread is idle between the calls of a test, so its connection can be used here. */
    private static long pragma(SqliteDialect dialect, String pragma) throws SQLException {
        try (Statement statement = dialect.connection().createStatement();
                var result = statement.executeQuery(pragma)) {
            return result.getLong(1);
        }
    }

    @Test
    @Tag("R2")
    void aSecondServerInThisProcessIsRefusedAndDoesNotBreakTheLockOfTheFirst() throws IOException {
        Store first = open();
        for (int i = 0; i < 2; i++) {
            StoreOpenException refused = refused();
            assertEquals(StoreOpenException.Reason.IN_USE, refused.reason());
            assertTrue(refused.getMessage().contains(target.file().toString()), refused.getMessage());
            assertTrue(refused.getMessage().contains("stop that server"), refused.getMessage());
        }
        Path link = Files.createSymbolicLink(directory.resolve("link.db"), target.file());
        JdbcTarget.Sqlite linked = new JdbcTarget.Sqlite(link);
        assertThrows(
                StoreOpenException.class,
                () -> JdbcStore.open(linked, EmbeddedSettings.DEFAULTS, backend.clock(), backend.loop()));
        first.close();
        open().close();
    }

    @Test
    void aFileThatIsNoDatabaseIsRefusedByNameAndLeftAlone() throws IOException {
        Files.createDirectories(target.file().getParent());
        Files.writeString(
                target.file(), "this is a letter to a friend, long enough to be no SQLite header ".repeat(100));
        byte[] before = Files.readAllBytes(target.file());
        StoreOpenException refused = refused();
        assertEquals(StoreOpenException.Reason.CORRUPT, refused.reason());
        assertTrue(
                refused.getMessage().contains("store.db")
                        && refused.getMessage().contains("backup"),
                refused.getMessage());
        assertEquals(Bytes.of(before), Bytes.of(Files.readAllBytes(target.file())));
    }

    @Test
    void aDamagedDatabaseIsRefusedByName() throws IOException {
        Store store = open();
        StoreCalls calls = new StoreCalls(backend, store);
        for (int i = 0; i < 200; i++) {
            calls.write(new Op.Put(Bytes.utf8("k" + i), filled(1_000), 0));
        }
        store.close();
        byte[] content = Files.readAllBytes(target.file());
        assertTrue(content.length > 100_000);
        java.util.Arrays.fill(content, 8_192, content.length - 8_192, (byte) 0x5a);
        Files.write(target.file(), content);
        StoreOpenException refused = refused();
        assertEquals(StoreOpenException.Reason.CORRUPT, refused.reason(), refused::getMessage);
        assertTrue(refused.getMessage().contains("store.db"), refused.getMessage());
    }

    @Test
    void aMissingCounterIsRefusedByName() throws SQLException {
        open().close();
        sql("DELETE FROM shardwright_meta WHERE name = 'revision'");
        StoreOpenException refused = refused();
        assertEquals(StoreOpenException.Reason.CORRUPT, refused.reason(), refused::getMessage);
        assertTrue(refused.getMessage().contains("'revision'"), refused.getMessage());
    }

    @Test
    void aStoreWhoseFileIsRemovedEndsInsteadOfWritingIntoNothing() throws IOException {
        try (Store store = open()) {
            StoreCalls calls = new StoreCalls(backend, store);
            StoreCalls.Watched watched = calls.watch(KeyRange.from(A), 0);
            calls.write(put(A, "1"));
            Files.delete(target.file());
            assertEquals(Fault.Kind.UNAVAILABLE, watched.end());
            assertFalse(calls.txn(new Txn(List.of(), List.of(put(A, "2")), List.of())) instanceof Outcome.Success);
        }
    }
}
