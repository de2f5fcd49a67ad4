package io.shardwright.server.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/requirements.md}: each requirement with the tests that carry its number as a tag. A test that goes takes
 * its line with it, and this test notices. {@code -Dshardwright.docs.write=true} writes the page again.
 */
final class RequirementsTest {

    private static final Path ROOT = Path.of("../..");
    private static final Path PAGE = ROOT.resolve("docs/requirements.md");
    private static final Pattern TAG = Pattern.compile("@(?:[\\w.]+\\.)?Tag\\(\"([RB]\\d+)\"\\)");
    private static final Pattern NAMED =
            Pattern.compile("(?:class|interface)\\s+(\\w+)|^\\s{4}(?:public |static )*[\\w.<>]+ (\\w+)\\(");

    /** @param page a page and heading that states it, or empty */
    private record Requirement(String number, String sentence, String page) {}

    private static List<Requirement> all() throws IOException {
        List<Requirement> all = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of("src/test/resources/requirements.txt"))) {
            if (!line.startsWith("#")) {
                String[] parts = line.split("\\|", -1);
                all.add(new Requirement(parts[0].strip(), parts[1].strip(), parts.length > 2 ? parts[2].strip() : ""));
            }
        }
        return all;
    }

    /** Returns the tests by the number that they carry. */
    private static Map<String, TreeSet<String>> tests() throws IOException {
        Map<String, TreeSet<String>> tests = new TreeMap<>();
        try (Stream<Path> files = Files.walk(ROOT)) {
            for (Path file : files.filter(RequirementsTest::isTest).toList()) {
                List<String> waiting = new ArrayList<>();
                String type = file.getFileName().toString().replace(".java", "");
                for (String line : Files.readAllLines(file)) {
                    Matcher tag = TAG.matcher(line);
                    while (tag.find()) {
                        waiting.add(tag.group(1));
                    }
                    Matcher named = NAMED.matcher(line);
                    if (!waiting.isEmpty() && named.find()) {
                        String test = named.group(2) == null ? type : type + "." + named.group(2);
                        waiting.forEach(number -> tests.computeIfAbsent(number, n -> new TreeSet<>())
                                .add(test));
                        waiting.clear();
                    }
                }
                assertTrue(waiting.isEmpty(), file + ": what carries the tags " + waiting + "?");
            }
        }
        return tests;
    }

    private static boolean isTest(Path file) {
        return file.toString().endsWith(".java")
                && file.toString().contains("src/test/java")
                && !file.endsWith("RequirementsTest.java");
    }

    private static String page(List<Requirement> all, Map<String, TreeSet<String>> tests) {
        StringBuilder page = new StringBuilder();
        long open = all.stream().filter(each -> isOpen(each, tests)).count();
        page.append("# Requirements and what proves them\n\n")
                .append("Made from the tags of the tests (`RequirementsTest`). ")
                .append(all.size() - open)
                .append(" of ")
                .append(all.size())
                .append(" are shown by a test or stated on a page where nothing can be tested; ")
                .append(open)
                .append(" are **open**.\n\n| | requirement | shown by |\n| --- | --- | --- |\n");
        for (Requirement each : all) {
            List<String> proofs = new ArrayList<>();
            tests.getOrDefault(each.number(), new TreeSet<>()).forEach(test -> proofs.add("`" + test + "`"));
            if (!each.page().isEmpty()) {
                String link = each.page().substring("docs/".length());
                proofs.add("[" + link + "](" + link + ")");
            }
            page.append("| ")
                    .append(each.number())
                    .append(" | ")
                    .append(each.sentence())
                    .append(" | ");
            page.append(proofs.isEmpty() ? "**open**" : String.join(", ", proofs))
                    .append(" |\n");
        }
        return page.toString();
    }

    private static boolean isOpen(Requirement each, Map<String, TreeSet<String>> tests) {
        return each.page().isEmpty() && !tests.containsKey(each.number());
    }

    @Test
    void thePageNamesTheTestsOfEachRequirement() throws Exception {
        String page = page(all(), tests());
        if (Boolean.getBoolean("shardwright.docs.write")) {
            Files.writeString(PAGE, page);
        }
        assertEquals(page, Files.readString(PAGE), "run this test with -Dshardwright.docs.write=true");
    }

    @Test
    void everyTagIsTheNumberOfARequirement() throws Exception {
        TreeSet<String> unknown = new TreeSet<>(tests().keySet());
        all().forEach(each -> unknown.remove(each.number()));
        assertEquals(new TreeSet<>(), unknown);
    }

    @Test
    void everyPageThatIsNamedHasTheHeading() throws Exception {
        for (Requirement each : all()) {
            if (each.page().isEmpty()) {
                continue;
            }
            String[] link = each.page().split("#", 2);
            List<String> headings = Files.readAllLines(ROOT.resolve(link[0])).stream()
                    .filter(line -> line.startsWith("#"))
                    .map(RequirementsTest::anchor)
                    .toList();
            assertTrue(headings.contains(link[1]), each + " is in none of " + headings);
        }
    }

    private static String anchor(String heading) {
        return heading.replaceFirst("#+ ", "")
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^a-z0-9 -]", "")
                .replace(' ', '-');
    }
}
