package io.shardwright.sim.report;

import io.shardwright.sim.check.Violation;
import io.shardwright.sim.plan.Fault;
import io.shardwright.sim.plan.Plan;
import io.shardwright.sim.plan.Shape;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

/** The space-time diagram: one page that needs no other file and no network. */
final class Diagram {

    private static final String TEMPLATE = "diagram.html";
    private static final long SECOND = 1_000_000_000L;

    /** Of a long run, so many leases before the violation are in the page. */
    private static final int LEASES = 8;

    /** Shards whose bars are drawn. */
    private static final int SHARDS = 4;

    private final Plan plan;
    private final History history;
    private final long from;
    private final long to;

    private Diagram(Plan plan, History history) {
        this.plan = plan;
        this.history = history;
        long at = history.violation.map(Violation::time).orElse(history.end);
        this.from = Math.max(0, at - LEASES * plan.shape().lease().toNanos());
        this.to = at + plan.shape().lease().toNanos();
    }

    static String of(Plan plan, History history, String title) {
        try (InputStream template = Objects.requireNonNull(
                Diagram.class.getResourceAsStream(TEMPLATE), TEMPLATE + " is missing in the program")) {
            String page = new String(template.readAllBytes(), StandardCharsets.UTF_8);
            return page.replace("{{title}}", escape(title))
                    .replace("{{data}}", Json.of(new Diagram(plan, history).data(title)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }

    private Map<String, Object> data(String title) {
        Involved involved = history.involved();
        List<String> shards = involved.shards().isEmpty()
                ? List.copyOf(new TreeSet<>(
                        history.bars.stream().map(bar -> bar.shard).toList()))
                : involved.shards();
        List<String> drawn = shards.stream().limit(SHARDS).toList();
        return Json.object(
                "title",
                title,
                "violation",
                history.violation
                        .map(it -> Json.object("id", it.id(), "at", seconds(it.time()), "text", it.message()))
                        .orElse(Json.object()),
                "from",
                seconds(from),
                "to",
                seconds(to),
                "end",
                seconds(history.end),
                "lease",
                seconds(plan.shape().lease().toNanos()),
                "lanes",
                lanes(),
                "involved",
                involved.machines(),
                "shards",
                drawn,
                "messages",
                messages(),
                "bars",
                bars(drawn),
                "faults",
                faults(),
                "leaders",
                spans(history.leaders),
                "alive",
                spans(history.processes),
                "lines",
                lines());
    }

    private List<Object> lanes() {
        TreeSet<String> names = new TreeSet<>(Names.ORDER);
        names.addAll(history.clocks.keySet());
        names.add(History.ETCD);
        names.add(Shape.STORAGE);
        List<Object> lanes = new ArrayList<>();
        for (String name : names) {
            List<Object> clock = new ArrayList<>();
            history.clocks.getOrDefault(name, List.of()).forEach(it -> clock.add(List.of(seconds(it.at()), it.rate())));
            lanes.add(Json.object("name", name, "clock", clock));
        }
        return lanes;
    }

    private List<Object> messages() {
        List<Object> messages = new ArrayList<>();
        for (History.Message it : history.messages) {
            if (it.sent >= from && it.sent <= to) {
                messages.add(List.of(
                        seconds(it.sent),
                        it.end < 0 ? -1 : seconds(it.end),
                        it.lost,
                        it.from,
                        it.to,
                        it.kind,
                        it.text));
            }
        }
        return messages;
    }

    private List<Object> bars(List<String> shards) {
        List<Object> bars = new ArrayList<>();
        for (History.Bar it : history.bars) {
            if (shards.contains(it.shard) && it.until >= from) {
                bars.add(List.of(
                        it.machine, it.shard, it.epoch, seconds(it.begin), seconds(it.until), it.closed, it.owner));
            }
        }
        return bars;
    }

    private List<Object> faults() {
        List<Object> faults = new ArrayList<>();
        for (Fault it : history.faults) {
            if (it.kind() != Fault.Kind.CLOCK_RATE && it.end() >= from) {
                faults.add(List.of(
                        seconds(it.start()),
                        seconds(it.end()),
                        it.kind().name().toLowerCase(Locale.ROOT).replace('_', ' '),
                        it.targets(),
                        it.amount()));
            }
        }
        return faults;
    }

    private static List<Object> spans(List<History.Span> spans) {
        List<Object> list = new ArrayList<>();
        spans.forEach(
                it -> list.add(List.of(it.machine, seconds(it.begin), it.end < 0 ? -1 : seconds(it.end), it.text)));
        return list;
    }

    private List<Object> lines() {
        List<Object> lines = new ArrayList<>();
        for (History.Line it : Recorder.ordered(history)) {
            if (it.at() >= from && !it.kind().equals("fault")) {
                lines.add(List.of(seconds(it.at()), it.machine(), it.kind(), it.text()));
            }
        }
        return lines;
    }

    private static double seconds(long nanos) {
        return nanos / (double) SECOND;
    }
}
