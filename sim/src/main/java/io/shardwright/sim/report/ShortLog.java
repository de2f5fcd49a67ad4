package io.shardwright.sim.report;

import io.shardwright.sim.plan.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/** One aligned line per change of state, with a column per process. */
final class ShortLog {

    private static final String TIME = "%12s  ";

    private ShortLog() {}

    static String of(Plan plan, History history) {
        List<String> columns = columns(history);
        StringBuilder text = new StringBuilder();
        history.violation.ifPresent(violation -> text.append(violation.id())
                .append(" at ")
                .append(seconds(violation.time()))
                .append(" s: ")
                .append(violation.message())
                .append("\n\n"));
        plan.faults().forEach(fault -> text.append("fault  ").append(fault).append('\n'));
        text.append('\n').append(String.format(Locale.ROOT, TIME, "time s"));
        columns.forEach(column -> text.append(column).append("  "));
        text.append('\n');
        for (History.Line line : Recorder.ordered(history)) {
            text.append(String.format(Locale.ROOT, TIME, seconds(line.at())));
            for (String column : columns) {
                if (column.equals(line.machine())) {
                    break; // nothing else happens on this line: the text may reach into the columns behind
                }
                text.append(".").append(" ".repeat(column.length() + 1));
            }
            text.append(line.text()).append('\n');
        }
        return text.toString();
    }

    /** Returns etcd, replicas, executors, spectators and storage, as far as something happened there. */
    static List<String> columns(History history) {
        TreeSet<String> machines = new TreeSet<>(Names.ORDER);
        history.lines.forEach(line -> machines.add(line.machine()));
        return new ArrayList<>(machines);
    }

    static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.6f", nanos / 1e9);
    }
}
