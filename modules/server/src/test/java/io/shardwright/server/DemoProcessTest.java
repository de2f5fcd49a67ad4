package io.shardwright.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo as newcomers see it. */
final class DemoProcessTest {

    private static final String KILL_HEALED =
            "e\\d+ killed \\(SIGKILL\\)  [1-9]\\d* shards healed in \\d+\\.\\d s, [1-9][\\d,]* pings failed of [\\d,]+";

    @TempDir
    Path directory;

    @TempDir
    Path temporary;

    @Test
    void aShardThatWasWithoutAnOwnerForLongerThanAllowedFailsTheDemo() throws Exception {
        try (CommandProcess demo = CommandProcess.start(
                directory, temporary, "demo", "--lease", "3s", "--allow-unowned", "500ms", "--plain")) {
            demo.awaitOutput(Pattern.compile(KILL_HEALED)); // whose shards waited for the lease
            demo.terminate();
            assertEquals(3, demo.exitCode(), demo::log);
            String out = demo.out();
            assertTrue(out.contains("VIOLATION"), out);
            assertTrue(out.contains("allowed 0.5 s"), out);
        }
    }

    @Test
    void aDemoThatIsStoppedBeforeItBeganSaysSoAndAccusesNobody() throws Exception {
        try (CommandProcess demo = CommandProcess.start(directory, temporary, "demo", "--plain")) {
            demo.awaitOutput(Pattern.compile("starting a server"));
            demo.terminate();
            assertEquals(0, demo.exitCode(), demo::log);
            assertTrue(demo.out().contains("stopped before the first ping"), demo::log);
            assertEquals(Set.of(), demo.left(), "processes were left behind");
        }
    }

    @Test
    void aServerThatDiesFailsTheDemo() throws Exception {
        try (CommandProcess demo = CommandProcess.start(
                directory, temporary, "demo", "--lease", "2s", "--allow-unowned", "1m", "--plain")) {
            demo.awaitOutput(Pattern.compile("e4 joined"));
            demo.kill("server");
            demo.awaitOutput(Pattern.compile("server ended"));
            demo.terminate();
            assertEquals(1, demo.exitCode(), demo::log);
            assertTrue(demo.out().contains("FAILED the server ended by itself"), demo::log);
        }
    }

    @Test
    void theDemoEndsByItselfWithASummarySoLongAfterItsFirstPing() throws Exception {
        try (CommandProcess demo =
                CommandProcess.start(directory, temporary, "demo", "--lease", "2s", "--plain", "--for", "2s")) {
            assertEquals(0, demo.exitCode(), demo::log);
            assertTrue(demo.out().contains("double owners 0, epoch falls 0"), demo::log);
            assertEquals(Set.of(), demo.left(), "processes were left behind");
        }
    }

    @Test
    void theDemoHealsShowsItAndLeavesNothingBehind() throws Exception {
        try (CommandProcess demo = CommandProcess.start(directory, temporary, "demo", "--lease", "2s", "--plain")) {
            // Without an end of its own: a busy machine needs long for three acts, and a fixed time would cut them off.
            demo.awaitOutput(Pattern.compile(KILL_HEALED));
            assertDashboardIsServed(demo.out());
            demo.terminate();
            assertEquals(0, demo.exitCode(), demo::log);
            String out = demo.out();
            assertHappened("e4 joined  [1-9]\\d* shards moved to it in \\d+\\.\\d s", out);
            assertHappened(
                    "e\\d+ left \\(SIGTERM\\)  [1-9]\\d* shards handed over in \\d+\\.\\d s, [\\d,]+ pings failed of [\\d,]+",
                    out);
            assertHappened(KILL_HEALED, out);
            assertTrue(out.contains("double owners 0, epoch falls 0"), out);
            assertTrue(demo.started() >= 4, "a server and three executors at least");
            assertEquals(Set.of(), demo.left(), "processes were left behind");
        }
        try (Stream<Path> files = Files.list(temporary)) {
            assertEquals(
                    0,
                    files.filter(file -> file.getFileName().toString().startsWith("shardwright-demo-"))
                            .count(),
                    "its directory was left behind");
        }
    }

    private static void assertDashboardIsServed(String out) throws Exception {
        Matcher address =
                Pattern.compile("dashboard (http://127\\.0\\.0\\.1:\\d+\\S*)").matcher(out);
        assertTrue(address.find(), out);
        HttpResponse<String> page = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(address.group(1))).build(),
                        HttpResponse.BodyHandlers.ofString());
        assertEquals(200, page.statusCode());
        assertTrue(page.body().contains("<title>Shardwright"), page::body);
    }

    private static void assertHappened(String event, String out) {
        assertTrue(Pattern.compile(event).matcher(out).find(), () -> "nothing matches " + event + " in\n" + out);
    }
}
