package io.shardwright.server.config;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Reads YAML (and so JSON) without interpreting its leaves.
 *
 * <p>YAML libraries turn {@code 0123} into 83, {@code no} into false and {@code 12:30} into 750 before anyone can say
 * that the key wanted text (R68). So this stops after composing the tree, where a leaf is still what was written. It
 * also refuses what loaders accept in silence: a key that stands twice, and a second document.
 */
final class YamlText {
    private static final int MAX_DEPTH = 20;

    private YamlText() {}

    /** The text is not what was asked for. Never carries a part of the text, which could be a secret. */
    static final class Malformed extends Exception {
        private final int line;
        private final int column;

        Malformed(String problem, int line, int column) {
            super(problem);
            this.line = line;
            this.column = column;
        }

        int line() {
            return line;
        }

        int column() {
            return column;
        }
    }

    /** The document, or empty when the text holds nothing but blanks and comments. */
    static Optional<TextNode> parse(String text) throws Malformed {
        try {
            List<Node> documents = new ArrayList<>();
            new Yaml(options()).composeAll(new StringReader(text)).forEach(documents::add);
            if (documents.size() > 1) {
                throw at(documents.get(1).getStartMark(), "a second document begins here; one file holds one document");
            }
            return documents.isEmpty() ? Optional.empty() : Optional.of(convert(documents.getFirst(), 0));
        } catch (MarkedYAMLException e) {
            throw at(
                    e.getProblemMark(),
                    String.valueOf(e.getProblem()).lines().findFirst().orElse("not YAML"));
        } catch (YAMLException e) {
            throw new Malformed("not YAML text (a control character, a bad encoding or too many aliases)", 1, 1);
        }
    }

    private static LoaderOptions options() {
        LoaderOptions options = new LoaderOptions();
        options.setNestingDepthLimit(MAX_DEPTH);
        return options;
    }

    private static TextNode convert(Node node, int depth) throws Malformed {
        if (depth > MAX_DEPTH) {
            throw at(node.getStartMark(), "nested more than " + MAX_DEPTH + " deep, or an alias that contains itself");
        }
        int line = node.getStartMark().getLine() + 1;
        return switch (node) {
            case ScalarNode scalar ->
                Tag.NULL.equals(scalar.getTag())
                        ? new TextNode.Missing(line)
                        : new TextNode.Scalar(scalar.getValue(), line);
            case SequenceNode sequence -> {
                List<TextNode> items = new ArrayList<>();
                for (Node item : sequence.getValue()) {
                    items.add(convert(item, depth + 1));
                }
                yield new TextNode.Items(List.copyOf(items), line);
            }
            case MappingNode mapping -> new TextNode.Fields(fields(mapping, depth), line);
            default -> throw at(node.getStartMark(), "neither a value, a list nor a map");
        };
    }

    private static Map<String, TextNode> fields(MappingNode mapping, int depth) throws Malformed {
        Map<String, TextNode> fields = new LinkedHashMap<>();
        for (NodeTuple tuple : mapping.getValue()) {
            if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
                throw at(tuple.getKeyNode().getStartMark(), "a key has to be a single word");
            }
            if (fields.put(key.getValue(), convert(tuple.getValueNode(), depth + 1)) != null) {
                throw at(key.getStartMark(), "the key stands here a second time in the same map");
            }
        }
        return fields;
    }

    private static Malformed at(@Nullable Mark mark, String problem) {
        return mark == null
                ? new Malformed(problem, 1, 1)
                : new Malformed(problem, mark.getLine() + 1, mark.getColumn() + 1);
    }
}
