package io.shardwright.cli;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code shardctl version}. */
@Command(
        name = "version",
        description = "Shows the version of shardctl and of the Java runtime under it. Calls no server.",
        footer = {"Examples:", "  shardctl version", "  shardctl version --output json", "", "JSON: {version, java}"})
final class VersionCommand implements Callable<Integer> {
    private final Session session;

    VersionCommand(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        session.show(() -> List.of(sentence()), VersionCommand::json);
        return ExitCodes.OK;
    }

    /** The version in words. */
    static String sentence() {
        return "shardctl " + version() + " (Java " + Runtime.version() + ")";
    }

    private static JsonObject json() {
        JsonObject json = new JsonObject();
        json.addProperty("version", version());
        json.addProperty("java", Runtime.version().toString());
        return json;
    }

    private static String version() {
        try (InputStream file = VersionCommand.class.getResourceAsStream("version.properties")) {
            if (file == null) {
                return "unknown";
            }
            Properties properties = new Properties();
            properties.load(file);
            return properties.getProperty("version", "unknown");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
