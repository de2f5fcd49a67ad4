package io.shardwright.canary;

import java.io.Console;
import java.io.PrintWriter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Shows a demo: on a terminal as a table that is redrawn, otherwise as lines. Thread-safe. */
final class DemoScreen {

    private static final int SHOWN_EVENTS = 10;
    private static final String HOME = "\033[H";
    private static final String CLEAR = "\033[2J";
    private static final String CLEAR_LINE = "\033[K";
    private static final String CLEAR_BELOW = "\033[J";

    private final PrintWriter out;
    private final boolean live;
    private final boolean unicode;
    private final Deque<String> events = new ArrayDeque<>();
    private boolean begun;

    DemoScreen(PrintWriter out, boolean live, boolean unicode) {
        this.out = out;
        this.live = live;
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
        return live;
    }

    boolean isUnicode() {
        return unicode;
    }

    /** One thing happened. */
    synchronized void event(String line) {
        if (live) {
            if (events.size() == SHOWN_EVENTS) {
                events.removeFirst();
            }
            events.add(line);
        } else {
            say(line);
        }
    }

    /** Draws the table anew; only sensible on a terminal. */
    synchronized void redraw(List<String> table) {
        StringBuilder frame = new StringBuilder(begun ? HOME : CLEAR + HOME);
        begun = true;
        for (String line : table) {
            frame.append(line).append(CLEAR_LINE).append('\n');
        }
        frame.append(CLEAR_LINE).append('\n');
        for (String event : events) {
            frame.append(event).append(CLEAR_LINE).append('\n');
        }
        frame.append(CLEAR_BELOW);
        out.print(frame);
        out.flush();
    }

    /** Prints lines below everything. */
    synchronized void print(List<String> lines) {
        lines.forEach(this::say);
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }
}
