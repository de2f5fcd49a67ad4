package io.shardwright.cli;

import io.shardwright.cli.output.Terminal;
import java.io.BufferedReader;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.Writer;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;

/**
 * One run of shardctl inside the test.
 *
 * @param exitCode what the process would have ended with
 * @param out what went to standard output
 * @param err what went to standard error
 */
record Run(int exitCode, String out, String err) {
    static Run of(String... args) {
        return with(Map.of(), "", args);
    }

    static Run with(Map<String, String> environment, String input, String... args) {
        StringWriter out = new StringWriter();
        return onto(out, environment, input, args);
    }

    /** With another standard output. */
    static Run onto(Writer out, Map<String, String> environment, String input, String... args) {
        StringWriter err = new StringWriter();
        Shell shell = new Shell(
                new BufferedReader(new StringReader(input)),
                new PrintWriter(out),
                new PrintWriter(err),
                environment,
                Optional::<Terminal>empty);
        int exitCode = Shardctl.commandLine(shell)
                .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
                .execute(args);
        return new Run(exitCode, out.toString(), err.toString());
    }
}
