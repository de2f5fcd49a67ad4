package io.shardwright.server.command;

import io.shardwright.canary.CanaryCommand;
import io.shardwright.canary.DemoCommand;
import io.shardwright.server.config.ConfigFaultsException;
import io.shardwright.sim.command.SimCommand;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The root command. It does nothing by itself but say what there is. */
@Command(
        name = "shardwright",
        description = "A shard manager: decides which host of a sharded application owns which shard.",
        mixinStandardHelpOptions = true,
        version = "shardwright 0.1.0",
        synopsisSubcommandLabel = "COMMAND",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "1:failed while it ran",
            "2:the command line or the configuration is wrong; nothing was started",
            "3:demo and canary: a promise was broken",
            "10 to 14:sim: what it found; see shardwright sim --help"
        })
public final class ShardwrightCommand implements Runnable {
    @Spec
    @Nullable
    CommandSpec spec;

    private ShardwrightCommand() {}

    @Override
    public void run() {
        if (spec != null) {
            throw new CommandLine.ParameterException(spec.commandLine(), "Missing command.");
        }
    }

    /** The whole command line. Commands of other parts are added with {@link CommandLine#addSubcommand(Object)}. */
    public static CommandLine commandLine(ProcessContext process) {
        CommandLine root = new CommandLine(new ShardwrightCommand());
        root.addSubcommand(new ServerCommand(process));
        root.addSubcommand(new CommandLine(new ConfigCommand())
                .addSubcommand(new ConfigCheckCommand(process))
                .addSubcommand(new ConfigShowCommand(process)));
        root.addSubcommand(new CanaryCommand());
        root.addSubcommand(new DemoCommand());
        root.addSubcommand(new SimCommand());
        return withErrors(root);
    }

    /**
     * Gives a command line, with all commands in it, our way to report errors. To be called again after a command was
     * added.
     */
    public static CommandLine withErrors(CommandLine root) {
        return root.setExecutionExceptionHandler(ShardwrightCommand::report);
    }

    private static int report(Exception error, CommandLine command, CommandLine.ParseResult parsed) {
        if (error instanceof ConfigFaultsException faults) {
            command.getErr().println(faults.getMessage());
            return ExitCodes.USAGE;
        }
        command.getErr().println(command.getCommandName() + ": " + error);
        return ExitCodes.FAILED;
    }
}
