package io.shardwright.server.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import de.thetaphi.forbiddenapis.Checker;
import de.thetaphi.forbiddenapis.ForbiddenApiException;
import de.thetaphi.forbiddenapis.Logger;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The build would see what the determinism rule forbids, and looks where deterministic code is. */
final class DeterminismRuleTest {

    private static final Path ROOT = Path.of("../..");

    private final List<String> found = new ArrayList<>();
    private final Logger log = new Logger() {
        @Override
        public void error(String line) {
            found.add(line);
        }

        @Override
        public void warn(String line) {}

        @Override
        public void info(String line) {}

        @Override
        public void debug(String line) {}
    };

    @Test
    void eachKindOfForbiddenCallIsFound() throws Exception {
        Checker checker = new Checker(
                log,
                DeterminismRuleTest.class.getClassLoader(),
                Checker.Option.FAIL_ON_VIOLATION,
                Checker.Option.FAIL_ON_UNRESOLVABLE_SIGNATURES);
        checker.parseSignaturesFile(
                ROOT.resolve("build/determinism-signatures.txt").toFile());
        try (InputStream scratch =
                DeterminismRuleTest.class.getResourceAsStream("/io/shardwright/domain/scratch/OutOfBounds.class")) {
            checker.streamReadClassToCheck(Objects.requireNonNull(scratch), "OutOfBounds");
        }
        assertThrows(ForbiddenApiException.class, checker::run);
        String all = String.join("\n", found);
        for (String call : List.of(
                "java.lang.System#nanoTime",
                "java.util.Random",
                "java.util.HashMap#<init>",
                "java.lang.Thread",
                "java.net.ServerSocket")) {
            assertTrue(all.contains(call), call + " is not in " + all);
        }
    }

    @Test
    void theBuildChecksEachModuleWithDeterministicCode() throws Exception {
        List<String> unchecked = new ArrayList<>();
        for (String module : List.of(
                "modules/domain",
                "modules/persistence",
                "modules/election",
                "modules/control",
                "modules/client",
                "sim")) {
            String pom = Files.readString(ROOT.resolve(module).resolve("pom.xml"));
            if (!pom.contains("<artifactId>forbiddenapis</artifactId>")) {
                unchecked.add(module);
            }
        }
        assertEquals(List.of(), unchecked);
        String parent = Files.readString(ROOT.resolve("pom.xml"));
        String plugin = parent.substring(parent.indexOf("<!-- The determinism rule."));
        plugin = plugin.substring(0, plugin.indexOf("</plugin>"));
        assertTrue(
                plugin.contains("<goal>check</goal>") && plugin.contains("build/determinism-signatures.txt"), plugin);
    }
}
