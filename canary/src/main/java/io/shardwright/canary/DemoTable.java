package io.shardwright.canary;

import io.shardwright.canary.ping.Findings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a demo shows at one moment.
 *
 * @param since time since the start
 * @param shards number of shards
 * @param rows the executors
 * @param unowned shards that the routing table gives to nobody
 * @param unserved shards whose owner does not answer
 * @param counts what the pings found
 */
record DemoTable(Duration since, int shards, List<Row> rows, int unowned, int unserved, Findings.Counts counts) {

    private static final int BAR = 32;

    /**
     * One executor.
     *
     * @param id its id
     * @param pid its process; 0 when it is gone
     * @param shards number of its shards
     * @param load sum of their loads
     * @param lowEpoch lowest epoch of its shards
     * @param highEpoch highest epoch of its shards
     */
    record Row(String id, long pid, int shards, double load, long lowEpoch, long highEpoch) {}

    List<String> render(boolean unicode) {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%-10s %8s %7s  %-" + BAR + "s %10s  %s",
                "executor",
                "pid",
                "shards",
                "",
                "load",
                "epochs"));
        int most = rows.stream().mapToInt(Row::shards).max().orElse(1);
        for (Row row : rows) {
            lines.add(String.format(
                    Locale.ROOT,
                    "%-10s %8s %7d  %-" + BAR + "s %10.1f  %s",
                    row.id,
                    row.pid == 0 ? "gone" : Long.toString(row.pid),
                    row.shards,
                    bar(row.shards, Math.max(1, most), unicode),
                    row.load,
                    epochs(row)));
        }
        if (unowned > 0) {
            lines.add(String.format(
                    Locale.ROOT,
                    "%-10s %8s %7d  %s",
                    "(nobody)",
                    "",
                    unowned,
                    bar(unowned, Math.max(most, unowned), unicode)));
        }
        lines.add(pings());
        return lines;
    }

    private static String epochs(Row row) {
        if (row.shards == 0) {
            return "-";
        }
        return row.lowEpoch == row.highEpoch ? Long.toString(row.lowEpoch) : row.lowEpoch + ".." + row.highEpoch;
    }

    private static String bar(int value, int most, boolean unicode) {
        int length = value == 0 ? 0 : Math.max(1, value * BAR / most);
        return (unicode ? "\u2588" : "#").repeat(length);
    }

    private String pings() {
        double percent = counts.pings() == 0 ? 100 : 100.0 * counts.ok() / counts.pings();
        return String.format(
                Locale.ROOT,
                "pings %,d  ok %.1f %%  failed %,d (not owned %,d, unreachable %,d, no owner %,d)  unserved now %d  moves %,d  double owners %d",
                counts.pings(),
                percent,
                counts.failed(),
                counts.notOwned(),
                counts.unreachable(),
                counts.noOwner(),
                unserved,
                counts.moves(),
                counts.doubleOwners());
    }

    /** The same in one line. */
    String line() {
        StringBuilder text = new StringBuilder(time(since));
        rows.forEach(row -> text.append(String.format(Locale.ROOT, "%s %d  ", row.id, row.shards)));
        if (unowned > 0) {
            text.append("nobody ").append(unowned).append("  ");
        }
        return text.append("| ").append(pings()).toString();
    }

    /** As in {@code t+12.4s}, with room for an hour. */
    static String time(Duration since) {
        return String.format(Locale.ROOT, "%-10s", String.format(Locale.ROOT, "t+%.1fs", since.toMillis() / 1000.0));
    }
}
