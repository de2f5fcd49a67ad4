package io.shardwright.cli.watch;

import io.shardwright.cli.call.Written;
import io.shardwright.cli.output.Cell;
import io.shardwright.cli.output.Table;
import io.shardwright.cli.output.Terminal;
import io.shardwright.proto.v1.ExecutorInfo;
import io.shardwright.proto.v1.ShardRoute;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Redraws one screen: the executors with their shard counts, and under it the latest changes, as many as fit. A burst
 * of changes is drawn at most ten times a second; the rest is drawn by the next tick.
 */
public final class LiveTable implements WatchView {
    private static final String HOME = "\u001b[H";
    private static final String CLEAR_LINE_END = "\u001b[K";
    private static final String CLEAR_BELOW = "\u001b[J";
    private static final String BOLD = "\u001b[1m";
    private static final String PLAIN = "\u001b[0m";
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(100);

    private final PrintWriter out;
    private final String namespace;
    private final Terminal terminal;
    private final InstantSource clock;
    private final Deque<String> latest = new ArrayDeque<>();
    private Instant drawn = Instant.MIN;
    private String state = "connecting";

    /** Draws on {@code out}, which is a terminal of that size. */
    public LiveTable(PrintWriter out, String namespace, Terminal terminal, InstantSource clock) {
        this.out = out;
        this.namespace = namespace;
        this.terminal = terminal;
        this.clock = clock;
    }

    @Override
    public void changed(RoutingTable table, List<RoutingChange> changes) {
        state = "live";
        String time = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
        for (RoutingChange change : changes) {
            latest.addFirst(time + "  " + ChangeText.of(table, change));
            if (latest.size() > terminal.rows()) {
                latest.removeLast();
            }
        }
        if (!clock.instant().isBefore(nextDraw())) {
            draw(table);
        }
    }

    @Override
    public void interrupted(String why) {
        state = Cell.printable(why);
    }

    @Override
    public void tick(RoutingTable table) {
        draw(table);
    }

    private Instant nextDraw() {
        return drawn.equals(Instant.MIN) ? Instant.MIN : drawn.plus(SHORTEST_PAUSE);
    }

    private void draw(RoutingTable table) {
        List<String> lines = new ArrayList<>();
        lines.add("namespace " + Cell.text(namespace) + "  revision " + Cell.number(table.revision()) + "  "
                + ChangeText.summary(table));
        lines.add("stream: " + state + "  (Ctrl-C ends)");
        lines.add("");
        int header = lines.size();
        lines.addAll(executors(table));
        lines.add("");
        lines.addAll(latest);
        int visible = Math.min(lines.size(), terminal.rows() - 1);
        StringBuilder screen = new StringBuilder(drawn.equals(Instant.MIN) ? HOME + CLEAR_BELOW : HOME);
        for (int i = 0; i < visible; i++) {
            String line = cut(lines.get(i));
            screen.append(i == header ? BOLD + line + PLAIN : line)
                    .append(CLEAR_LINE_END)
                    .append("\r\n");
        }
        out.print(screen.append(CLEAR_BELOW));
        Written.check(out);
        drawn = clock.instant();
    }

    private List<String> executors(RoutingTable table) {
        Map<String, Integer> counts = new HashMap<>();
        for (ShardRoute route : table.shards()) {
            counts.merge(route.getOwner(), 1, Integer::sum);
        }
        // At most half of the screen, so that the latest changes stay visible.
        List<ExecutorInfo> shown = table.executors().stream()
                .limit(Math.max(1, terminal.rows() / 2 - 4))
                .toList();
        Table executors = new Table().left("EXECUTOR", "ADDRESS", "HOST").right("SHARDS");
        for (ExecutorInfo executor : shown) {
            executors.row(
                    Cell.text(executor.getExecutorId()),
                    Cell.text(executor.getAddress()),
                    Cell.text(executor.getHost()),
                    String.valueOf(counts.getOrDefault(executor.getExecutorId(), 0)));
        }
        List<String> lines = new ArrayList<>(executors.lines());
        int hidden = table.executors().size() - shown.size();
        if (hidden > 0) {
            lines.add("... and " + hidden + " more");
        }
        return lines;
    }

    /** What clears a line after its end would take the last column with it, so that one stays empty. */
    private String cut(String line) {
        int width = terminal.columns() - 1;
        return line.length() <= width ? line : line.substring(0, Math.max(0, width - 1)) + "…";
    }
}
