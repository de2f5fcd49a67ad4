package io.shardwright.sim.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The commit that is checked out where the command runs. */
final class Checkout {

    private Checkout() {}

    /** Returns the commit, marked {@code -dirty} where files differ from it; empty outside of a checkout. */
    static Optional<String> commit() {
        try {
            Process git = new ProcessBuilder("git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!git.waitFor(5, TimeUnit.SECONDS)) {
                git.destroyForcibly();
                return Optional.empty();
            }
            String text = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return git.exitValue() == 0 && !text.isEmpty() ? Optional.of(text) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty(); // no git here
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
