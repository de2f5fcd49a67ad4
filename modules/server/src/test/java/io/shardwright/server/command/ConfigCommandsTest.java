package io.shardwright.server.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helidon.json.JsonObject;
import io.helidon.json.JsonParser;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

final class ConfigCommandsTest {
    @TempDir
    Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(Map<String, String> environment, String... arguments) {
        CommandLine line = ShardwrightCommand.commandLine(new ProcessContext(environment, directory));
        return line.setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    @Test
    void checkSaysThatARightConfigurationIsRight() {
        assertEquals(0, run(Map.of(), "config", "check", "--store", "memory"));
        assertEquals("The configuration is right.", out.toString().strip());
    }

    @Test
    void checkListsEveryFaultAndExitsWithTwo() {
        assertEquals(
                2,
                run(
                        Map.of("SHARDWRIGHT__HTTP__PORT", "x"),
                        "config",
                        "check",
                        "--grpc-port",
                        "70000",
                        "--set",
                        "grpc.grce=1s"));
        String text = err.toString();
        assertTrue(text.startsWith("3 faults in the configuration:"), text);
        assertTrue(text.contains("  grpc.port = 70000 (flag --grpc-port): must be a port from 0 to 65535"), text);
        assertTrue(text.contains("  http.port = x (environment SHARDWRIGHT__HTTP__PORT): must be a port"), text);
        assertTrue(text.contains("  --set grpc.grce: is not a known key. Did you mean grpc.grace?"), text);
        assertFalse(text.contains("Exception"), text);
        assertEquals("", out.toString());
    }

    @Test
    void showPrintsEachValueWithItsSource() {
        assertEquals(
                0,
                run(
                        Map.of("SHARDWRIGHT__HTTP__PORT", "8099"),
                        "config",
                        "show",
                        "--store",
                        "sqlite:" + directory.resolve("a.db"),
                        "--namespace",
                        "demo:fixed:64",
                        "--namespace",
                        "x:ephemeral"));
        String text = out.toString();
        assertTrue(text.matches("(?s).*http.port +8099 +environment SHARDWRIGHT__HTTP__PORT\\R.*"), text);
        assertTrue(
                text.matches("(?s).*persistence.sqlite.file +" + directory.resolve("a.db") + " +flag --store\\R.*"),
                text);
        assertTrue(text.matches("(?s).*namespaces +demo:fixed:64,x:ephemeral +flag --namespace\\R.*"), text);
        assertTrue(text.matches("(?s).*grpc.port +9002 +default\\R.*"), text);
    }

    @Test
    void showHidesSecretsInBothFormats() {
        String[] etcd = {
            "--store",
            "postgres:jdbc:postgresql://db/x",
            "--set",
            "persistence.postgres.user=u",
            "--set",
            "persistence.postgres.password=hunter2"
        };
        for (String format : new String[] {"table", "json"}) {
            String[] arguments = new String[etcd.length + 4];
            System.arraycopy(new String[] {"config", "show", "--output", format}, 0, arguments, 0, 4);
            System.arraycopy(etcd, 0, arguments, 4, etcd.length);
            assertEquals(0, run(Map.of(), arguments), err::toString);
        }
        assertFalse(out.toString().contains("hunter2"), out::toString);
        assertTrue(out.toString().contains("(hidden)"), out::toString);
    }

    @Test
    void showPrintsJsonThatOtherProgramsRead() {
        assertEquals(0, run(Map.of(), "config", "show", "--output", "json", "--http-port", "8099"));
        JsonObject document = JsonParser.create(out.toString()).readJsonObject();
        JsonObject port = document.arrayValue("settings").orElseThrow().values().stream()
                .map(v -> v.asObject())
                .filter(o -> o.stringValue("key", "").equals("http.port"))
                .findFirst()
                .orElseThrow();
        assertEquals("8099", port.stringValue("value", ""));
        assertEquals("flag --http-port", port.stringValue("source", ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "config",
                "config nonsense",
                "config show --output xml",
                "config check --set grpc.port",
                "config check --set =1",
                "config check --store memory:x",
                "config check --nonsense"
            })
    void aWrongCommandLineExitsWithTwo(String arguments) {
        String[] words = arguments.isEmpty() ? new String[0] : arguments.split(" ", -1);
        assertEquals(2, run(Map.of(), words), () -> out + " " + err);
        assertFalse(err.toString().contains("\tat "), err::toString);
    }

    @Test
    void aSettingWithoutAnEqualsSignIsNotRepeatedBecauseItMayBeASecret() {
        run(Map.of(), "config", "check", "--set", "persistence.etcd.password:hunter2");
        assertTrue(err.toString().contains("--set: must be KEY=VALUE"), err::toString);
        assertFalse(err.toString().contains("hunter2"), err::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"config check --help", "config show --help"})
    void helpHasExamplesAndExitCodes(String arguments) {
        assertEquals(0, run(Map.of(), arguments.split(" ", -1)));
        assertTrue(out.toString().contains("Examples:"), out::toString);
        assertTrue(out.toString().contains("Exit codes:"), out::toString);
        assertTrue(out.toString().contains("--config=FILE"), out::toString);
    }
}
