package io.shardwright.server.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.testkit.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Settings that pages for people name are settings that exist. */
final class NamesInDocumentsTest {

    private static final Pattern VARIABLE = Pattern.compile("SHARDWRIGHT__[A-Z0-9_]*[A-Z0-9]");
    private static final Pattern KEY =
            Pattern.compile("`((?:grpc|http|persistence|leases|limits)(?:\\.[a-z][a-z0-9-]*)+)[`:]");

    private static TreeMap<Path, String> documents() throws IOException {
        TreeMap<Path, String> texts = new TreeMap<>();
        try (Stream<Path> files = Files.walk(Checkout.root().resolve("docs"))) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".md")).toList()) {
                texts.put(file, Files.readString(file));
            }
        }
        Path readme = Checkout.root().resolve("README.md");
        texts.put(readme, Files.readString(readme));
        return texts;
    }

    private static TreeSet<String> named(Pattern pattern, int group) throws IOException {
        TreeSet<String> names = new TreeSet<>();
        for (String text : documents().values()) {
            Matcher name = pattern.matcher(text);
            while (name.find()) {
                names.add(name.group(group));
            }
        }
        return names;
    }

    @Test
    void everyVariableThatAPageNamesExists() throws Exception {
        TreeSet<String> named = named(VARIABLE, 0);
        assertTrue(named.size() > 5, named::toString);
        named.removeAll(ConfigKeys.ALL.stream().map(Setting::environmentName).collect(Collectors.toSet()));
        named.remove("SHARDWRIGHT__A__B"); // how a variable is named, not one
        assertEquals(new TreeSet<>(), named);
    }

    @Test
    void everyKeyThatAPageNamesExists() throws Exception {
        TreeSet<String> named = named(KEY, 1);
        assertTrue(named.size() > 10, named::toString);
        named.removeIf(name -> ConfigKeys.ALL.stream()
                .anyMatch(key -> key.key().equals(name) || key.key().startsWith(name + ".")));
        assertEquals(new TreeSet<>(), named);
    }

    @Test
    @Tag("R64")
    void thePageOfReplicasShowsAPodWithMountedCertificates() throws Exception {
        String page = Files.readString(Checkout.root().resolve("docs/replicas.md"));
        for (Setting<?> setting : List.of(
                ConfigKeys.ETCD_CA,
                ConfigKeys.ETCD_CLIENT_CERT,
                ConfigKeys.ETCD_CLIENT_KEY,
                ConfigKeys.ETCD_SERVER_NAME)) {
            assertTrue(page.contains("name: " + setting.environmentName() + ","), setting.key());
        }
        assertTrue(page.contains("readOnly: true"));
    }
}
