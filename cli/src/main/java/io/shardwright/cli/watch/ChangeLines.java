package io.shardwright.cli.watch;

import io.shardwright.cli.call.Written;
import io.shardwright.cli.output.Cell;
import java.io.PrintWriter;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Shows each change as a line of text: time, revision, what happened. */
public final class ChangeLines implements WatchView {
    private final PrintWriter out;
    private final PrintWriter err;
    private final InstantSource clock;

    /** Writes changes to {@code out}, interruptions to {@code err}. */
    public ChangeLines(PrintWriter out, PrintWriter err, InstantSource clock) {
        this.out = out;
        this.err = err;
        this.clock = clock;
    }

    @Override
    public void changed(RoutingTable table, List<RoutingChange> changes) {
        String time = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
        for (RoutingChange change : changes) {
            out.println(time + "  revision " + Cell.number(table.revision()) + "  " + ChangeText.of(table, change));
        }
        Written.check(out);
    }

    @Override
    public void interrupted(String why) {
        err.println("shardctl: " + Cell.printable(why));
        err.flush();
    }

    @Override
    public void tick(RoutingTable table) {}
}
