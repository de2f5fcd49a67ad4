package io.shardwright.server.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The values of {@code shardwright.yaml}. */
final class FileLayer {
    static final String DEFAULT_NAME = "shardwright.yaml";
    static final String VARIABLE = "SHARDWRIGHT_CONFIG";

    private static final long MAX_BYTES = 4L << 20;

    private final Path file;
    private final Faults faults;
    private final SortedMap<String, Given> values = new TreeMap<>();

    private FileLayer(Path file, Faults faults) {
        this.file = file;
        this.faults = faults;
    }

    /** The file that {@code --config} names, else {@code SHARDWRIGHT_CONFIG}, else the default one if it exists. */
    static Optional<Path> locate(ConfigInputs inputs) {
        return inputs.file()
                .or(() -> Optional.ofNullable(inputs.environment().get(VARIABLE))
                        .filter(v -> !v.isEmpty())
                        .map(Path::of))
                .or(() -> Optional.of(inputs.directory().resolve(DEFAULT_NAME)).filter(Files::exists));
    }

    static ConfigLayer read(Path file, Faults faults) {
        FileLayer layer = new FileLayer(file, faults);
        layer.text().ifPresent(layer::parse);
        return new ConfigLayer(file.toString(), layer.values);
    }

    private Optional<String> text() {
        try {
            if (Files.isDirectory(file)) {
                return refuse("is a directory, not a file.", "Name the YAML file in it.");
            }
            if (Files.size(file) > MAX_BYTES) {
                return refuse("is larger than 4 MiB.", "Is it the configuration?");
            }
            String text = Files.readString(file);
            return text.isBlank()
                    ? refuse(
                            "is empty, as a file is that was not written to its end.",
                            "Write it again; `{}` stands for \"only defaults\".")
                    : Optional.of(text);
        } catch (IOException e) {
            return refuse(problem(e), remedy(e));
        }
    }

    /** What an error of the file system means. */
    static String problem(IOException e) {
        return switch (e) {
            case NoSuchFileException missing -> "does not exist.";
            case AccessDeniedException denied -> "may not be read by this user.";
            case CharacterCodingException coding -> "is not UTF-8 text.";
            default -> "cannot be read: " + e.getMessage() + ".";
        };
    }

    private static String remedy(IOException e) {
        return e instanceof CharacterCodingException
                ? "Save it as UTF-8."
                : "Check the path and its permissions, or leave out --config and " + VARIABLE + ".";
    }

    private Optional<String> refuse(String rule, String remedy) {
        faults.add(Fault.of(file.toString(), rule, remedy));
        return Optional.empty();
    }

    private void parse(String text) {
        try {
            Optional<TextNode> document = YamlText.parse(text);
            switch (document.orElse(null)) {
                case null -> {} // comments only: every default holds
                case TextNode.Fields fields -> flatten("", fields.fields());
                case TextNode other ->
                    refuse("line " + other.line() + ": is not a map of keys.", "Begin with a key, such as `grpc:`.");
            }
        } catch (YamlText.Malformed e) {
            refuse(
                    "line " + e.line() + ", column " + e.column() + ": is not valid YAML: " + e.getMessage() + ".",
                    "Correct it there or just above, or write the file again if it was cut off.");
        }
    }

    private void flatten(String prefix, Map<String, TextNode> fields) {
        fields.forEach((name, node) -> {
            String key = prefix.isEmpty() ? name : prefix + "." + name;
            ConfigKeys.byKey(key).ifPresentOrElse(setting -> take(setting, node), () -> descend(key, node));
        });
    }

    private void descend(String key, TextNode node) {
        boolean group = ConfigKeys.names().stream().anyMatch(k -> k.startsWith(key + "."));
        if (node instanceof TextNode.Fields fields && (group || !fields.fields().isEmpty())) {
            flatten(key, fields.fields());
        } else if (!group) {
            faults.add(Fault.of(key, "is not a known key.", NearestKey.remedy(key, ConfigKeys.names()), at(node)));
        } else if (!(node instanceof TextNode.Missing)) {
            faults.add(Fault.of(key, "is a group of keys, not a value.", "Put its keys below it, indented.", at(node)));
        }
    }

    private void take(Setting<?> setting, TextNode node) {
        switch (node) {
            case TextNode.Missing missing ->
                faults.add(Fault.of(
                        setting.key(),
                        "stands without a value.",
                        "Give one, for example " + setting.example() + ", or remove the line.",
                        at(node)));
            case TextNode.Scalar scalar -> put(setting, scalar.text(), node);
            case TextNode.Items items -> takeSeveral(setting, node);
            case TextNode.Fields fields -> takeSeveral(setting, node);
        }
    }

    private void takeSeveral(Setting<?> setting, TextNode node) {
        switch (setting.type().shape()) {
            case LIST -> put(setting, node.toJson().toString(), node);
            case SINGLE ->
                faults.add(Fault.of(
                        setting.key(),
                        "is a list or a map, but must be " + setting.type().rule() + ".",
                        "Give one value, for example " + setting.example() + "; quote a text that begins with [ or {.",
                        at(node)));
        }
    }

    private void put(Setting<?> setting, String text, TextNode node) {
        if (values.put(setting.key(), new Given(text, at(node))) != null) {
            faults.add(Fault.of(setting.key(), "stands twice in the file.", "Keep one of the two.", at(node)));
        }
    }

    private String at(TextNode node) {
        return file + ":" + node.line();
    }
}
