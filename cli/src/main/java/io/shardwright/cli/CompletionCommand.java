package io.shardwright.cli;

import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code shardctl completion}. */
@Command(
        name = "completion",
        description = "Prints a script that completes commands and options in bash or zsh.",
        footer = {
            "Examples:",
            "  source <(shardctl completion bash)",
            "  shardctl completion zsh > ~/.shardctl-completion && echo 'source ~/.shardctl-completion' >> ~/.zshrc"
        })
final class CompletionCommand implements Callable<Integer> {
    private final Session session;

    @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}.")
    private Target target = Target.BASH;

    /** Shells with completion. */
    private enum Target {
        BASH,
        ZSH;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    CompletionCommand(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        // The script asks which shell runs it: zsh gets bash's completion functions loaded first.
        String script =
                switch (target) {
                    case BASH, ZSH -> AutoComplete.bash("shardctl", Shardctl.commandLine(session.shell()));
                };
        session.shell().out().print(script);
        session.shell().out().flush();
        return ExitCodes.OK;
    }
}
