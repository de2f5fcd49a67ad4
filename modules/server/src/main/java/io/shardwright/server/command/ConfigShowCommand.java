package io.shardwright.server.command;

import io.shardwright.server.config.ConfigFaultsException;
import io.shardwright.server.config.EffectiveConfig;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code shardwright config show}: each value in effect with its source. */
@Command(
        name = "show",
        description = "Prints each value in effect with its source. Secrets are hidden.",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  shardwright config show",
            "  shardwright config show --output json",
            "  SHARDWRIGHT__GRPC__PORT=9100 shardwright config show"
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:shown", "2:the configuration is wrong; every fault is on standard error"})
final class ConfigShowCommand implements Callable<Integer> {
    private final ProcessContext process;

    @Mixin
    final ConfigOptions options = new ConfigOptions();

    @Option(
            names = "--output",
            paramLabel = "FORMAT",
            description = "table or json. Default: table.",
            defaultValue = "table")
    Output output = Output.table;

    @Spec
    @Nullable
    CommandSpec spec;

    /** The formats, as they are typed. */
    enum Output {
        table,
        json
    }

    ConfigShowCommand(ProcessContext process) {
        this.process = process;
    }

    @Override
    public Integer call() throws ConfigFaultsException {
        EffectiveConfig effective = options.load(process).effective();
        String text =
                switch (output) {
                    case table -> effective.table();
                    case json -> effective.json() + System.lineSeparator();
                };
        if (spec != null) {
            spec.commandLine().getOut().print(text);
            spec.commandLine().getOut().flush();
        }
        return ExitCodes.OK;
    }
}
