package io.shardwright.cli;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ScopeType;

/**
 * Gives every global option a default from the environment: {@code --ca-cert} from {@code SHARDCTL_CA_CERT}. An option
 * on the command line beats it; a variable that is set but empty counts as absent.
 */
final class EnvironmentDefaults implements IDefaultValueProvider {
    private final Map<String, String> environment;

    EnvironmentDefaults(Map<String, String> environment) {
        this.environment = environment;
    }

    /** Name of the variable of an option; empty for options that only the command line sets. */
    static Optional<String> variable(ArgSpec arg) {
        if (!(arg instanceof OptionSpec option) || option.scopeType() != ScopeType.INHERIT || option.usageHelp()) {
            return Optional.empty();
        }
        String name = option.longestName().replaceFirst("^--", "");
        return Optional.of("SHARDCTL_" + name.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /** The variable that {@code arg} got {@code value} from, if so. */
    Optional<String> source(ArgSpec arg, String value) {
        return variable(arg).filter(name -> value.equals(environment.get(name)));
    }

    @Override
    public @Nullable String defaultValue(ArgSpec arg) {
        return variable(arg)
                .map(environment::get)
                .filter(value -> !value.isEmpty())
                .orElse(null);
    }
}
