package io.shardwright.server.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** The help texts, on a terminal of 80 columns. */
final class HelpTest {

    private final CommandLine root = ShardwrightCommand.commandLine(new ProcessContext(Map.of(), Path.of(".")));

    @Test
    void theListOfCommandsSaysWholeSentences() {
        for (CommandLine command : commands(root)) {
            String first = command.getCommandSpec().usageMessage().description()[0];
            assertTrue(first.endsWith("."), command.getCommandName() + ": " + first);
        }
    }

    @Test
    void anExampleIsPastedAsItIs() {
        for (CommandLine command : commands(root)) {
            if (command.getCommandName().equals("sim")) {
                continue; // explains its examples in comments, which may break
            }
            for (String line : command.getCommandSpec().usageMessage().footer()) {
                assertTrue(line.length() < 80, () -> command.getCommandName() + " breaks at column 80: " + line);
                assertTrue(command.getUsageMessage(Ansi.OFF).contains(line + System.lineSeparator()), line);
            }
        }
    }

    @Test
    void everyExitCodeOfACommandIsInTheListOfTheWhole() {
        String all = String.join(
                " ", root.getCommandSpec().usageMessage().exitCodeList().keySet());
        assertEquals("0 1 2 3 10 to 14", all.replaceAll(" +", " ").strip());
        for (CommandLine command : commands(root)) {
            for (String code :
                    command.getCommandSpec().usageMessage().exitCodeList().keySet()) {
                String number = code.strip();
                boolean listed = (" " + all + " ").contains(" " + number + " ") || number.matches("1[0-4]");
                assertTrue(listed || number.equals("10 to 14"), command.getCommandName() + " " + code);
            }
        }
    }

    private static List<CommandLine> commands(CommandLine command) {
        List<CommandLine> all = new ArrayList<>(List.of(command));
        new LinkedHashSet<>(command.getSubcommands().values()).forEach(sub -> all.addAll(commands(sub)));
        return all;
    }
}
