package io.shardwright.cli.output;

import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * What the output of the process is connected to.
 *
 * @param rows height in lines
 * @param columns width in characters
 */
public record Terminal(int rows, int columns) {
    private static final Terminal USUAL = new Terminal(24, 80);

    /** The terminal of this process; empty when input or output is a file or a pipe. */
    public static Optional<Terminal> ofProcess() {
        return onTerminal() ? Optional.of(size()) : Optional.empty();
    }

    @SuppressWarnings("SystemConsoleNull") // we run on both: before 22 it is null without a terminal, since 22 there is
    // isTerminal
    private static boolean onTerminal() {
        Console console = System.console();
        if (console == null) {
            return false;
        }
        try {
            // Since Java 22 there can be a console without a terminal, and this method says so; we compile for 21.
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException before22) {
            return true;
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }

    private static Terminal size() {
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(ProcessBuilder.Redirect.INHERIT)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try (BufferedReader answer = stty.inputReader(StandardCharsets.US_ASCII)) {
                String line = answer.readLine();
                if (line != null && stty.waitFor(1, TimeUnit.SECONDS) && line.matches("[1-9]\\d{0,3} [1-9]\\d{0,3}")) {
                    int space = line.indexOf(' ');
                    return new Terminal(
                            Integer.parseInt(line.substring(0, space)), Integer.parseInt(line.substring(space + 1)));
                }
            }
        } catch (IOException noStty) {
            return USUAL;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return USUAL;
    }
}
