package io.shardwright.domain.balance;

import io.shardwright.domain.ExecutorId;
import io.shardwright.domain.Shard;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.TreeSet;

/** Who has how much, kept up to date while a plan is made. Used by one planning call only. */
final class Tally {

    private static final Comparator<Row> BY_LOAD =
            Comparator.comparingDouble(Row::load).thenComparingInt(Row::count).thenComparing(Row::id);

    /** A shard with the weight it counts with. */
    record Item(Shard shard, double weight, boolean measured) {}

    /** One executor. */
    static final class Row {
        private final ExecutorId id;
        private final List<Item> movable = new ArrayList<>();
        private final List<Item> incoming = new ArrayList<>();
        private int count;
        private double load;

        private Row(ExecutorId id) {
            this.id = id;
        }

        ExecutorId id() {
            return id;
        }

        int count() {
            return count;
        }

        double load() {
            return load;
        }

        /** The hottest measured shard that this executor holds and was not asked to release; ties by table order. */
        Optional<Item> hottestMeasured() {
            Optional<Item> hottest = Optional.empty();
            for (Item item : movable) {
                if (item.measured()
                        && (hottest.isEmpty() || item.weight() > hottest.get().weight())) {
                    hottest = Optional.of(item);
                }
            }
            return hottest;
        }
    }

    private final List<Row> rows;
    private final TreeSet<Row> byLoad = new TreeSet<>(BY_LOAD);
    private final List<Item> homeless = new ArrayList<>();
    private int total;

    private Tally(List<Row> rows) {
        this.rows = rows;
    }

    static Tally of(BalanceInput input) {
        TreeMap<ExecutorId, Row> byId = new TreeMap<>();
        input.eligible().forEach(id -> byId.put(id, new Row(id)));
        Tally tally = new Tally(List.copyOf(byId.values()));
        List<Shard> shards = new ArrayList<>(input.table().size());
        List<OptionalDouble> reported = new ArrayList<>(input.table().size());
        double sum = 0;
        int measured = 0;
        input.table().forEach(shards::add);
        for (Shard shard : shards) {
            OptionalDouble load = input.load().apply(shard);
            reported.add(load);
            if (load.isPresent()) {
                sum += load.getAsDouble();
                measured++;
            }
        }
        double unmeasured = measured == 0 ? 1 : sum / measured;
        for (int i = 0; i < shards.size(); i++) {
            Shard shard = shards.get(i);
            if (!input.drained().test(shard.key())) {
                OptionalDouble load = reported.get(i);
                tally.add(byId, new Item(shard, load.orElse(unmeasured), load.isPresent()));
            }
        }
        tally.byLoad.addAll(tally.rows);
        return tally;
    }

    private void add(TreeMap<ExecutorId, Row> byId, Item item) {
        switch (item.shard().state()) {
            case Shard.State.Unassigned() -> homeless.add(item);
            case Shard.State.Assigned(ExecutorId owner) -> {
                Row row = byId.get(owner);
                if (row == null) {
                    homeless.add(item);
                } else {
                    row.movable.add(item);
                    count(row, item);
                }
            }
            case Shard.State.Releasing(ExecutorId owner, Optional<ExecutorId> next) -> {
                // Already on its way. Where its target is gone it is placed anew when it was released.
                Row row = next.map(byId::get).orElse(null);
                if (row != null) {
                    row.incoming.add(item);
                    count(row, item);
                }
            }
        }
    }

    private void count(Row row, Item item) {
        row.count++;
        row.load += item.weight();
        total++;
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    List<Row> rows() {
        return rows;
    }

    List<Item> homeless() {
        return homeless;
    }

    int total() {
        return total;
    }

    Row leastLoaded() {
        return byLoad.first();
    }

    Row mostLoaded() {
        return byLoad.last();
    }

    /** The executor with most shards, if it stays at or above {@code share} without one; ties by load, then by id. */
    Optional<Row> richest(int share) {
        Optional<Row> richest = Optional.empty();
        for (Row row : rows) {
            if (row.count > share
                    && !(row.movable.isEmpty() && row.incoming.isEmpty())
                    && (richest.isEmpty()
                            || row.count > richest.get().count
                            || (row.count == richest.get().count && row.load > richest.get().load))) {
                richest = Optional.of(row);
            }
        }
        return richest;
    }

    void give(Row row, Item item) {
        byLoad.remove(row);
        count(row, item);
        byLoad.add(row);
    }

    /**
     * Takes the last shard in table order that the executor may give: one that is still on its way to it if there is
     * any, because that one moves anyway.
     */
    Item takeLast(Row row) {
        List<Item> from = row.incoming.isEmpty() ? row.movable : row.incoming;
        Item item = from.get(from.size() - 1);
        take(row, from, item);
        return item;
    }

    void take(Row row, Item item) {
        take(row, row.movable, item);
    }

    private void take(Row row, List<Item> from, Item item) {
        byLoad.remove(row);
        from.remove(from.lastIndexOf(item));
        row.count--;
        row.load -= item.weight();
        total--;
        byLoad.add(row);
    }
}
