package io.shardwright.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The completion script in a real bash. */
final class CompletionTest {
    @TempDir
    Path directory;

    @Test
    void bashCompletesCommandsAndOptions() throws IOException, InterruptedException {
        assertTrue(complete("shardctl names").contains("namespace"));
        assertTrue(complete("shardctl namespace li").contains("list"));
        assertTrue(complete("shardctl executor list --addr").contains("--address"));
        assertTrue(complete("shardctl --output js").contains("json"));
    }

    @Test
    void zshGetsAScriptThatLoadsBashCompletionFirst() {
        Run run = Run.of("completion", "zsh");
        assertEquals(0, run.exitCode());
        assertTrue(run.out().contains("bashcompinit"), run.out());
    }

    @Test
    void anotherShellIsExitCode2() {
        assertEquals(2, Run.of("completion", "fish").exitCode());
    }

    private String complete(String line) throws IOException, InterruptedException {
        Run script = Run.of("completion", "bash");
        assertEquals(0, script.exitCode(), script.err());
        Path file = Files.writeString(directory.resolve("completion"), script.out());
        String ask = """
                source "$1"
                line=$2
                COMP_LINE=$line COMP_POINT=${#line}
                read -r -a COMP_WORDS <<< "$line"
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                function=$(complete -p shardctl | sed 's/.*-F \\([^ ]*\\).*/\\1/')
                "$function" shardctl "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
                printf '%s\\n' "${COMPREPLY[@]}"
                """;
        Process bash = new ProcessBuilder("bash", "--norc", "-c", ask, "bash", file.toString(), line)
                .redirectErrorStream(true)
                .start();
        bash.getOutputStream().close();
        String answer = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(bash.waitFor(30, TimeUnit.SECONDS), "bash did not end");
        return answer;
    }
}
