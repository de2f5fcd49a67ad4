package io.shardwright.server.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The pages in {@code docs/} say what the code does. {@code -Dshardwright.docs.write=true} writes them again. */
final class ConfigReferenceTest {
    @TempDir
    Path directory;

    /** The generated files. */
    enum Document {
        PAGE("configuration.md"),
        SAMPLE_YAML("shardwright.sample.yaml"),
        SAMPLE_ENVIRONMENT("shardwright.sample.env");

        private final Path file;

        Document(String name) {
            this.file = Path.of("../../docs").resolve(name);
        }

        private String generated() {
            return switch (this) {
                case PAGE -> ConfigReference.page();
                case SAMPLE_YAML -> ConfigReference.sampleYaml();
                case SAMPLE_ENVIRONMENT -> ConfigReference.sampleEnvironment();
            };
        }
    }

    @ParameterizedTest
    @EnumSource
    void theCheckedInDocumentIsTheGeneratedOne(Document document) throws Exception {
        if (Boolean.getBoolean("shardwright.docs.write")) {
            Files.writeString(document.file, document.generated());
        }
        assertTrue(
                Files.exists(document.file),
                document.file + " is missing: run this test with -Dshardwright.docs.write=true");
        assertEquals(
                document.generated(),
                Files.readString(document.file),
                document.file + " is out of date: run this test with -Dshardwright.docs.write=true");
    }

    @Test
    @Tag("R19")
    void everyKeyStandsInEveryDocument() {
        for (Setting<?> setting : ConfigKeys.ALL) {
            assertTrue(ConfigReference.page().contains("| `" + setting.key() + "` |"), setting.key());
            assertTrue(ConfigReference.sampleEnvironment().contains(setting.environmentName() + "="), setting.key());
        }
    }

    @Test
    void theSampleFilesAreValidAsTheyStand() throws Exception {
        TestInputs.in(directory).yaml(ConfigReference.sampleYaml()).config();
    }

    /**
     * With every line in effect only the rules between keys and the missing files may complain, never a key or a value.
     */
    @Test
    void everyLineOfTheSampleFileIsAKnownKeyWithAValidValue() {
        String all = ConfigReference.sampleYaml()
                .lines()
                .skip(3)
                .filter(l -> !l.contains("##"))
                .map(l -> l.replaceFirst("^# ", ""))
                .collect(Collectors.joining("\n"));
        String faults = String.join("\n", TestInputs.in(directory).yaml(all).faults());
        assertTrue(faults.contains("must be a file that this user may read"), faults);
        for (String wrong : new String[] {"known key", "YAML", "For example", "stands"}) {
            assertTrue(!faults.contains(wrong), faults);
        }
    }

    @Test
    void everyExampleIsValid() {
        ConfigKeys.ALL.forEach(
                setting -> assertTrue(setting.type().parse(setting.example()).isPresent(), setting.key()));
        ConfigKeys.NAMESPACE_ITEM.forEach(
                setting -> assertTrue(setting.type().parse(setting.example()).isPresent(), setting.key()));
    }

    @Test
    void everyConstantIsInTheListOfAllKeys() {
        long declared = java.util.Arrays.stream(ConfigKeys.class.getDeclaredFields())
                .filter(field -> field.getType().equals(Setting.class))
                .count();
        assertEquals(declared, ConfigKeys.ALL.size() + ConfigKeys.NAMESPACE_ITEM.size());
    }
}
