package io.shardwright.client;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadmeExamplesTest {

    @ParameterizedTest
    @ValueSource(strings = {"executor", "spectator"})
    void theReadmeShowsExactlyTheCompiledExample(String name) throws IOException {
        Path source = Path.of("src/test/java/io/shardwright/client/ReadmeExamples.java");
        List<String> lines = Files.readAllLines(source);
        int begin = lines.indexOf("        // README " + name + " begin");
        int end = lines.indexOf("        // README " + name + " end");
        String example = String.join("\n", lines.subList(begin + 1, end)).stripIndent();
        String readme = Files.readString(Path.of("../../README.md"));
        assertTrue(
                readme.contains("```java\n" + example + "\n```"),
                () -> "README.md must contain this as a java block:\n" + example);
        assertTrue(end - begin <= 22, "about 20 lines");
    }
}
