package io.shardwright.persistence.differential;

import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.KeyRange;
import io.shardwright.persistence.Txn;
import io.shardwright.persistence.differential.Command.Condition;
import io.shardwright.persistence.differential.Command.Step;
import io.shardwright.persistence.differential.Rev.Anchor;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Draws sequences. What comes first in a choice is what shrinking prefers. */
final class Commands {

    /** Few, so that calls meet; some begin with others, and one holds a byte that is negative in Java. */
    static final List<Bytes> KEYS = List.of(
            Bytes.utf8("a"),
            Bytes.utf8("aa"),
            Bytes.utf8("ab"),
            Bytes.utf8("b"),
            Bytes.utf8("c"),
            Bytes.of(new byte[] {'c', (byte) 0xff}),
            Bytes.utf8("d"));

    /** No drawn lease ends by itself: what depends on the time is in {@link LeaseTimePropertyTest}. */
    private static final List<Long> TTLS = List.of(60L, 600L, 0L, -1L, 9_000_000_000L, 9_000_000_001L, Long.MAX_VALUE);

    private Commands() {}

    static Arbitrary<List<Command>> sequences(int atMost) {
        return commands().list().ofMinSize(1).ofMaxSize(atMost);
    }

    private static Arbitrary<Command> commands() {
        return Arbitraries.frequencyOf(
                Tuple.of(10, transactions()),
                Tuple.of(6, writes()),
                Tuple.of(5, reads().map(read -> read)),
                Tuple.of(
                        3,
                        Combinators.combine(
                                        slots(),
                                        Arbitraries.frequencyOf(
                                                Tuple.of(6, Arbitraries.just(60L)), Tuple.of(1, Arbitraries.of(TTLS))))
                                .as(Command.Grant::new)),
                Tuple.of(1, slots().map(Command.Revoke::new)),
                Tuple.of(1, slots().map(Command.KeepAlive::new)),
                Tuple.of(1, slots().map(Command.TimeToLive::new)),
                Tuple.of(2, Combinators.combine(ranges(), revisions(-3, 3)).as(Command.Watch::new)),
                Tuple.of(1, Arbitraries.integers().between(0, 2).map(Command.Cancel::new)),
                Tuple.of(1, compactions().map(Command.Compact::new)));
    }

    /** Single puts and deletes that always run, so that there is something to see. */
    private static Arbitrary<Command> writes() {
        return steps().map(step -> new Command.Transaction(List.of(), List.of(step), List.of(), 1));
    }

    private static Arbitrary<Command> transactions() {
        return Combinators.combine(
                        conditions().list().ofMaxSize(2),
                        steps().list().ofMaxSize(3),
                        steps().list().ofMaxSize(3),
                        Arbitraries.frequency(Tuple.of(60, 1), Tuple.of(1, 64), Tuple.of(1, 43)))
                .as(Command.Transaction::new);
    }

    private static Arbitrary<Condition> conditions() {
        return Combinators.combine(
                        Arbitraries.frequencyOf(Tuple.of(40, keys()), Tuple.of(1, Arbitraries.just(Bytes.EMPTY))),
                        Arbitraries.of(Txn.Target.class),
                        Arbitraries.of(Txn.Relation.class),
                        Arbitraries.integers().between(0, 3),
                        keyRevisions(),
                        values())
                .as(Commands::condition);
    }

    /** The ids of leases have no order that could be compared: there it is "the same" or "some". */
    private static Condition condition(
            Bytes key, Txn.Target target, Txn.Relation relation, int number, Rev revision, Bytes value) {
        Txn.Relation comparable = target == Txn.Target.LEASE && number != 0 && relation != Txn.Relation.NOT_EQUAL
                ? Txn.Relation.EQUAL
                : relation;
        return new Condition(key, target, comparable, number, revision, value);
    }

    private static Arbitrary<Step> steps() {
        return Arbitraries.frequencyOf(
                Tuple.of(
                        6,
                        Combinators.combine(
                                        keys(),
                                        values(),
                                        Arbitraries.frequency(
                                                Tuple.of(9, 0), Tuple.of(1, 1), Tuple.of(1, 2), Tuple.of(1, 3)))
                                .as(Step.Put::new)),
                Tuple.of(2, keys().map(key -> new Step.Delete(KeyRange.single(key)))),
                Tuple.of(1, ranges().map(Step.Delete::new)),
                Tuple.of(2, reads().map(Step.ReadKeys::new)));
    }

    private static Arbitrary<Command.Read> reads() {
        return Combinators.combine(
                        ranges(),
                        Arbitraries.frequencyOf(Tuple.of(2, Arbitraries.just(Rev.NONE)), Tuple.of(1, revisions(-8, 1))),
                        Arbitraries.integers().between(0, 3),
                        Arbitraries.of(false, true))
                .as(Command.Read::new);
    }

    private static Arbitrary<KeyRange> ranges() {
        Arbitrary<Bytes> ends =
                Arbitraries.frequencyOf(Tuple.of(12, keys()), Tuple.of(1, Arbitraries.just(Bytes.EMPTY)));
        return Arbitraries.frequencyOf(
                Tuple.of(4, keys().map(KeyRange::single)),
                Tuple.of(3, Arbitraries.just(KeyRange.prefix(Bytes.EMPTY))),
                Tuple.of(2, keys().map(KeyRange::prefix)),
                Tuple.of(2, keys().map(KeyRange::from)),
                // Also ends before starts, and starts that are no key.
                Tuple.of(2, Combinators.combine(ends, ends).as(KeyRange::new)));
    }

    private static Arbitrary<Rev> revisions(int lowest, int highest) {
        Arbitrary<Integer> near = Arbitraries.integers().between(lowest, highest);
        return Arbitraries.frequencyOf(
                Tuple.of(2, Arbitraries.just(Rev.NONE)),
                Tuple.of(5, near.map(delta -> new Rev(Anchor.NEWEST, delta, Bytes.EMPTY))),
                Tuple.of(
                        2,
                        Arbitraries.integers()
                                .between(-1, 2)
                                .map(delta -> new Rev(Anchor.COMPACTED, delta, Bytes.EMPTY))));
    }

    private static Arbitrary<Rev> compactions() {
        return Arbitraries.frequencyOf(
                Tuple.of(
                        4,
                        Arbitraries.integers().between(-6, 1).map(delta -> new Rev(Anchor.NEWEST, delta, Bytes.EMPTY))),
                Tuple.of(
                        1,
                        Arbitraries.integers()
                                .between(-1, 2)
                                .map(delta -> new Rev(Anchor.COMPACTED, delta, Bytes.EMPTY))));
    }

    private static Arbitrary<Rev> keyRevisions() {
        return Arbitraries.frequencyOf(
                Tuple.of(1, Arbitraries.just(Rev.NONE)),
                Tuple.of(
                        4,
                        Combinators.combine(
                                        Arbitraries.of(Anchor.WRITTEN, Anchor.CREATED),
                                        Arbitraries.integers().between(-1, 1),
                                        keys())
                                .as(Rev::new)));
    }

    private static Arbitrary<Bytes> keys() {
        return Arbitraries.of(KEYS);
    }

    private static Arbitrary<Bytes> values() {
        return Arbitraries.of(Bytes.utf8("x"), Bytes.utf8("y"), Bytes.EMPTY, Bytes.of(new byte[] {(byte) 0xff}));
    }

    private static Arbitrary<Integer> slots() {
        return Arbitraries.integers().between(1, 3);
    }
}
