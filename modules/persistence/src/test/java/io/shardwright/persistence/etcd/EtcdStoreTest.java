package io.shardwright.persistence.etcd;

import static io.shardwright.persistence.StoreCalls.failure;
import static io.shardwright.persistence.StoreCalls.put;
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
import io.shardwright.persistence.StoreLeases.Lease;
import io.shardwright.persistence.Txn;
import io.shardwright.persistence.Txn.Op;
import io.shardwright.testkit.EtcdUsers;
import io.shardwright.testkit.TestEtcd;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the adapter makes of an etcd that does not answer. */
final class EtcdStoreTest {

    private static final Bytes A = Bytes.utf8("a");

    private final Backend backend = Backend.real();
    private final TestEtcd etcd = TestEtcd.start();
    private EtcdSettings settings;
    private Store store;
    private StoreCalls calls;

    @BeforeEach
    void open() {
        settings = EtcdSettings.of(List.of(URI.create(etcd.endpoint()))).withRequestTimeout(Duration.ofMillis(700));
        store = EtcdStore.open(settings, backend.loop());
        calls = new StoreCalls(backend, store);
        // The first call of a JVM loads gRPC's classes, which may take longer than the short time-out of these tests.
        assertTrue(calls.waitUntil(() -> calls.range(RangeRequest.of(KeyRange.single(A))) instanceof Outcome.Success));
    }

    @AfterEach
    void close() {
        store.close();
        etcd.close();
        backend.close();
    }

    private static Txn write(String value) {
        return new Txn(List.of(), List.of(put(A, value)), List.of());
    }

    @Test
    @Tag("R13")
    void aWriteWithoutAnAnswerIsUnknownAndIsNotSentAgain() {
        long before = calls.write(put(A, "1"));
        etcd.pause();
        assertInstanceOf(Outcome.Unknown.class, calls.txn(write("2")));
        assertInstanceOf(
                Outcome.Unknown.class,
                calls.<Lease>await(answer -> store.leases().grant(60, answer)));
        assertEquals(
                Fault.Kind.UNAVAILABLE,
                failure(calls.range(RangeRequest.of(KeyRange.single(A)))),
                "a read did nothing");
        etcd.resume();
        assertTrue(calls.waitUntil(() -> calls.range(RangeRequest.of(KeyRange.single(A))) instanceof Outcome.Success));
        long after = calls.write(put(A, "3"));
        assertTrue(after <= before + 2, "two writes took " + (after - before) + " revisions");
    }

    @Test
    void aWriteThatCouldNotBeSentFailsAndAWatchEndsWithItsConnection() {
        long revision = calls.write(put(A, "1"));
        StoreCalls.Watched watched = calls.watch(KeyRange.single(A), revision);
        watched.events(1);
        etcd.kill();
        assertEquals(Fault.Kind.UNAVAILABLE, watched.end());
        // The connection may be found dead by this call; the next one finds that nobody listens.
        Outcome<?> first = calls.txn(write("2"));
        assertFalse(first instanceof Outcome.Success, first::toString);
        assertTrue(calls.waitUntil(() -> calls.txn(write("3")) instanceof Outcome.Failure));

        etcd.restart();
        assertTrue(calls.waitUntil(() -> calls.range(RangeRequest.of(KeyRange.single(A))) instanceof Outcome.Success));
        assertEquals("1", calls.get(A).orElseThrow().value().toUtf8());
        StoreCalls.Watched resumed = calls.watch(KeyRange.single(A), revision + 1);
        calls.write(put(A, "4"));
        assertEquals(revision + 1, resumed.events(1).getFirst().revision());
    }

    /** What the simulator's fake must do when its leader changes. */
    @Test
    void aNewLeaderOfEtcdGivesEachLeaseItsWholeTimeAgain() {
        Lease lease = calls.grant(6);
        calls.write(new Op.Put(A, Bytes.utf8("1"), lease.id()));
        assertTrue(calls.waitUntil(
                () -> StoreCalls.expect(calls.timeToLive(lease.id())).ttlSeconds() <= 3));
        etcd.kill();
        etcd.restart();
        assertTrue(calls.waitUntil(() -> calls.timeToLive(lease.id()) instanceof Outcome.Success));
        long left = StoreCalls.expect(calls.timeToLive(lease.id())).ttlSeconds();
        assertTrue(left >= 5, "left " + left + " s of 6 s");
        assertEquals(lease.id(), calls.get(A).orElseThrow().leaseId());
    }

    @Test
    void usersAreKnownByTheirPasswordWhichIsNeverPrinted() {
        calls.write(put(A, "1"));
        EtcdUsers.enable(etcd, "/mine/", "shards").close();

        assertEquals(Fault.Kind.DENIED, deniedOrInvalid(calls.txn(write("nobody"))));
        try (Store known = EtcdStore.open(settings.withUser("root", "pw of root"), backend.loop());
                Store wrong = EtcdStore.open(settings.withUser("root", "wr0ng"), backend.loop())) {
            StoreCalls asRoot = new StoreCalls(backend, known);
            assertEquals("1", asRoot.get(A).orElseThrow().value().toUtf8());
            asRoot.write(put(A, "2"));
            asRoot.watch(KeyRange.single(A), asRoot.get(A).orElseThrow().modRevision())
                    .events(1);
            Outcome<?> refused = new StoreCalls(backend, wrong).txn(write("3"));
            assertEquals(Fault.Kind.DENIED, failure(refused));
            assertFalse(refused.toString().contains("wr0ng"), refused.toString());
        }
        assertFalse(settings.withUser("root", "pw of root").toString().contains("pw of root"));
    }

    /** Without a user etcd 3.4 answers INVALID_ARGUMENT "user name is empty". */
    private static Fault.Kind deniedOrInvalid(Outcome<?> outcome) {
        Fault.Kind kind = failure(outcome);
        return kind == Fault.Kind.INVALID ? Fault.Kind.DENIED : kind;
    }

    @Test
    void settingsNameWhatIsWrong() {
        assertThrows(IllegalArgumentException.class, () -> EtcdSettings.of(List.of()));
        IllegalArgumentException e = assertThrows(
                IllegalArgumentException.class, () -> EtcdSettings.of(List.of(URI.create("ftp://somewhere"))));
        assertEquals("endpoints holds ftp://somewhere; each must be http://host:port", e.getMessage());
    }
}
