package io.shardwright.canary;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * How much a terminal shows.
 *
 * @param rows height in lines
 * @param columns width in characters
 */
record TerminalSize(int rows, int columns) {

    private static final TerminalSize USUAL = new TerminalSize(24, 80);

    /** The size of the terminal that is the standard input of this process; the usual one where it cannot be asked. */
    static TerminalSize ofProcess() {
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(ProcessBuilder.Redirect.INHERIT)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try (BufferedReader answer = stty.inputReader(StandardCharsets.US_ASCII)) {
                String line = answer.readLine();
                if (line != null && stty.waitFor(1, TimeUnit.SECONDS) && line.matches("[1-9]\\d{0,3} [1-9]\\d{0,3}")) {
                    String[] numbers = line.split(" ", 2);
                    return new TerminalSize(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]));
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
