package io.shardwright.domain.balance;

import io.shardwright.domain.Shard;
import io.shardwright.domain.balance.Plan.Move;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Simple balancing in three steps: place what has no owner, give an empty executor its share, move one hot shard.
 *
 * <ol>
 *   <li>Shards without an owner and shards of executors that may not keep them go to the least loaded executor,
 *       heaviest first; ties by count, then by id.
 *   <li>An executor that had no shards before gets {@code floor(shards / executors)}, what is missing taken one by one
 *       from whoever has most; of their shards, first those that are still on their way to them. No shard moves between
 *       executors that already had some, so a join moves the least possible number.
 *   <li>If the hottest executor has at least {@value #MAX_DEVIATION} times the load of the coldest, its hottest
 *       measured shard goes to the coldest, provided that the coldest stays below what the hottest has now. That
 *       strictly lowers the peak of the two, so constant loads come to rest.
 * </ol>
 *
 * <p>An unmeasured shard counts as the average of the measured ones, or 1 where nothing is measured; it never moves for
 * its load. Thread-safe, stateless. O(S + k log k + k E) for S shards, k moves and E executors.
 */
public final class NaiveBalancer implements Balancer {

    static final String NAME = "naive";

    /** Ratio of hottest to coldest from which a load move pays (floor 1.8: {@code maxDeviation}). */
    static final double MAX_DEVIATION = 2.0;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Plan plan(BalanceInput input) {
        Tally tally = Tally.of(input);
        List<Move> moves = new ArrayList<>();
        List<Tally.Row> empty =
                tally.rows().stream().filter(row -> row.count() == 0).toList();
        placeHomeless(tally, moves);
        if (!tally.isEmpty()) {
            fill(empty, tally, moves);
            for (int i = 0; i < input.loadMoves(); i++) {
                if (!moveHottest(tally, moves)) {
                    break;
                }
            }
        }
        return new Plan(moves);
    }

    private static void placeHomeless(Tally tally, List<Move> moves) {
        List<Tally.Item> homeless = tally.homeless();
        homeless.sort(Comparator.comparingDouble((Tally.Item item) -> -item.weight()));
        for (Tally.Item item : homeless) {
            Shard shard = item.shard();
            if (tally.isEmpty()) {
                if (shard.owner().isPresent()) {
                    moves.add(new Move(
                            shard.key(), shard.owner(), Optional.empty(), "its owner leaves and nobody can take it"));
                }
                continue;
            }
            Tally.Row target = tally.leastLoaded();
            String why = shard.owner().isEmpty() ? "it had no owner" : "its owner leaves";
            moves.add(new Move(
                    shard.key(),
                    shard.owner(),
                    Optional.of(target.id()),
                    why + "; " + target.id() + " had the least load (" + figure(target.load()) + " in " + target.count()
                            + " shards)"));
            tally.give(target, item);
        }
    }

    private static void fill(List<Tally.Row> joined, Tally tally, List<Move> moves) {
        int share = tally.total() / tally.rows().size();
        for (Tally.Row empty : joined) {
            while (empty.count() < share) {
                Optional<Tally.Row> donor = tally.richest(share);
                if (donor.isEmpty()) {
                    return;
                }
                Tally.Item item = tally.takeLast(donor.get());
                moves.add(new Move(
                        item.shard().key(),
                        item.shard().owner(),
                        Optional.of(empty.id()),
                        empty.id() + " had no shards; its share is " + share + " and "
                                + donor.get().id() + " had " + (donor.get().count() + 1)));
                tally.give(empty, item);
            }
        }
    }

    private static boolean moveHottest(Tally tally, List<Move> moves) {
        Tally.Row hot = tally.mostLoaded();
        Tally.Row cold = tally.leastLoaded();
        if (hot == cold || hot.load() < MAX_DEVIATION * cold.load() || hot.load() <= 0) {
            return false;
        }
        Optional<Tally.Item> hottest = hot.hottestMeasured();
        if (hottest.isEmpty() || cold.load() + hottest.get().weight() >= hot.load()) {
            return false;
        }
        Tally.Item item = hottest.get();
        moves.add(new Move(
                item.shard().key(),
                Optional.of(hot.id()),
                Optional.of(cold.id()),
                "load " + figure(item.weight()) + " moves from the hottest executor (" + figure(hot.load())
                        + ") to the coldest (" + figure(cold.load()) + ")"));
        tally.take(hot, item);
        tally.give(cold, item);
        return true;
    }

    private static String figure(double load) {
        return String.format(Locale.ROOT, "%.2f", load);
    }
}
