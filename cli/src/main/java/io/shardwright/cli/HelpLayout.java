package io.shardwright.cli;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Gives all commands one form of help: what it does, synopsis, its own options, then the global ones, then footer with
 * examples.
 */
final class HelpLayout {
    private static final int WIDTH = 100;
    private static final String GLOBAL_OPTIONS = "globalOptions";

    private HelpLayout() {}

    /** Sets up a command and everything under it. */
    static void apply(CommandLine command) {
        UsageMessageSpec usage = command.getCommandSpec().usageMessage();
        usage.width(WIDTH)
                .abbreviateSynopsis(true)
                .sortOptions(false)
                .descriptionHeading("%n")
                .parameterListHeading("%nParameters:%n")
                .commandListHeading("%nCommands:%n")
                .footerHeading("%n");
        command.getHelpSectionMap()
                .put(UsageMessageSpec.SECTION_KEY_OPTION_LIST_HEADING, help -> heading("Options:", own(help)));
        command.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, help -> list(help, own(help)));
        List<String> sections = new ArrayList<>(command.getHelpSectionKeys());
        if (!sections.contains(GLOBAL_OPTIONS)) { // a command passes its list on to its subcommands
            sections.add(sections.indexOf(UsageMessageSpec.SECTION_KEY_FOOTER_HEADING), GLOBAL_OPTIONS);
            command.setHelpSectionKeys(sections);
        }
        command.getHelpSectionMap()
                .put(GLOBAL_OPTIONS, help -> heading("Global options:", inherited(help)) + list(help, inherited(help)));
        // A command is listed under each of its aliases too.
        new LinkedHashSet<>(command.getSubcommands().values()).forEach(HelpLayout::apply);
    }

    private static String heading(String title, List<OptionSpec> options) {
        return options.isEmpty() ? "" : System.lineSeparator() + title + System.lineSeparator();
    }

    private static String list(Help help, List<OptionSpec> options) {
        return options.isEmpty() ? "" : help.optionListExcludingGroups(options);
    }

    private static List<OptionSpec> own(Help help) {
        return help.commandSpec().options().stream()
                .filter(option -> !option.inherited() && !option.hidden())
                .toList();
    }

    private static List<OptionSpec> inherited(Help help) {
        return help.commandSpec().options().stream()
                .filter(option -> option.inherited() && !option.hidden())
                .toList();
    }
}
