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

    private static final int LONGEST_BAR = 32;
    private static final int BESIDE_BAR = 52; // the other columns, with epochs of six digits

    /** Everything, on lines as long as need be. */
    static final int ENDLESS = Integer.MAX_VALUE;

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

    /**
     * For people.
     *
     * @param width of the longest line, in characters
     * @param atMost executors to show; the others are summed up in a line of their own
     */
    List<String> render(boolean unicode, int width, int atMost) {
        int bar = Math.clamp(width - BESIDE_BAR, 0, LONGEST_BAR);
        List<String> lines = new ArrayList<>();
        lines.add(row("executor", "pid", "shards", " ".repeat(bar), "load", "epochs"));
        int most = rows.stream().mapToInt(Row::shards).max().orElse(1);
        for (Row row : rows.subList(0, Math.min(rows.size(), atMost))) {
            lines.add(row(
                    row.id,
                    row.pid == 0 ? "gone" : Long.toString(row.pid),
                    Integer.toString(row.shards),
                    bar(row.shards, Math.max(1, most), bar, unicode),
                    String.format(Locale.ROOT, "%.1f", row.load),
                    epochs(row)));
        }
        if (rows.size() > atMost) {
            List<Row> hidden = rows.subList(atMost, rows.size());
            lines.add("... and " + hidden.size() + " more with "
                    + hidden.stream().mapToInt(Row::shards).sum() + " shards");
        }
        if (unowned > 0) {
            lines.add(row(
                    "(nobody)",
                    "",
                    Integer.toString(unowned),
                    bar(unowned, Math.max(most, unowned), bar, unicode),
                    "",
                    ""));
        }
        lines.replaceAll(line -> Folded.cut(line.stripTrailing(), width));
        lines.addAll(Folded.parts(pings(), "  ", "  ", width));
        return lines;
    }

    private static String row(String id, String pid, String shards, String bar, String load, String epochs) {
        return String.format(Locale.ROOT, "%-8s %8s %6s  %s %8s  %s", id, pid, shards, bar, load, epochs);
    }

    private static String epochs(Row row) {
        if (row.shards == 0) {
            return "-";
        }
        return row.lowEpoch == row.highEpoch ? Long.toString(row.lowEpoch) : row.lowEpoch + ".." + row.highEpoch;
    }

    private static String bar(int value, int most, int longest, boolean unicode) {
        int length = value == 0 || longest == 0 ? 0 : Math.max(1, value * longest / most);
        return (unicode ? "\u2588" : "#").repeat(length) + " ".repeat(longest - length);
    }

    private List<String> pings() {
        double percent = counts.pings() == 0 ? 100 : 100.0 * counts.ok() / counts.pings();
        return List.of(
                String.format(Locale.ROOT, "pings %,d", counts.pings()),
                String.format(Locale.ROOT, "ok %.1f %%", percent),
                String.format(
                        Locale.ROOT,
                        "failed %,d (not owned %,d, unreachable %,d, no owner %,d)",
                        counts.failed(),
                        counts.notOwned(),
                        counts.unreachable(),
                        counts.noOwner()),
                String.format(Locale.ROOT, "unserved now %d", unserved),
                String.format(Locale.ROOT, "moves %,d", counts.moves()),
                String.format(Locale.ROOT, "double owners %d", counts.doubleOwners()));
    }

    /** The same in one line. */
    String line() {
        StringBuilder text = new StringBuilder(time(since));
        rows.forEach(row -> text.append(String.format(Locale.ROOT, "%s %d  ", row.id, row.shards)));
        if (unowned > 0) {
            text.append("nobody ").append(unowned).append("  ");
        }
        return text.append("| ").append(String.join("  ", pings())).toString();
    }

    /** As in {@code t+12.4s}, with room for an hour. */
    static String time(Duration since) {
        return String.format(Locale.ROOT, "%-10s", String.format(Locale.ROOT, "t+%.1fs", since.toMillis() / 1000.0));
    }
}
