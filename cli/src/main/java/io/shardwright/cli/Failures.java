package io.shardwright.cli;

import com.google.gson.JsonObject;
import io.shardwright.cli.call.CallFailedException;
import io.shardwright.cli.output.Cell;
import io.shardwright.cli.output.JsonFields;
import io.shardwright.cli.output.JsonText;
import io.shardwright.cli.output.OutputFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Prints what went wrong, as text or as JSON, and chooses the exit code. */
final class Failures implements IParameterExceptionHandler, IExecutionExceptionHandler {
    private final Session session;
    private final EnvironmentDefaults defaults;

    Failures(Session session, EnvironmentDefaults defaults) {
        this.session = session;
        this.defaults = defaults;
    }

    @Override
    public int handleParseException(ParameterException e, String[] args) {
        String message = sentence(e);
        ArgSpec arg = e.getArgSpec();
        String value = e.getValue();
        if (arg != null && value != null) {
            message += defaults.source(arg, value)
                    .map(name -> " (the value of " + name + ")")
                    .orElse("");
        }
        boolean json = wantsJson(args);
        usage(message, e.getCommandLine(), json);
        if (!json) {
            UnmatchedArgumentException.printSuggestions(e, session.shell().err());
        }
        session.shell().err().flush();
        return ExitCodes.USAGE;
    }

    @Override
    public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
        boolean json = session.options().output() == OutputFormat.JSON;
        session.shell().out().flush();
        if (e instanceof UsageException) {
            usage(String.valueOf(e.getMessage()), command, json);
            return ExitCodes.USAGE;
        }
        CallFailedException failure = e instanceof CallFailedException known
                ? known
                : CallFailedException.local("INTERNAL", "shardctl failed on an error that nobody foresaw: " + e);
        int exitCode = ExitCodes.of(failure);
        if (json) {
            print(json(failure, exitCode));
        } else {
            String reason = failure.reason().isEmpty() ? failure.code() : failure.reason();
            session.shell()
                    .err()
                    .println("shardctl: " + Cell.printable(failure.sentence()) + " [" + Cell.text(reason) + "]");
        }
        session.shell().err().flush();
        return exitCode;
    }

    /** Tells something that does not stop the command. */
    void warn(String sentence) {
        if (session.options().output() == OutputFormat.JSON) {
            JsonObject json = new JsonObject();
            json.addProperty("warning", sentence);
            print(json);
        } else {
            session.shell().err().println("shardctl: warning: " + Cell.printable(sentence));
        }
        session.shell().err().flush();
    }

    private void usage(String message, CommandLine command, boolean json) {
        if (json) {
            print(json(CallFailedException.local("USAGE", message), ExitCodes.USAGE));
            return;
        }
        session.shell().err().println("shardctl: " + Cell.printable(message));
        session.shell().err().println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
    }

    private void print(JsonObject json) {
        session.shell().err().println(JsonText.compact(json));
    }

    private static JsonObject json(CallFailedException failure, int exitCode) {
        JsonObject error = new JsonObject();
        error.addProperty("code", failure.code());
        error.add("reason", JsonFields.text(failure.reason()));
        error.addProperty("message", failure.sentence());
        JsonObject metadata = new JsonObject();
        for (Map.Entry<String, String> entry : failure.metadata().entrySet()) {
            metadata.addProperty(entry.getKey(), entry.getValue());
        }
        error.add("metadata", metadata);
        error.addProperty("exitCode", exitCode);
        JsonObject json = new JsonObject();
        json.add("error", error);
        return json;
    }

    private static String sentence(ParameterException e) {
        String message = Optional.ofNullable(e.getMessage()).orElse("the command line is wrong");
        return message.isEmpty() ? message : message.substring(0, 1).toLowerCase(Locale.ROOT) + message.substring(1);
    }

    /** The options were not all read when parsing failed, so this looks for the one that matters here by itself. */
    private boolean wantsJson(String[] args) {
        for (int i = args.length - 1; i >= 0; i--) {
            String value = args[i].replaceFirst("^(--output=|-o=?)", "");
            boolean separate = i > 0 && (args[i - 1].equals("-o") || args[i - 1].equals("--output"));
            if (separate || (!value.equals(args[i]) && !value.isEmpty())) {
                return value.equalsIgnoreCase("json");
            }
        }
        return "json".equalsIgnoreCase(session.shell().environment().get("SHARDCTL_OUTPUT"));
    }
}
