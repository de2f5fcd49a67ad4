package io.shardwright.canary;

import java.io.Console;
import java.io.PrintWriter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** Shows a demo: on a terminal as a table that is redrawn, otherwise as lines. Thread-safe. */
final class DemoScreen {

    private static final int SHOWN_EVENTS = 10;
    private static final int EVENT_LINES = 4; // that executors leave to events, where the terminal is low
    private static final int LEAST_ROWS = 1;
    private static final String EVENT_INDENT = " ".repeat(12);
    private static final String HOME = "\033[H";
    private static final String CLEAR = "\033[2J";
    private static final String CLEAR_LINE = "\033[K";
    private static final String CLEAR_BELOW = "\033[J";

    private final PrintWriter out;
    private final Optional<TerminalSize> terminal;
    private final boolean unicode;
    private final Deque<String> events = new ArrayDeque<>();
    private boolean begun;

    /**
     * @param terminal what to redraw a table on; empty to print lines
     * @param unicode whether more than ASCII can be shown
     */
    DemoScreen(PrintWriter out, Optional<TerminalSize> terminal, boolean unicode) {
        this.out = out;
        this.terminal = terminal;
        this.unicode = unicode;
    }

    @SuppressWarnings("SystemConsoleNull") // null without a terminal before Java 22; since then isTerminal says it
    static boolean onTerminal() {
        Console console = System.console();
        if (console == null || "dumb".equals(System.getenv("TERM"))) {
            return false;
        }
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException before22) {
            return true;
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }

    boolean isLive() {
        return terminal.isPresent();
    }

    /** One thing happened. */
    synchronized void event(String line) {
        if (isLive()) {
            if (events.size() == SHOWN_EVENTS) {
                events.removeFirst();
            }
            events.add(line);
        } else {
            say(line);
        }
    }

    /**
     * Draws everything anew, within the bounds of the terminal: a line that it broke, or a screen that it scrolled,
     * could not be drawn over.
     *
     * @param header parts of the head, which stand next to each other where they fit
     */
    synchronized void redraw(List<String> header, DemoTable table) {
        StringBuilder frame = new StringBuilder(begun ? HOME : CLEAR + HOME);
        begun = true;
        frame(header, table)
                .forEach(line -> frame.append(line).append(CLEAR_LINE).append('\n'));
        frame.append(CLEAR_BELOW);
        out.print(frame);
        out.flush();
    }

    private List<String> frame(List<String> header, DemoTable table) {
        int height = terminal.orElseThrow().rows() - 1; // the cursor needs the last line
        List<String> happened = new ArrayList<>();
        events.forEach(event -> happened.addAll(Folded.text(event, EVENT_INDENT, width())));
        List<String> lines = new ArrayList<>(Folded.parts(header, "  ", "  ", width()));
        lines.add("");
        int room = height - lines.size() - 1 - Math.min(EVENT_LINES, happened.size());
        int executors = table.rows().size();
        List<String> rendered = table.render(unicode, width(), executors);
        while (rendered.size() > room && executors > LEAST_ROWS) {
            executors--;
            rendered = table.render(unicode, width(), executors);
        }
        lines.addAll(rendered);
        lines.add("");
        int left = Math.max(0, height - lines.size());
        lines.addAll(happened.subList(Math.max(0, happened.size() - left), happened.size()));
        return lines.subList(0, Math.max(0, Math.min(height, lines.size())));
    }

    /** What clears a line after its end would take the last column with it, so that one stays empty. */
    private int width() {
        return terminal.map(size -> Math.max(1, size.columns() - 1)).orElse(DemoTable.ENDLESS);
    }

    /** Prints a whole table below everything. */
    synchronized void print(DemoTable table) {
        print(table.render(unicode, width(), table.rows().size()));
    }

    /** Prints lines below everything. */
    synchronized void print(List<String> lines) {
        lines.forEach(line -> Folded.text(line, "", width()).forEach(this::say));
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }
}
