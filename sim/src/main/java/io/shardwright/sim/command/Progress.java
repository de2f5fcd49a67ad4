package io.shardwright.sim.command;

import io.shardwright.sim.cluster.Simulation;
import java.io.Console;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;

/** Says how far a batch is: on a terminal one line that is written again and again, else a line now and then. */
final class Progress implements AutoCloseable {

    private static final Duration ON_TERMINAL = Duration.ofMillis(500);
    private static final Duration ELSEWHERE = Duration.ofSeconds(15);

    private final PrintWriter err;
    private final Tally tally;
    private final long seeds;
    private final boolean terminal;
    private final long begin = System.nanoTime();
    private final Thread thread;

    private Progress(PrintWriter err, Tally tally, long seeds, boolean terminal) {
        this.err = err;
        this.tally = tally;
        this.seeds = seeds;
        this.terminal = terminal;
        this.thread = Thread.ofPlatform().name("sim-progress").daemon().unstarted(this::run);
    }

    static Progress start(PrintWriter err, Tally tally, long seeds) {
        Progress progress = new Progress(err, tally, seeds, onTerminal());
        progress.thread.start();
        return progress;
    }

    @SuppressWarnings("SystemConsoleNull") // null without a terminal before Java 22; since then isTerminal says it
    private static boolean onTerminal() {
        Console console = System.console();
        if (console == null) {
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

    private void run() {
        int told = 0;
        try {
            while (true) {
                Thread.sleep(terminal ? ON_TERMINAL : ELSEWHERE);
                err.print(terminal ? "\r\033[K" : "");
                // A long batch goes on after a failure, and who watches it wants to look at once.
                for (Simulation.Result failure : tally.failuresAfter(told)) {
                    err.println(failure.violation().orElseThrow().id() + " in seed "
                            + failure.plan().seed());
                    told++;
                }
                err.print(line() + (terminal ? "" : System.lineSeparator()));
                err.flush();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // closed
        }
    }

    private String line() {
        Tally.Figures figures = tally.figures();
        double seconds = (System.nanoTime() - begin) / 1e9;
        return String.format(
                Locale.ROOT,
                "%d of %d seeds, %d failed, %.1f seeds/s, %.1f simulated hours, %.2f hours per core-second",
                figures.seeds(),
                seeds,
                figures.failed(),
                figures.seeds() / seconds,
                figures.simulatedHours(),
                figures.hoursPerCoreSecond());
    }

    @Override
    public void close() {
        thread.interrupt();
        if (terminal) {
            err.print("\r\033[K");
            err.flush();
        }
    }
}
