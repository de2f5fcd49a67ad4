package io.shardwright.sim.report;

import io.shardwright.sim.check.Stored;
import io.shardwright.sim.report.History.Line;
import io.shardwright.sim.report.History.Running;
import io.shardwright.sim.report.History.Span;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What is stored of each shard next to what runs at the end, and for a shard that nobody serves, why. */
final class LedgerDiff {

    private final History history;
    private final StringBuilder text = new StringBuilder();

    private LedgerDiff(History history) {
        this.history = history;
    }

    static String of(History history) {
        LedgerDiff diff = new LedgerDiff(history);
        diff.compare();
        return diff.text.toString();
    }

    private void compare() {
        text.append("At the end of the run. != means that what is stored and what runs differ.\n\n");
        text.append(String.format(Locale.ROOT, "   %-12s %-34s %s%n", "shard", "stored", "runs at"));
        history.stored.entrySet().stream()
                .sorted((one, other) -> order(one.getKey()).compareTo(order(other.getKey())))
                .forEach(entry -> compare(entry.getKey(), entry.getValue()));
        text.append("\nWhy a shard is not served:\n");
        int before = text.length();
        history.stored.forEach(this::why);
        if (text.length() == before) {
            text.append("  each is.\n");
        }
    }

    private static String order(String shard) {
        String key = shard.substring(shard.indexOf('/') + 1);
        return key.length() + ":" + key;
    }

    private Map<String, Running> running(String shard) {
        return Optional.ofNullable(history.running.get(shard.substring(shard.indexOf('/') + 1)))
                .orElse(new TreeMap<>());
    }

    private void compare(String shard, Stored.Ownership stored) {
        String runs = running(shard).entrySet().stream()
                .map(entry -> entry.getKey() + "@" + entry.getValue().epoch()
                        + (entry.getValue().admits() ? "" : " (admits nothing)"))
                .collect(Collectors.joining(", "));
        boolean same = served(shard, stored)
                && running(shard).values().stream().filter(Running::admits).count() == 1;
        text.append(String.format(
                Locale.ROOT,
                "%s %-12s %-34s %s%n",
                same ? "  " : "!=",
                shard,
                stored(stored),
                runs.isEmpty() ? "-" : runs));
    }

    private static String stored(Stored.Ownership stored) {
        return (stored.owner().isEmpty() ? "nobody" : stored.owner()) + "@" + stored.epoch()
                + (stored.releasing() ? " releasing" : "")
                + (stored.next().isEmpty() ? "" : " to " + stored.next());
    }

    private boolean served(String shard, Stored.Ownership stored) {
        return running(shard).values().stream()
                .anyMatch(it -> it.admits()
                        && it.epoch() == stored.epoch()
                        && it.owner().startsWith(stored.owner() + "/"));
    }

    private void why(String shard, Stored.Ownership stored) {
        if (served(shard, stored)) {
            return;
        }
        text.append("  ").append(shard).append(": ").append(stored(stored)).append("; ");
        if (stored.owner().isEmpty()) {
            text.append(leader());
        } else {
            text.append(stored.owner())
                    .append(" ")
                    .append(last(stored.owner()))
                    .append("; ")
                    .append(leader());
        }
        text.append('\n');
    }

    /** What is known of an executor: whether its process runs, and the last thing it said of itself. */
    private String last(String machine) {
        Optional<Line> process = latest(machine, "process");
        Optional<Line> note = latest(machine, "note");
        return process.map(line -> line.text() + " at " + ShortLog.seconds(line.at()) + " s")
                        .orElse("never began")
                + note.map(line -> ", " + line.text() + " at " + ShortLog.seconds(line.at()) + " s")
                        .orElse("");
    }

    private Optional<Line> latest(String machine, String kind) {
        return history.lines.stream()
                .filter(line -> line.machine().equals(machine) && line.kind().equals(kind))
                .reduce((one, other) -> other);
    }

    private String leader() {
        if (history.leaders.isEmpty()) {
            return "nobody ever led";
        }
        Span last = history.leaders.getLast();
        return last.end < 0
                ? last.machine + " leads since " + ShortLog.seconds(last.begin) + " s"
                : "nobody leads since " + ShortLog.seconds(last.end) + " s";
    }
}
