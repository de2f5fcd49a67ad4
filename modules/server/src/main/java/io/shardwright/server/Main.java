package io.shardwright.server;

import io.shardwright.server.command.ProcessContext;
import io.shardwright.server.command.ShardwrightCommand;

/** The entry point of {@code ./shardwright}. */
public final class Main {
    private Main() {}

    /**
     * Runs the command of the arguments and exits with its code: 0 done, 1 failed, 2 wrong command line or
     * configuration.
     */
    public static void main(String[] args) {
        System.exit(ShardwrightCommand.commandLine(ProcessContext.current()).execute(args));
    }
}
