package io.shardwright.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.testkit.DebianTool;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is to wake somebody up does, and a change of leader does not. */
final class AlertRulesTest {

    private static final Path DIRECTORY = Documents.ROOT.resolve("deploy/prometheus");
    private static final Pattern ALERT = Pattern.compile("^ +- alert: (\\w+)$", Pattern.MULTILINE);
    private static final Pattern TRIED = Pattern.compile("\"(Shardwright\\w+)\"|alertname: (Shardwright\\w+)");
    private static final Pattern METRIC = Pattern.compile("shard_manager_[a-z_]+");

    private static String promtool(String... arguments) throws Exception {
        List<String> command =
                new ArrayList<>(List.of(DebianTool.PROMTOOL.find().toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .directory(DIRECTORY.toFile())
                .redirectErrorStream(true)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), printed);
        return printed;
    }

    private static TreeSet<String> found(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.results()
                .map(result -> result.groupCount() == 0
                        ? result.group()
                        : result.group(1) != null ? result.group(1) : result.group(2))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns the metrics that a rule may ask for. */
    static TreeSet<String> metricsOfTheRules() {
        return found(METRIC, Documents.read(DIRECTORY.resolve("shardwright.rules.yaml")));
    }

    @Tag("R144")
    @Test
    void promtoolTakesTheRulesAndEachFiresWhenItHasToAndNotInAChangeOfLeader() throws Exception {
        String checked = promtool("check", "rules", "shardwright.rules.yaml");
        String tried = promtool("test", "rules", "shardwright.rules.test.yaml");

        TreeSet<String> alerts = found(ALERT, Documents.read(DIRECTORY.resolve("shardwright.rules.yaml")));
        assertTrue(checked.contains("SUCCESS: " + alerts.size() + " rules found"), checked);
        assertTrue(tried.contains("SUCCESS"), tried);
        assertTrue(alerts.contains("ShardwrightNotOneLeader"), alerts.toString());
        assertEquals(alerts, found(TRIED, Documents.read(DIRECTORY.resolve("shardwright.rules.test.yaml"))));
    }
}
