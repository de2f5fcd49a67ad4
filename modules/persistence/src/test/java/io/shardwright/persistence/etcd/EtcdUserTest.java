package io.shardwright.persistence.etcd;

import static io.shardwright.persistence.StoreCalls.failure;
import static io.shardwright.persistence.StoreCalls.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
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
import io.shardwright.testkit.Authority;
import io.shardwright.testkit.Authority.KeyForm;
import io.shardwright.testkit.Authority.Order;
import io.shardwright.testkit.Certificates;
import io.shardwright.testkit.EtcdUsers;
import io.shardwright.testkit.TestEtcd;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A user of etcd, and all the ways in which its token is lost. */
@Tag("R73")
final class EtcdUserTest {

    private static final String PREFIX = "/mine/";
    private static final Bytes A = Bytes.utf8(PREFIX + "a");

    private final Backend backend = Backend.real();
    private final List<AutoCloseable> open = new ArrayList<>(List.of(backend));

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
    }

    /** A running etcd with the user {@code root} and the user {@code shards}, who may use one prefix. */
    private final class Guarded {
        final TestEtcd etcd;
        final EtcdUsers users;

        Guarded(String... flags) {
            etcd = TestEtcd.start(flags);
            open.add(etcd);
            users = EtcdUsers.enable(etcd, PREFIX, "shards");
            open.add(users);
        }

        StoreCalls as(String user, String password) {
            Store store = EtcdStore.open(
                    EtcdSettings.of(List.of(URI.create(etcd.endpoint()))).withUser(user, password), backend.loop());
            open.add(store);
            return new StoreCalls(backend, store);
        }

        StoreCalls shards() {
            return as("shards", EtcdUsers.password("shards"));
        }
    }

    private static Outcome<?> read(StoreCalls calls) {
        return calls.range(RangeRequest.of(KeyRange.prefix(Bytes.utf8(PREFIX))));
    }

    private static void assertEveryCallIsDone(StoreCalls calls, Runnable loseToken) {
        Lease lease = calls.grant(60);
        List<Runnable> all = List.of(
                () -> assertInstanceOf(Outcome.Success.class, read(calls)),
                () -> calls.write(put(A, "again")),
                () -> calls.grant(60),
                () -> StoreCalls.expect(calls.keepAlive(lease.id())),
                () -> StoreCalls.expect(calls.timeToLive(lease.id())));
        for (Runnable call : all) {
            loseToken.run();
            call.run();
        }
    }

    /** An etcd that forgets a token that was not used for a second, as others do after five minutes. */
    private Guarded forgetful() {
        return new Guarded("--auth-token-ttl=1");
    }

    private static void awaitForgotten() {
        LockSupport.parkNanos(Duration.ofSeconds(3).toNanos());
    }

    @Test
    @Tag("R74")
    void aTokenThatEtcdHasForgottenMeansLoggingInAndSendingOnceMore() {
        Guarded guarded = forgetful();
        StoreCalls calls = guarded.shards();
        calls.write(put(A, "1"));
        awaitForgotten();
        calls.write(put(A, "2"));
        assertEquals("2", calls.get(A).orElseThrow().value().toUtf8());
    }

    @Test
    @Tag("R74")
    @Tag("R75")
    @Tag("R76")
    @Tag("R77")
    void aTokenFromBeforeAChangeOfUsersMeansLoggingInAndSendingOnceMore() {
        Certificates.Pair signing = Authority.selfSigned(Order.of("CN=tokens").key("RSA", KeyForm.TRADITIONAL));
        Guarded guarded = new Guarded("--auth-token=jwt,sign-method=RS256,ttl=10m,pub-key=" + signing.certificate()
                + ",priv-key=" + signing.key());
        StoreCalls calls = guarded.shards();
        calls.write(put(A, "1"));
        int[] change = {0};
        assertEveryCallIsDone(calls, () -> guarded.users.add("another " + change[0]++));
    }

    @Test
    @Tag("R74")
    void aTokenWhoseTimeIsOverMeansLoggingInAndSendingOnceMore() {
        Certificates.Pair signing = Authority.selfSigned(Order.of("CN=tokens").key("RSA", KeyForm.TRADITIONAL));
        Guarded guarded = new Guarded("--auth-token=jwt,sign-method=RS256,ttl=1s,pub-key=" + signing.certificate()
                + ",priv-key=" + signing.key());
        StoreCalls calls = guarded.shards();
        long end = System.nanoTime() + 5_000_000_000L;
        while (System.nanoTime() - end < 0) {
            calls.write(put(A, "over and over"));
        }
    }

    @Test
    void aWatchThatIsRefusedForItsTokenLogsInWhenItIsAskedForAgain() {
        StoreCalls calls = forgetful().shards();
        calls.write(put(A, "1"));
        awaitForgotten();
        calls.watch(KeyRange.single(A), 2).end();
        assertEquals(1, calls.watch(KeyRange.single(A), 2).events(1).size());
    }

    @Test
    void aPasswordThatChangedIsRefusedUntilItIsKnown() {
        Guarded guarded = new Guarded();
        StoreCalls calls = guarded.shards();
        calls.write(put(A, "1"));
        guarded.users.changePassword("shards", "new");
        assertTrue(calls.waitUntil(() -> read(calls) instanceof Outcome.Failure));
        assertEquals(Fault.Kind.DENIED, failure(read(calls)));
        guarded.as("shards", "new").write(put(A, "2"));
    }

    @Test
    @Tag("R71")
    void aUserOutsideOfItsPrefixIsDenied() {
        Guarded guarded = new Guarded();
        StoreCalls calls = guarded.shards();
        Bytes elsewhere = Bytes.utf8("/theirs/a");
        assertEquals(
                Fault.Kind.DENIED, failure(calls.txn(new Txn(List.of(), List.of(put(elsewhere, "1")), List.of()))));
        assertEquals(Fault.Kind.DENIED, failure(calls.range(RangeRequest.of(KeyRange.single(elsewhere)))));
    }

    @Test
    void aUserMayBeSetBeforeEtcdAsksForOne() {
        Guarded guarded = new Guarded();
        guarded.users.disable();
        StoreCalls calls = guarded.shards();
        calls.write(put(A, "1"));
        guarded.users.enable();
        calls.write(put(A, "2"));
        assertFalse(calls.get(A).isEmpty());
    }
}
