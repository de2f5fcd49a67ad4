package io.shardwright.server.command;

import java.nio.file.Path;
import java.util.Map;

/** What a command sees of the process around it, so that a test can give another one. */
public record ProcessContext(Map<String, String> environment, Path directory) {
    public ProcessContext {
        environment = Map.copyOf(environment);
    }

    /** The process that this is. */
    public static ProcessContext current() {
        return new ProcessContext(System.getenv(), Path.of(""));
    }
}
