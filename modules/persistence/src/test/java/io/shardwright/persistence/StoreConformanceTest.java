package io.shardwright.persistence;

import static io.shardwright.persistence.StoreCalls.delete;
import static io.shardwright.persistence.StoreCalls.expect;
import static io.shardwright.persistence.StoreCalls.failure;
import static io.shardwright.persistence.StoreCalls.filled;
import static io.shardwright.persistence.StoreCalls.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.domain.Outcome;
import io.shardwright.domain.Outcome.Fault;
import io.shardwright.persistence.StoreLeases.Lease;
import io.shardwright.persistence.Txn.Compare;
import io.shardwright.persistence.Txn.Op;
import io.shardwright.persistence.Txn.Relation;
import io.shardwright.persistence.Txn.Target;
import io.shardwright.persistence.TxnResponse.OpResult;
import io.shardwright.persistence.WatchBatch.Event;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every Store does. One subclass for each adapter; the one for etcd runs it against a real etcd, so what it says
 * is true of etcd.
 *
 * <p>All tests of a class share one store, one after the other, and each uses keys of its own that lie after the keys
 * of the tests before it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class StoreConformanceTest {

    private Backend backend;
    private Store store;
    private StoreCalls calls;
    private int tests;
    private String prefix;
    private Bytes a;
    private Bytes b;
    private Bytes c;

    /** Makes the clock and the loop. */
    protected abstract Backend backend() throws Exception;

    /** Opens an empty store with etcd's default limits. */
    protected abstract Store open(Backend on) throws Exception;

    /** Opens one more store that may be closed by a test. */
    protected abstract Store openAnother(Backend on) throws Exception;

    @BeforeAll
    void openStore() throws Exception {
        backend = backend();
        store = open(backend);
        calls = new StoreCalls(backend, store);
    }

    @AfterAll
    void closeStore() {
        store.close();
        backend.close();
    }

    @BeforeEach
    void chooseKeys() {
        prefix = "t%04d/".formatted(++tests);
        a = key("a");
        b = key("b");
        c = key("c");
    }

    private Bytes key(String name) {
        return Bytes.utf8(prefix + name);
    }

    private KeyRange all() {
        return KeyRange.prefix(Bytes.utf8(prefix));
    }

    private List<Bytes> keys(RangeResponse response) {
        return response.kvs().stream().map(KeyValue::key).toList();
    }

    private static Txn when(Compare compare, Op... ops) {
        return new Txn(List.of(compare), List.of(ops), List.of());
    }

    // ---- revisions -------------------------------------------------------------------------------------------------

    @Test
    void aKeyRemembersItsCreationItsLastWriteAndItsVersion() {
        long created = calls.write(put(a, "1"));
        long written = calls.write(put(a, "2"));
        assertEquals(created + 1, written);
        assertEquals(Optional.of(new KeyValue(a, Bytes.utf8("2"), created, written, 2, 0)), calls.get(a));
    }

    @Test
    void aKeyStartsAnewAfterItsDeletion() {
        calls.write(put(a, "1"));
        calls.write(put(a, "2"));
        calls.write(delete(a));
        assertEquals(Optional.empty(), calls.get(a));
        long again = calls.write(put(a, "3"));
        assertEquals(Optional.of(new KeyValue(a, Bytes.utf8("3"), again, again, 1, 0)), calls.get(a));
    }

    @Test
    void allWritesOfATransactionShareOneRevision() {
        long revision = calls.write(put(a, "1"), put(b, "1"), put(c, "1"));
        calls.read(all()).kvs().forEach(kv -> assertEquals(revision, kv.modRevision()));
        assertEquals(revision, calls.read(all()).revision());
    }

    @Test
    void whatWritesNothingTakesNoRevision() {
        long before = calls.write(put(a, "1"));
        assertEquals(before, calls.write(delete(b)));
        assertEquals(before, calls.write(new Op.Range(RangeRequest.of(all()))));
        assertEquals(before, calls.write());
        assertEquals(
                before,
                expect(calls.txn(when(Compare.modRevision(a, 1_000_000_000), put(a, "2"))))
                        .revision());
        assertEquals(before + 1, calls.write(put(a, "1")), "the same value again is a write");
    }

    // ---- compares --------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @CsvSource({"VERSION, 3", "CREATE_REVISION, 1", "MOD_REVISION, 2", "LEASE, 4"})
    void numbersOfAKeyCompareInEveryRelation(Target target, int which) {
        Lease lease = calls.grant(60);
        long created = calls.write(put(a, "1"));
        calls.write(put(a, "2"));
        long written = calls.write(new Op.Put(a, Bytes.utf8("3"), lease.id()));
        long actual = List.of(created, written, 3L, lease.id()).get(which - 1);
        assertRelations(target, actual, List.of(Relation.EQUAL));
        assertRelations(target, actual - 1, List.of(Relation.GREATER, Relation.NOT_EQUAL));
        assertRelations(target, actual + 1, List.of(Relation.LESS, Relation.NOT_EQUAL));
        expect(calls.revoke(lease.id()));
    }

    private void assertRelations(Target target, long number, List<Relation> holding) {
        for (Relation relation : Relation.values()) {
            assertEquals(
                    holding.contains(relation),
                    expect(calls.txn(when(Compare.on(a, target, relation, number))))
                            .succeeded(),
                    target + " " + relation + " " + number);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "m, EQUAL, true",
        "m, NOT_EQUAL, false",
        "a, GREATER, true",
        "a, NOT_EQUAL, true",
        "z, LESS, true",
        "z, GREATER, false",
        "mm, LESS, true"
    })
    void valuesCompareByteByByte(String value, Relation relation, boolean holds) {
        calls.write(put(a, "m"));
        assertEquals(
                holds,
                expect(calls.txn(when(Compare.onValue(a, relation, Bytes.utf8(value)))))
                        .succeeded());
    }

    @Test
    void valuesCompareUnsigned() {
        calls.write(new Op.Put(a, Bytes.of(new byte[] {(byte) 0xff}), 0));
        assertTrue(expect(calls.txn(when(Compare.onValue(a, Relation.GREATER, Bytes.of(new byte[] {0x7f})))))
                .succeeded());
    }

    @Test
    void anAbsentKeyHasZeroNumbersAndNoValue() {
        for (Target target : List.of(Target.VERSION, Target.CREATE_REVISION, Target.MOD_REVISION, Target.LEASE)) {
            assertTrue(
                    expect(calls.txn(when(Compare.on(a, target, Relation.EQUAL, 0))))
                            .succeeded(),
                    target::name);
            assertTrue(
                    expect(calls.txn(when(Compare.on(a, target, Relation.LESS, 1))))
                            .succeeded(),
                    target::name);
        }
        for (Relation relation : Relation.values()) {
            assertFalse(
                    expect(calls.txn(when(Compare.onValue(a, relation, Bytes.EMPTY))))
                            .succeeded(),
                    relation::name);
        }
    }

    @Test
    void allComparesMustHoldAndTheOtherBranchRunsIfOneDoesNot() {
        long revision = calls.write(put(a, "1"));
        Compare holds = Compare.modRevision(a, revision);
        Compare fails = Compare.createRevision(a, 0);
        TxnResponse both =
                expect(calls.txn(new Txn(List.of(holds, fails), List.of(put(b, "then")), List.of(put(b, "else")))));
        assertFalse(both.succeeded());
        assertEquals("else", calls.get(b).orElseThrow().value().toUtf8());
        TxnResponse one = expect(calls.txn(new Txn(List.of(holds), List.of(put(b, "then")), List.of(put(b, "else")))));
        assertTrue(one.succeeded());
        assertEquals(both.revision() + 1, one.revision());
        assertEquals("then", calls.get(b).orElseThrow().value().toUtf8());
    }

    // ---- operations of a transaction -------------------------------------------------------------------------------

    @Test
    void aReadSeesTheWritesBeforeItInItsTransaction() {
        long before = calls.write(put(a, "old"), put(b, "old"));
        Op readAll = new Op.Range(RangeRequest.of(all()));
        TxnResponse response = expect(calls.txn(
                new Txn(List.of(), List.of(readAll, put(a, "new"), delete(b), put(c, "new"), readAll), List.of())));
        RangeResponse first = ((OpResult.Ranged) response.results().get(0)).response();
        RangeResponse last = ((OpResult.Ranged) response.results().get(4)).response();
        assertEquals(List.of(a, b), keys(first));
        assertEquals(before, first.revision());
        assertEquals(List.of(a, c), keys(last));
        assertEquals(2, last.count());
        assertEquals("new", last.kvs().getFirst().value().toUtf8());
        assertEquals(before + 1, last.kvs().getFirst().modRevision());
        assertEquals(2, last.kvs().getFirst().version());
        assertEquals(before + 1, last.revision());
        assertEquals(new OpResult.Deleted(1), response.results().get(2));
        assertEquals(new OpResult.Put(), response.results().get(1));
    }

    @Test
    void deletingARangeTellsHowManyKeysWent() {
        calls.write(put(a, "1"), put(b, "1"), put(c, "1"));
        TxnResponse response = expect(calls.txn(new Txn(
                List.of(),
                List.of(new Op.Delete(new KeyRange(a, c)), new Op.Delete(all()), new Op.Delete(all())),
                List.of())));
        assertEquals(
                List.of(new OpResult.Deleted(2), new OpResult.Deleted(1), new OpResult.Deleted(0)), response.results());
        assertEquals(0, calls.read(all()).count());
    }

    @Test
    void oneKeyIsNotWrittenTwiceInOneTransaction() {
        long before = calls.write(put(c, "1"));
        assertEquals(
                Fault.Kind.INVALID,
                failure(calls.txn(new Txn(List.of(), List.of(put(a, "1"), put(a, "2")), List.of()))));
        assertEquals(
                Fault.Kind.INVALID, failure(calls.txn(new Txn(List.of(), List.of(put(a, "1"), delete(a)), List.of()))));
        assertEquals(
                Fault.Kind.INVALID,
                failure(calls.txn(new Txn(List.of(), List.of(new Op.Delete(all()), put(a, "1")), List.of()))));
        assertEquals(
                Fault.Kind.INVALID,
                failure(calls.txn(new Txn(List.of(), List.of(), List.of(put(a, "1"), put(a, "2"))))),
                "the branch that does not run is checked too");
        assertEquals(before, calls.read(all()).revision());
        assertEquals(
                before + 1,
                calls.write(
                        new Op.Delete(new KeyRange(a, b)),
                        new Op.Delete(all()),
                        put(Bytes.utf8(prefix.replace('t', 'u')), "x")));
    }

    @Test
    void aPutThatAnOpenEndedDeleteCoversIsRefused() {
        long before = calls.write(put(c, "1"));
        Op deleteAll = new Op.Delete(KeyRange.from(a));
        for (List<Op> ops : List.of(List.of(put(b, "1"), deleteAll), List.of(deleteAll, put(b, "1")))) {
            assertEquals(Fault.Kind.INVALID, failure(calls.txn(new Txn(List.of(), ops, List.of()))));
            assertEquals(Fault.Kind.INVALID, failure(calls.txn(new Txn(List.of(), List.of(), ops))));
        }
        assertEquals(
                before + 1, calls.write(new Op.Delete(KeyRange.from(b)), put(a, "1")), "it does not cover the put");
    }

    @Test
    void aTransactionWithTwoFaultsIsRefusedForItsWriteFirst() {
        Op unknownLease = new Op.Put(a, Bytes.utf8("1"), 0x7ead_beefL);
        Op future = new Op.Range(RangeRequest.of(all()).at(1_000_000_000));
        for (List<Op> ops : List.of(List.of(future, unknownLease), List.of(unknownLease, future))) {
            assertEquals(Fault.Kind.NOT_FOUND, failure(calls.txn(new Txn(List.of(), ops, List.of()))));
        }
    }

    @Test
    void anEmptyKeyIsRefused() {
        assertEquals(
                Fault.Kind.INVALID, failure(calls.txn(new Txn(List.of(), List.of(put(Bytes.EMPTY, "1")), List.of()))));
        assertEquals(
                Fault.Kind.INVALID, failure(calls.txn(new Txn(List.of(), List.of(delete(Bytes.EMPTY)), List.of()))));
        assertEquals(Fault.Kind.INVALID, failure(calls.txn(when(Compare.createRevision(Bytes.EMPTY, 0)))));
        assertEquals(Fault.Kind.INVALID, failure(calls.range(RangeRequest.of(KeyRange.single(Bytes.EMPTY)))));
    }

    // ---- limits ----------------------------------------------------------------------------------------------------

    @Test
    void a128thOperationIsAcceptedAndA129thIsRefused() {
        List<Op> ops = new ArrayList<>(IntStream.range(0, 128)
                .<Op>mapToObj(i -> put(key("k%03d".formatted(i)), "v"))
                .toList());
        long before = calls.write(ops.toArray(Op[]::new));
        ops.add(put(key("one-more"), "v"));
        assertEquals(Fault.Kind.INVALID, failure(calls.txn(new Txn(List.of(), ops, List.of()))));
        assertEquals(Fault.Kind.INVALID, failure(calls.txn(new Txn(List.of(), List.of(), ops))));
        List<Compare> compares = IntStream.range(0, 129)
                .mapToObj(i -> Compare.createRevision(key("k" + i), 0))
                .toList();
        assertEquals(Fault.Kind.INVALID, failure(calls.txn(new Txn(compares, List.of(), List.of()))));
        RangeResponse read = calls.read(all());
        assertEquals(128, read.count());
        assertEquals(before, read.revision());
    }

    @Test
    void aLargeValueComesBackAndATooLargeOneIsRefused() {
        Bytes large = filled(1_500_000);
        calls.write(new Op.Put(a, large, 0));
        assertEquals(large, calls.get(a).orElseThrow().value());
        Bytes tooLarge = filled(1536 * 1024 + 1);
        assertEquals(
                Fault.Kind.INVALID,
                failure(calls.txn(new Txn(List.of(), List.of(new Op.Put(a, tooLarge, 0)), List.of()))));
        Bytes huge = filled(5_000_000);
        assertEquals(
                Fault.Kind.INVALID, failure(calls.txn(new Txn(List.of(), List.of(new Op.Put(a, huge, 0)), List.of()))));
        assertEquals(large, calls.get(a).orElseThrow().value());
    }

    @Test
    void manyLargeValuesComeBackInOneRead() {
        Bytes large = filled(1_200_000);
        for (int i = 0; i < 5; i++) {
            calls.write(new Op.Put(key("k" + i), large, 0));
        }
        assertEquals(
                5,
                calls.read(all()).kvs().stream()
                        .filter(kv -> kv.value().equals(large))
                        .count());
    }

    @Test
    void anEmptyValueIsAValue() {
        calls.write(put(a, ""));
        assertEquals(Bytes.EMPTY, calls.get(a).orElseThrow().value());
        assertTrue(expect(calls.txn(when(Compare.onValue(a, Relation.EQUAL, Bytes.EMPTY))))
                .succeeded());
    }

    // ---- ranges ----------------------------------------------------------------------------------------------------

    @Test
    void keysAreOrderedUnsignedAndAPrefixComesBeforeWhatItBegins() {
        byte[] start = prefix.getBytes(StandardCharsets.UTF_8);
        List<Bytes> ordered = new ArrayList<>();
        for (int last : new int[] {0x00, 0x01, 0x7f, 0x80, 0xff}) {
            byte[] key = Arrays.copyOf(start, start.length + 1);
            key[start.length] = (byte) last;
            ordered.add(Bytes.of(key));
            ordered.add(Bytes.of(Arrays.copyOf(key, key.length + 1)));
        }
        for (Bytes key : ordered.reversed()) {
            calls.write(put(key, "v"));
        }
        assertEquals(ordered, keys(calls.read(all())));
    }

    @Test
    void rangesEndWhereTheySay() {
        Bytes after = Bytes.utf8(prefix.replace('t', 'u') + "x");
        calls.write(put(a, "1"), put(b, "1"), put(key("bb"), "1"), put(c, "1"), put(after, "1"));
        assertEquals(List.of(b), keys(calls.read(KeyRange.single(b))));
        assertEquals(List.of(a, b, key("bb")), keys(calls.read(new KeyRange(a, c))));
        assertEquals(List.of(b, key("bb")), keys(calls.read(KeyRange.prefix(b))));
        List<Bytes> from = keys(calls.read(KeyRange.from(key("bb"))));
        assertEquals(List.of(key("bb"), c), from.subList(0, 2));
        assertTrue(from.contains(after));
        assertEquals(List.of(), keys(calls.read(new KeyRange(c, a))), "an end before the start");
        assertTrue(keys(calls.read(KeyRange.prefix(Bytes.EMPTY))).containsAll(List.of(a, after)));
        calls.write(delete(after));
    }

    @Test
    void aLimitLeavesKeysOutAndSaysSo() {
        calls.write(put(a, "1"), put(b, "1"), put(c, "1"));
        RangeResponse two = expect(calls.range(RangeRequest.of(all()).limit(2)));
        assertEquals(List.of(a, b), keys(two));
        assertTrue(two.more());
        assertEquals(3, two.count());
        RangeResponse three = expect(calls.range(RangeRequest.of(all()).limit(3)));
        assertFalse(three.more());
        assertEquals(3, three.kvs().size());
    }

    @Test
    void keysOnlyLeavesTheValuesOut() {
        long revision = calls.write(put(a, "1"));
        assertEquals(
                List.of(new KeyValue(a, Bytes.EMPTY, revision, revision, 1, 0)),
                expect(calls.range(new RangeRequest(all(), 0, 0, true))).kvs());
    }

    @Test
    void aReadAtARevisionSeesThePast() {
        long first = calls.write(put(a, "1"));
        long second = calls.write(put(a, "2"), put(b, "1"));
        long third = calls.write(delete(a));
        RangeResponse past = expect(calls.range(RangeRequest.of(all()).at(first)));
        assertEquals(List.of(new KeyValue(a, Bytes.utf8("1"), first, first, 1, 0)), past.kvs());
        assertEquals(third, past.revision(), "the answer names the newest revision");
        assertEquals(
                List.of(a, b), keys(expect(calls.range(RangeRequest.of(all()).at(second)))));
        assertEquals(List.of(b), keys(expect(calls.range(RangeRequest.of(all()).at(third)))));
        assertEquals(
                0, expect(calls.range(RangeRequest.of(all()).at(first - 1))).count());
    }

    @Test
    void aReadOfAFutureRevisionIsRefused() {
        long now = calls.write(put(a, "1"));
        assertEquals(
                Fault.Kind.OUT_OF_RANGE,
                failure(calls.range(RangeRequest.of(all()).at(now + 1))));
        assertEquals(
                Fault.Kind.OUT_OF_RANGE,
                failure(calls.txn(new Txn(
                        List.of(),
                        List.of(put(a, "2"), new Op.Range(RangeRequest.of(all()).at(now + 1))),
                        List.of()))));
        assertEquals("1", calls.get(a).orElseThrow().value().toUtf8(), "nothing of the transaction happened");
    }

    // ---- compaction ------------------------------------------------------------------------------------------------

    @Test
    void compactedRevisionsAreRefusedAndNewerOnesStay() {
        long first = calls.write(put(a, "1"), put(c, "1"));
        long second = calls.write(put(a, "2"));
        long third = calls.write(put(a, "3"), put(b, "1"));
        calls.write(delete(a));
        expect(calls.compact(second));
        assertEquals(
                Fault.Kind.OUT_OF_RANGE,
                failure(calls.range(RangeRequest.of(all()).at(first))));
        assertEquals(
                "2",
                expect(calls.range(RangeRequest.of(KeyRange.single(a)).at(second)))
                        .kvs()
                        .getFirst()
                        .value()
                        .toUtf8());
        assertEquals(
                List.of(a, b, c), keys(expect(calls.range(RangeRequest.of(all()).at(third)))));
        assertEquals(List.of(b, c), keys(calls.read(all())));
        assertEquals(Fault.Kind.OUT_OF_RANGE, calls.watch(all(), first).end());
        assertEquals(third, calls.watch(all(), second + 1).events(3).getFirst().revision());
    }

    @Test
    void compactionRefusesTheFutureAndThePast() {
        long now = calls.write(put(a, "1"));
        assertEquals(Fault.Kind.OUT_OF_RANGE, failure(calls.compact(now + 1)));
        expect(calls.compact(now));
        assertEquals(Fault.Kind.OUT_OF_RANGE, failure(calls.compact(now)));
        assertEquals(Fault.Kind.OUT_OF_RANGE, failure(calls.compact(now - 1)));
        assertEquals("1", calls.get(a).orElseThrow().value().toUtf8());
    }

    @Test
    void aWatchFromTheCompactedRevisionIsRefusedAndTheNextMissesNothing() {
        calls.write(put(a, "1"));
        long deleted = calls.write(delete(a));
        StoreCalls.Watched early = calls.watch(all(), deleted + 1);
        expect(calls.compact(deleted));
        assertEquals(Fault.Kind.OUT_OF_RANGE, calls.watch(all(), deleted).end());
        long next = calls.write(delete(a), put(b, "1"));
        assertEquals(next, early.events(1).getFirst().revision());
        assertEquals(
                List.of(next),
                calls.watch(all(), deleted + 1).events(1).stream()
                        .map(Event::revision)
                        .toList());
        early.cancel();
    }

    // ---- watches ---------------------------------------------------------------------------------------------------

    @Test
    void aWatchFromARevisionHearsThatRevisionAndAllAfterIt() {
        calls.write(put(a, "before"));
        long first = calls.write(put(a, "1"), put(b, "1"));
        long second = calls.write(delete(a));
        StoreCalls.Watched watched = calls.watch(all(), first);
        watched.events(3);
        long third = calls.write(put(c, "live"));
        List<Event> events = watched.events(4);
        assertEquals(
                List.of(
                        new Event.Put(new KeyValue(a, Bytes.utf8("1"), first - 1, first, 2, 0)),
                        new Event.Put(new KeyValue(b, Bytes.utf8("1"), first, first, 1, 0)),
                        new Event.Delete(a, second),
                        new Event.Put(new KeyValue(c, Bytes.utf8("live"), third, third, 1, 0))),
                events);
        watched.cancel();
    }

    @Test
    void aWatchFromNowHearsWhatComesAfterIt() {
        calls.write(put(a, "before"));
        StoreCalls.Watched watched = calls.watch(all(), 0);
        // A watch has no sign that it stands; the first event it hears is one of these, and then it hears all that
        // follow.
        long last = 0;
        for (int i = 0; watched.all().isEmpty(); i++) {
            last = calls.write(put(a, "v" + i));
            if (i == 5) {
                calls.waitUntil(() -> !watched.all().isEmpty());
            }
        }
        long end = calls.write(put(b, "end"));
        calls.waitUntil(() -> watched.all().getLast().revision() == end);
        List<Long> revisions = watched.all().stream().map(Event::revision).toList();
        assertEquals(revisions.stream().sorted().distinct().toList(), revisions);
        assertTrue(revisions.containsAll(List.of(last, end)), revisions::toString);
        watched.cancel();
    }

    @Test
    void aWatchFromAFutureRevisionHearsNothingBeforeIt() {
        long now = calls.write(put(a, "1"));
        StoreCalls.Watched watched = calls.watch(all(), now + 3);
        calls.write(put(a, "2"));
        calls.write(put(a, "3"));
        long third = calls.write(put(a, "4"));
        assertEquals(third, watched.events(1).getFirst().revision());
        watched.cancel();
    }

    @Test
    void aWatchHearsOnlyItsRange() {
        long now = calls.write(put(a, "1"));
        StoreCalls.Watched one = calls.watch(KeyRange.single(b), now + 1);
        StoreCalls.Watched from = calls.watch(KeyRange.from(b), now + 1);
        calls.write(put(a, "2"));
        calls.write(put(b, "2"), put(key("bb"), "2"));
        calls.write(put(c, "2"));
        calls.write(put(b, "3"));
        assertEquals(List.of(b, b), one.events(2).stream().map(Event::key).toList());
        assertEquals(
                List.of(b, key("bb"), c, b),
                from.events(4).stream().map(Event::key).toList());
        one.cancel();
        from.cancel();
    }

    @Test
    void aWatchThatCouldNeverHearOfAChangeIsRefused() {
        for (KeyRange range : List.of(
                KeyRange.single(Bytes.EMPTY), new KeyRange(Bytes.EMPTY, b), new KeyRange(b, b), new KeyRange(b, a))) {
            assertEquals(Fault.Kind.INVALID, calls.watch(range, 0).end(), range::toString);
        }
    }

    @Test
    void theEventsOfATransactionComeAsOneUnit() {
        long now = calls.write(put(a, "0"));
        StoreCalls.Watched watched = calls.watch(all(), now + 1);
        for (int round = 0; round < 20; round++) {
            Op[] ops = IntStream.range(0, 100)
                    .mapToObj(i -> put(key("k" + i), "v"))
                    .toArray(Op[]::new);
            calls.write(ops);
        }
        assertEquals(2000, watched.events(2000).size());
        long last = now;
        for (WatchBatch batch : watched.batches()) {
            assertTrue(batch.events().getFirst().revision() > last, "a revision was split over two batches");
            last = batch.events().getLast().revision();
            assertTrue(batch.revision() >= last);
            assertEquals(0, batch.events().size() % 100);
        }
        watched.cancel();
    }

    @Test
    void aWatchThatIsResumedAfterTheLastRevisionMissesAndRepeatsNothing() {
        long from = calls.write(put(a, "0"));
        List<Long> heard = new ArrayList<>();
        long next = from;
        for (int round = 0; round < 4; round++) {
            StoreCalls.Watched watched = calls.watch(all(), next);
            calls.write(put(a, "x"), put(b, "x"));
            calls.write(put(a, "y"));
            watched.events(1);
            watched.cancel();
            for (WatchBatch batch : List.copyOf(watched.batches())) {
                batch.events().forEach(event -> heard.add(event.revision()));
                next = batch.revision() + 1;
            }
        }
        long end = calls.write(put(c, "end"));
        StoreCalls.Watched last = calls.watch(all(), next);
        calls.waitUntil(() -> !last.all().isEmpty() && last.all().getLast().revision() == end);
        last.all().forEach(event -> heard.add(event.revision()));
        last.cancel();
        List<Long> expected = new ArrayList<>(List.of(from));
        for (long revision = from + 1; revision < end; revision += 2) {
            expected.addAll(List.of(revision, revision, revision + 1));
        }
        expected.add(end);
        assertEquals(expected, heard);
    }

    @Test
    void aCancelledWatchHearsNothingMore() {
        long now = calls.write(put(a, "0"));
        StoreCalls.Watched cancelled = calls.watch(all(), now + 1);
        StoreCalls.Watched other = calls.watch(all(), now + 1);
        calls.write(put(a, "1"));
        cancelled.events(1);
        other.events(1);
        cancelled.cancel();
        cancelled.cancel();
        calls.write(put(a, "2"));
        other.events(2);
        assertEquals(1, cancelled.all().size());
        other.cancel();
    }

    @Test
    void aLargeBacklogArrivesWhole() {
        long first = 0;
        Bytes value = filled(100_000);
        for (int i = 0; i < 60; i++) {
            long revision = calls.write(new Op.Put(a, value, 0));
            first = first == 0 ? revision : first;
        }
        StoreCalls.Watched watched = calls.watch(all(), first);
        assertEquals(60, watched.events(60).size());
        watched.cancel();
    }

    // ---- leases ----------------------------------------------------------------------------------------------------

    @Test
    void aLeaseIsGrantedAtLeastAsLongAsAskedAndCountsDown() {
        Lease lease = calls.grant(100);
        assertNotEquals(0, lease.id());
        assertTrue(lease.grantedTtlSeconds() >= 100);
        Lease left = expect(calls.timeToLive(lease.id()));
        assertTrue(left.ttlSeconds() > 90 && left.ttlSeconds() <= lease.grantedTtlSeconds(), left::toString);
        assertEquals(lease.grantedTtlSeconds(), left.grantedTtlSeconds());
        assertEquals(
                lease.grantedTtlSeconds(), expect(calls.keepAlive(lease.id())).ttlSeconds());
        expect(calls.revoke(lease.id()));
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0, StoreLeases.MAX_TTL_SECONDS + 1, Long.MAX_VALUE})
    void aLeaseThatIsTooShortOrTooLongIsRefused(long ttlSeconds) {
        assertEquals(
                Fault.Kind.INVALID,
                failure(calls.<Lease>await(answer -> store.leases().grant(ttlSeconds, answer))));
    }

    @Test
    void theLongestLeaseCountsDown() {
        Lease lease = calls.grant(StoreLeases.MAX_TTL_SECONDS);
        long left = expect(calls.timeToLive(lease.id())).ttlSeconds();
        assertTrue(left > StoreLeases.MAX_TTL_SECONDS - 30 && left <= StoreLeases.MAX_TTL_SECONDS, "left " + left);
        expect(calls.revoke(lease.id()));
    }

    @Test
    void revokingALeaseDeletesItsKeysInOneRevision() {
        Lease lease = calls.grant(100);
        calls.write(
                new Op.Put(b, Bytes.utf8("1"), lease.id()),
                new Op.Put(a, Bytes.utf8("1"), lease.id()),
                put(c, "stays"));
        assertEquals(lease.id(), calls.get(a).orElseThrow().leaseId());
        long before = calls.write(new Op.Put(key("d"), Bytes.utf8("1"), lease.id()));
        StoreCalls.Watched watched = calls.watch(all(), before + 1);
        assertEquals(before + 1, expect(calls.revoke(lease.id())));
        assertEquals(
                List.of(
                        new Event.Delete(a, before + 1),
                        new Event.Delete(b, before + 1),
                        new Event.Delete(key("d"), before + 1)),
                watched.events(3));
        assertEquals(1, watched.batches().size());
        assertEquals(List.of(c), keys(calls.read(all())));
        watched.cancel();
    }

    @Test
    void revokingALeaseWithoutKeysTakesNoRevision() {
        Lease lease = calls.grant(100);
        long before = calls.write(put(a, "1"));
        assertEquals(before, expect(calls.revoke(lease.id())));
    }

    @Test
    void whatHasEndedIsNotFound() {
        Lease lease = calls.grant(100);
        expect(calls.revoke(lease.id()));
        assertEquals(Fault.Kind.NOT_FOUND, failure(calls.keepAlive(lease.id())));
        assertEquals(Fault.Kind.NOT_FOUND, failure(calls.timeToLive(lease.id())));
        assertEquals(Fault.Kind.NOT_FOUND, failure(calls.revoke(lease.id())));
        long before = calls.write(put(c, "1"));
        assertEquals(
                Fault.Kind.NOT_FOUND,
                failure(calls.txn(new Txn(
                        List.of(), List.of(put(a, "1"), new Op.Put(b, Bytes.utf8("1"), lease.id())), List.of()))));
        assertEquals(before, calls.read(all()).revision());
        assertEquals(List.of(c), keys(calls.read(all())));
    }

    @Test
    void aPutMovesAKeyFromItsLease() {
        Lease first = calls.grant(100);
        Lease second = calls.grant(100);
        calls.write(new Op.Put(a, Bytes.utf8("1"), first.id()), new Op.Put(b, Bytes.utf8("1"), first.id()));
        calls.write(put(a, "free"), new Op.Put(b, Bytes.utf8("2"), second.id()));
        expect(calls.revoke(first.id()));
        assertEquals(List.of(a, b), keys(calls.read(all())));
        expect(calls.revoke(second.id()));
        assertEquals(List.of(a), keys(calls.read(all())));
    }

    @Test
    void aSilentLeaseEndsAndAKeptOneDoesNot() {
        Lease silent = calls.grant(1);
        Lease kept = calls.grant(silent.grantedTtlSeconds() + 2);
        calls.write(new Op.Put(a, Bytes.utf8("1"), silent.id()));
        long before = calls.write(new Op.Put(b, Bytes.utf8("1"), kept.id()));
        StoreCalls.Watched watched = calls.watch(all(), before + 1);
        long start = backend.clock().nanoTime();
        assertEquals(List.of(new Event.Delete(a, before + 1)), watched.events(1));
        double seconds = (backend.clock().nanoTime() - start) / 1e9;
        assertTrue(
                seconds > silent.grantedTtlSeconds() - 0.5 && seconds < silent.grantedTtlSeconds() + 3,
                "ended after " + seconds);
        assertEquals(
                kept.grantedTtlSeconds(), expect(calls.keepAlive(kept.id())).ttlSeconds());
        assertEquals(List.of(b), keys(calls.read(all())));
        assertEquals(Fault.Kind.NOT_FOUND, failure(calls.keepAlive(silent.id())));
        expect(calls.revoke(kept.id()));
        watched.cancel();
    }

    // ---- callers ---------------------------------------------------------------------------------------------------

    @Test
    void answersComeOnTheLoopAndNeverInsideTheCall() {
        List<String> order = new CopyOnWriteArrayList<>();
        backend.loop().execute(() -> {
            store.txn(new Txn(List.of(), List.of(put(a, "1")), List.of()), outcome -> {
                order.add("answer");
                backend.loop().execute(() -> order.add("after"));
                order.add("answer ends");
            });
            order.add("call ends");
        });
        assertTrue(calls.waitUntil(() -> order.size() == 4));
        assertEquals(List.of("call ends", "answer", "answer ends", "after"), order);
    }

    @Test
    void concurrentIncrementsAreNeverLost() {
        int workers = 8;
        int each = 10;
        calls.write(put(a, "0"));
        AtomicInteger done = new AtomicInteger();
        Set<Long> revisions = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < workers; i++) {
            backend.loop().execute(() -> increment(each, done, revisions));
        }
        assertTrue(
                calls.waitUntil(() -> done.get() == workers),
                () -> "only " + done + " of " + workers + " workers ended");
        KeyValue counter = calls.get(a).orElseThrow();
        assertEquals(workers * each, Integer.parseInt(counter.value().toUtf8()));
        assertEquals(workers * each + 1, counter.version());
        assertEquals(workers * each, revisions.size());
    }

    private void increment(int left, AtomicInteger done, Set<Long> revisions) {
        if (left == 0) {
            done.incrementAndGet();
            return;
        }
        store.range(RangeRequest.of(KeyRange.single(a)), read -> {
            KeyValue seen = expect(read).kvs().getFirst();
            int next = Integer.parseInt(seen.value().toUtf8()) + 1;
            store.txn(when(Compare.modRevision(a, seen.modRevision()), put(a, Integer.toString(next))), outcome -> {
                TxnResponse response = expect(outcome);
                if (response.succeeded()) {
                    revisions.add(response.revision());
                }
                increment(response.succeeded() ? left - 1 : left, done, revisions);
            });
        });
    }

    @Test
    void callsThatQueueUpAreEachAnsweredOnceAndEachTakesItsOwnRevision() {
        int count = 300;
        long before = calls.write(put(a, "0"));
        List<Outcome<TxnResponse>> answers = new CopyOnWriteArrayList<>();
        backend.loop().execute(() -> {
            for (int i = 0; i < count; i++) {
                Op op = i % 10 == 9 ? put(Bytes.EMPTY, "refused") : put(key("k" + i), "v");
                store.txn(new Txn(List.of(), List.of(op), List.of()), answers::add);
            }
        });
        assertTrue(calls.waitUntil(() -> answers.size() == count));
        Set<Long> revisions = new HashSet<>();
        answers.forEach(answer -> {
            if (answer instanceof Outcome.Success<TxnResponse>(TxnResponse response)) {
                revisions.add(response.revision());
            }
        });
        assertEquals(count * 9 / 10, revisions.size());
        assertEquals(before + count * 9 / 10, calls.read(all()).revision());
        assertEquals(count, answers.size());
    }

    @Test
    void aClosedStoreAnswersEveryCallAndEndsItsWatches() throws Exception {
        Store other = openAnother(backend);
        StoreCalls otherCalls = new StoreCalls(backend, other);
        otherCalls.write(put(a, "1"));
        StoreCalls.Watched watched = otherCalls.watch(all(), 0);
        other.close();
        other.close();
        assertEquals(Fault.Kind.UNAVAILABLE, watched.end());
        assertEquals(
                Fault.Kind.UNAVAILABLE, failure(otherCalls.txn(new Txn(List.of(), List.of(put(a, "2")), List.of()))));
        assertEquals(Fault.Kind.UNAVAILABLE, failure(otherCalls.range(RangeRequest.of(all()))));
        assertEquals(Fault.Kind.UNAVAILABLE, failure(otherCalls.compact(1)));
        assertEquals(Fault.Kind.UNAVAILABLE, failure(otherCalls.keepAlive(1)));
        assertEquals(Fault.Kind.UNAVAILABLE, otherCalls.watch(all(), 0).end());
        assertInstanceOf(Optional.class, calls.get(a), "the first store goes on");
    }
}
