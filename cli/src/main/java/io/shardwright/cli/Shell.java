package io.shardwright.cli;

import io.shardwright.cli.call.CallFailedException;
import io.shardwright.cli.output.Terminal;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What the command was started from.
 *
 * @param in where answers of the user come from
 * @param out where results go
 * @param err where errors and questions go
 * @param environment variables
 * @param terminal finds the terminal that {@code out} is connected to; asked only by commands that draw
 */
record Shell(
        BufferedReader in,
        PrintWriter out,
        PrintWriter err,
        Map<String, String> environment,
        Supplier<Optional<Terminal>> terminal) {

    /**
     * Asks the user a question.
     *
     * @param unanswered what to say where nobody answers
     * @throws CallFailedException where nobody answers
     */
    String ask(String question, String unanswered) throws IOException {
        err.print(question);
        err.flush();
        String answer = in.readLine();
        if (answer == null) {
            err.println();
            throw CallFailedException.local("CANCELLED", unanswered);
        }
        return answer.strip();
    }

    /** The shell of this process. */
    static Shell ofProcess() {
        return new Shell(
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)),
                new PrintWriter(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8),
                new PrintWriter(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8),
                System.getenv(),
                Terminal::ofProcess);
    }
}
