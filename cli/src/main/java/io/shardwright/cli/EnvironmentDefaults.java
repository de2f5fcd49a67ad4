package io.shardwright.cli;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ScopeType;

/**
 * Gives every global option a default from the environment: {@code --ca-cert} from {@code SHARDCTL_CA_CERT}. An option
 * on the command line beats it; a variable that is set but empty counts as absent.
 */
final class EnvironmentDefaults implements IDefaultValueProvider {
    private static final String PREFIX = "SHARDCTL_";

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
        return Optional.of(PREFIX + name.toUpperCase(Locale.ROOT).replace('-', '_'));
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

    /** A sentence about each variable that looks like one of ours and is none, given the options of the program. */
    List<String> unknown(CommandSpec program) {
        List<String> known = program.options().stream()
                .flatMap(option -> variable(option).stream())
                .toList();
        return environment.keySet().stream()
                .filter(name -> name.startsWith(PREFIX) && !known.contains(name))
                .sorted()
                .map(name -> "the environment variable " + name + " is unknown and has no effect; did you mean "
                        + nearest(name, known) + "?")
                .toList();
    }

    private static String nearest(String name, List<String> known) {
        return known.stream()
                .min(Comparator.comparingInt(candidate -> distance(name, candidate)))
                .orElseThrow();
    }

    /** Letters to insert, delete or replace to get from one word to the other (Levenshtein). */
    private static int distance(String one, String other) {
        int[] row = IntStream.rangeClosed(0, other.length()).toArray();
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                int replaced = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[other.length()];
    }
}
