package io.shardwright.sim.report;

import io.shardwright.sim.report.History.Bar;
import io.shardwright.sim.report.History.Line;
import io.shardwright.sim.report.History.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The whole trace, a JSON object per line, ordered by time; for programs. */
final class JsonLines {

    private record Entry(long at, Map<String, Object> object) {}

    private JsonLines() {}

    static String of(History history) {
        List<Entry> entries = new ArrayList<>();
        for (Line line : history.lines) {
            entries.add(new Entry(
                    line.at(),
                    Json.object("at", line.at(), "machine", line.machine(), "kind", line.kind(), "text", line.text())));
        }
        for (Message message : history.messages) {
            entries.add(new Entry(
                    message.sent,
                    Json.object(
                            "at",
                            message.sent,
                            "kind",
                            "message",
                            "from",
                            message.from,
                            "to",
                            message.to,
                            "about",
                            message.kind,
                            "text",
                            message.text,
                            "outcome",
                            message.lost ? "lost" : message.end < 0 ? "under way" : "delivered",
                            "end",
                            message.end)));
        }
        for (Bar bar : history.bars) {
            entries.add(new Entry(
                    bar.begin,
                    Json.object(
                            "at",
                            bar.begin,
                            "kind",
                            "admits",
                            "machine",
                            bar.machine,
                            "shard",
                            bar.shard,
                            "epoch",
                            bar.epoch,
                            "until",
                            bar.until)));
        }
        return entries.stream()
                .sorted((one, other) -> Long.compare(one.at(), other.at()))
                .map(entry -> Json.of(entry.object()) + "\n")
                .collect(Collectors.joining());
    }
}
