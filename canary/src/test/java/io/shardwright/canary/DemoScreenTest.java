package io.shardwright.canary;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.canary.ping.Findings;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a demo draws on a terminal. */
final class DemoScreenTest {

    private static final List<String> HEADER = List.of(
            "Shardwright demo  t+123.4s",
            "dashboard http://127.0.0.1:38123/",
            "64 shards, lease 5.0 s, SQLite",
            "(Ctrl-C ends it)");

    private final StringWriter out = new StringWriter();

    @ParameterizedTest
    @CsvSource({"3, 80, 24", "16, 80, 24", "16, 60, 16", "3, 200, 50"})
    void aFrameFitsTheTerminalWithAllThatMattersInIt(int executors, int columns, int rows) {
        DemoScreen screen = screen(rows, columns);
        for (int i = 0; i < 10; i++) {
            screen.event("t+" + i + "0.0s   e" + i
                    + " killed (SIGKILL)  21 shards healed in 5.3 s, 1,012 pings failed of 12,345");
        }
        screen.redraw(HEADER, table(executors));
        List<String> lines = lines();
        assertTrue(lines.size() < rows, () -> lines.size() + " lines\n" + out);
        // A line of all columns would lose its last character: what clears the rest of the line clears it too.
        lines.forEach(line -> assertTrue(line.length() < columns, () -> line.length() + ": " + line));
        String text = String.join(" ", lines).replaceAll(" +", " ");
        List.of(
                        "lease 5.0 s, SQLite",
                        "(Ctrl-C ends it)",
                        "pings 1,234,567",
                        "failed 12,345 (not owned 12,000, unreachable 300, no owner 45)",
                        "unserved now 3",
                        "moves 54,321",
                        "double owners 0",
                        "(nobody)",
                        "e9 killed (SIGKILL) 21 shards healed in 5.3 s, 1,012 pings failed of 12,345")
                .forEach(part -> assertTrue(text.contains(part), () -> part + " is missing in\n" + out));
        assertTrue(lines.stream().anyMatch(line -> line.matches("e1 .* 12345\\.\\.12399")), out::toString);
    }

    @Test
    void executorsThatHaveNoRoomAreSummedUp() {
        DemoScreen screen = screen(16, 80);
        screen.event("t+1.0s     e17 starts");
        screen.redraw(HEADER, table(16));
        int shown = (int)
                lines().stream().filter(line -> line.matches("e\\d+ .*#.*")).count();
        assertTrue(shown > 0 && shown < 16, out::toString);
        assertTrue(
                lines().contains("... and " + (16 - shown) + " more with " + 4 * (16 - shown) + " shards"),
                out::toString);

        out.getBuffer().setLength(0);
        screen(40, 80).redraw(HEADER, table(16));
        assertEquals(
                16, lines().stream().filter(line -> line.matches("e\\d+ .*#.*")).count(), out::toString);
        assertFalse(out.toString().contains("more with"), out::toString);
    }

    @Test
    void theLastTableAndTheSummaryFitTheTerminalToo() {
        DemoScreen screen = screen(24, 80);
        screen.print(table(3));
        screen.print(List.of("1,234 pings in 40.0 s, 12 failed, 64 moves; longest time without an owner 5.3 s"
                + " (allowed 15.0 s); double owners 0, epoch falls 0"));
        lines().forEach(line -> assertTrue(line.length() < 80, line));
        assertTrue(String.join(" ", lines()).endsWith("double owners 0, epoch falls 0"), out::toString);
    }

    @Test
    void withoutATerminalEachEventIsALineHoweverLong() {
        DemoScreen screen = new DemoScreen(new PrintWriter(out), Optional.empty(), false);
        screen.event("x".repeat(300));
        assertEquals("x".repeat(300) + System.lineSeparator(), out.toString());
    }

    private DemoScreen screen(int rows, int columns) {
        return new DemoScreen(new PrintWriter(out), Optional.of(new TerminalSize(rows, columns)), false);
    }

    private static DemoTable table(int executors) {
        List<DemoTable.Row> rows = IntStream.rangeClosed(1, executors)
                .mapToObj(i -> new DemoTable.Row("e" + i, 4_000_000 + i, 4, 4.0, 12_345, 12_399))
                .toList();
        Findings.Counts counts = new Findings.Counts(1_234_567, 1_222_222, 12_000, 300, 45, 0, 54_321, 0, 0, 0);
        return new DemoTable(Duration.ofSeconds(123), 64, rows, 2, 3, counts);
    }

    private List<String> lines() {
        return out.toString().replaceAll("\u001b\\[[0-9]*[A-Za-z]", "").lines().toList();
    }
}
