package io.shardwright.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The help texts are a product: they are compared with files, which {@code -Dshardwright.golden.write=true} rewrites,
 * and make up {@code docs/shardctl.md}, which {@code -Dshardwright.docs.write=true} rewrites.
 */
final class HelpTest {
    private static final Path GOLDEN = Path.of("src/test/resources/golden");
    private static final Path REFERENCE = Path.of("../docs/shardctl.md");

    @Test
    void helpIsAsInTheGoldenFiles() throws IOException {
        for (CommandLine command : commands()) {
            Path file = GOLDEN.resolve(command.getCommandSpec().qualifiedName("-") + ".txt");
            compare(file, command.getUsageMessage(Ansi.OFF), "shardwright.golden.write");
        }
    }

    @Test
    void theReferencePageIsMadeOfTheHelpTexts() throws IOException {
        compare(REFERENCE, reference(), "shardwright.docs.write");
    }

    @Test
    void everyHelpHasTwoExamplesAndNoSectionTwice() {
        for (CommandLine command : commands()) {
            String help = command.getUsageMessage(Ansi.OFF);
            String name = command.getCommandSpec().qualifiedName();
            String examples = help.substring(help.indexOf("Examples:") + 1);
            long count = examples.lines()
                    .filter(line -> line.matches("^  .*shardctl .*"))
                    .count();
            assertEquals(2, count, name);
            assertEquals(help.indexOf("--address=HOST"), help.lastIndexOf("--address=HOST"), name);
        }
    }

    @Test
    void everyGlobalOptionNamesItsVariableAndItsDefault() {
        int found = 0;
        for (OptionSpec option : commands().get(0).getCommandSpec().options()) {
            Optional<String> variable = EnvironmentDefaults.variable(option);
            if (variable.isPresent()) {
                found++;
                String description = String.join(" ", option.description());
                assertTrue(description.contains(variable.get()), option.longestName());
                assertTrue(description.contains("Default: "), option.longestName());
            }
        }
        assertEquals(9, found);
    }

    @Test
    void helpIsPrintedToStandardOutputAndIsNoFailure() {
        Run run = Run.of("namespace", "list", "--help");
        assertEquals(0, run.exitCode());
        assertTrue(run.out().startsWith("Usage: shardctl namespace list"), run.out());
    }

    @Test
    void versionNeedsNoServer() {
        Run run = Run.of("version");
        assertEquals(0, run.exitCode());
        assertTrue(run.out().matches("shardctl \\d+\\.\\S+ \\(Java .*\\)\\R"), run.out());
        assertEquals(run.out(), Run.of("--version").out());
        assertTrue(Run.of("version", "-o", "json").out().contains("\"version\": \""));
    }

    private static void compare(Path file, String actual, String rewrite) throws IOException {
        if (Boolean.getBoolean(rewrite)) {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.writeString(file, actual);
        }
        assertTrue(Files.exists(file), file + " is missing; write it with -D" + rewrite + "=true");
        assertEquals(
                Files.readString(file), actual, file + " is stale; if the change is meant, -D" + rewrite + "=true");
    }

    private static String reference() {
        StringBuilder page = new StringBuilder("""
                # shardctl

                The operator's command line. Started from a checkout as `./shardctl`. This page is made of the help texts
                (`shardctl COMMAND --help`); a test keeps it equal to them.
                """);
        for (CommandLine command : commands()) {
            page.append("\n## ")
                    .append(command.getCommandSpec().qualifiedName())
                    .append("\n\n```text\n");
            page.append(command.getUsageMessage(Ansi.OFF)).append("```\n");
        }
        return page.toString();
    }

    private static List<CommandLine> commands() {
        Shell shell = new Shell(
                new BufferedReader(Reader.nullReader()),
                new PrintWriter(Writer.nullWriter()),
                new PrintWriter(Writer.nullWriter()),
                Map.of(),
                Optional::empty);
        List<CommandLine> commands = new ArrayList<>();
        collect(Shardctl.commandLine(shell), commands);
        return commands;
    }

    private static void collect(CommandLine command, List<CommandLine> into) {
        into.add(command);
        new LinkedHashSet<>(command.getSubcommands().values()).forEach(sub -> collect(sub, into));
    }
}
