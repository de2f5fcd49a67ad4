package io.shardwright.server.command;

import io.shardwright.server.config.ConfigFaultsException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code shardwright config check}: every fault at once, or nothing to complain about. */
@Command(
        name = "check",
        description = "Reports every fault of the configuration at once. Opens no port and changes nothing.",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  shardwright config check",
            "  shardwright config check --config /etc/shardwright/shardwright.yaml",
            "  shardwright config check --store etcd:http://127.0.0.1:2379 \\",
            "    --set grpc.grace=3s"
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:the configuration is right", "2:it is not; every fault is on standard error"})
final class ConfigCheckCommand implements Callable<Integer> {
    private final ProcessContext process;

    @Mixin
    final ConfigOptions options = new ConfigOptions();

    @Spec
    @Nullable
    CommandSpec spec;

    ConfigCheckCommand(ProcessContext process) {
        this.process = process;
    }

    @Override
    public Integer call() throws ConfigFaultsException {
        options.load(process);
        if (spec != null) {
            spec.commandLine().getOut().println("The configuration is right.");
        }
        return ExitCodes.OK;
    }
}
