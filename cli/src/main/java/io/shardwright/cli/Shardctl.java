package io.shardwright.cli;

import io.shardwright.cli.call.CallFailedException;
import io.shardwright.cli.call.Written;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/** The root command, and the table of contents of the program: {@link #commandLine} lists all commands. */
@Command(
        name = "shardctl",
        description = "Looks after the namespaces, executors and shards of a Shardwright server.",
        footer = {
            "Every option from --address to --server-name can also be set in the environment; an option on",
            "the command line beats the variable. They may stand before or after the name of the command.",
            "",
            "Examples:",
            "  shardctl namespace create orders --shards 64",
            "  shardctl --address 10.0.0.5:9002 --namespace orders executor list --output json",
            "",
            "Errors and warnings go to standard error, with --output json as one line:",
            "  {\"error\": {code, reason, message, metadata, exitCode}}",
            "code is the name of the gRPC status, or USAGE; reason and metadata are the server's.",
            "",
            "Exit codes:",
            "  0  done",
            "  1  the call failed, was not confirmed, or its result could not be written",
            "  2  the command line or the environment is wrong",
            "  3  the namespace, executor or shard was not found",
            "  4  no server was reached, it was not able to serve, or it did not answer in time"
        })
final class Shardctl {
    /** Held here, because the logging of the JDK forgets the level of a logger that nobody holds. */
    private static final Logger GRPC = Logger.getLogger("io.grpc");

    @Mixin
    private final GlobalOptions options = new GlobalOptions();

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Show the version and exit.")
    @SuppressWarnings("UnusedVariable") // picocli acts on it
    private boolean version;

    private Shardctl() {}

    /** Runs the command line and ends the process with its exit code. */
    public static void main(String[] args) {
        System.exit(commandLine(Shell.ofProcess()).execute(args));
    }

    /** The program, ready to run or to be asked for its help. */
    static CommandLine commandLine(Shell shell) {
        Shardctl root = new Shardctl();
        Session session = new Session(shell, root.options);
        CommandLine program = new CommandLine(root)
                .addSubcommand(new CommandLine(new NamespaceCommand())
                        .addSubcommand(new NamespaceListCommand(session))
                        .addSubcommand(new NamespaceCreateCommand(session))
                        .addSubcommand(new NamespaceDescribeCommand(session))
                        .addSubcommand(new NamespaceDeleteCommand(session)))
                .addSubcommand(new CommandLine(new ExecutorCommand())
                        .addSubcommand(new ExecutorListCommand(session))
                        .addSubcommand(new ExecutorDescribeCommand(session))
                        .addSubcommand(new ExecutorDrainCommand(session))
                        .addSubcommand(new ExecutorUndrainCommand(session))
                        .addSubcommand(new ExecutorListDrainedCommand(session)))
                .addSubcommand(new CommandLine(new ShardCommand())
                        .addSubcommand(new ShardInspectCommand(session))
                        .addSubcommand(new ShardDrainCommand(session))
                        .addSubcommand(new ShardUndrainCommand(session))
                        .addSubcommand(new ShardListDrainedCommand(session)))
                .addSubcommand(new CommandLine(new LeaderCommand())
                        .addSubcommand(new LeaderShowCommand(session))
                        .addSubcommand(new LeaderTransferCommand(session)))
                .addSubcommand(new WatchCommand(session))
                .addSubcommand(new CompletionCommand(session))
                .addSubcommand(new VersionCommand(session));
        EnvironmentDefaults defaults = new EnvironmentDefaults(shell.environment());
        Failures failures = new Failures(session, defaults);
        program.getCommandSpec().versionProvider(() -> new String[] {VersionCommand.sentence()});
        HelpLayout.apply(program);
        GRPC.setLevel(Level.OFF); // every failure is told once, by us
        return program.setOut(shell.out())
                .setErr(shell.err())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setDefaultValueProvider(defaults)
                .setExecutionStrategy(parsed -> run(parsed, session, defaults, failures))
                .setParameterExceptionHandler(failures)
                .setExecutionExceptionHandler(failures);
    }

    private static int run(ParseResult parsed, Session session, EnvironmentDefaults defaults, Failures failures) {
        CommandLine program = parsed.commandSpec().root().commandLine();
        defaults.unknown(program.getCommandSpec()).forEach(failures::warn);
        int exitCode = new CommandLine.RunLast().execute(parsed);
        try {
            Written.check(session.shell().out());
        } catch (CallFailedException e) {
            return failures.handleExecutionException(e, program, parsed);
        }
        return exitCode;
    }
}
