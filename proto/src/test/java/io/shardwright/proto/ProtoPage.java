package io.shardwright.proto;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Turns one .proto file into a part of the reference page.
 *
 * <p>Reads our own files line by line: one element a line, its comment in the lines before it, blocks indented by two
 * spaces. That is how the files are written, and an element without a comment is reported.
 */
final class ProtoPage {

    private static final Pattern BLOCK = Pattern.compile("^(service|message|enum) (\\w+) \\{(\\})?$");
    private static final Pattern RPC =
            Pattern.compile("^rpc (\\w+)\\((stream )?(\\w+)\\) returns \\((stream )?(\\w+)\\);$");
    private static final Pattern FIELD = Pattern.compile("^((?:repeated |optional )?[\\w.]+) (\\w+) = (\\d+);$");
    private static final Pattern VALUE = Pattern.compile("^(\\w+) = (\\d+);$");
    private static final Pattern ONEOF = Pattern.compile("^oneof (\\w+) \\{$");

    private static final List<String> TEXTS_AND_LISTS = List.of("Empty", "empty", "Always set", "Required");

    /** What is not measured in milliseconds and not a count. */
    private static final List<String> NUMBERS =
            List.of("revision", "Revision", "Epoch", "generation", "Number of", "Port", "from 1", "Load", "load");

    private final StringBuilder page = new StringBuilder();
    private final List<String> uncommented = new ArrayList<>();
    private final List<String> vague = new ArrayList<>();
    private final List<String> comment = new ArrayList<>();
    private String block = "";
    private String oneof = "";

    static ProtoPage read(Path file) throws IOException {
        ProtoPage page = new ProtoPage();
        page.page.append("## ").append(file.getFileName()).append("\n\n");
        for (String line : Files.readAllLines(file)) {
            page.line(line);
        }
        return page;
    }

    String markdown() {
        return page.toString();
    }

    List<String> uncommented() {
        return uncommented;
    }

    /** Fields whose comment leaves open what their kind of field has to say. */
    List<String> vague() {
        return vague;
    }

    private void line(String line) {
        String text = line.strip();
        if (text.startsWith("//")) {
            comment.add(text.startsWith("// ") ? text.substring(3) : text.substring(2));
            return;
        }
        Matcher opened = BLOCK.matcher(text);
        Matcher rpc = RPC.matcher(text);
        Matcher field = FIELD.matcher(text);
        Matcher value = VALUE.matcher(text);
        Matcher choice = ONEOF.matcher(text);
        if (text.startsWith("syntax")) {
            header();
        } else if (opened.matches()) {
            open(opened);
        } else if (rpc.matches()) {
            String in = rpc.group(2) == null ? rpc.group(3) : "stream of " + rpc.group(3);
            String out = rpc.group(4) == null ? rpc.group(5) : "stream of " + rpc.group(5);
            element(rpc.group(1), "**" + rpc.group(1) + "** (" + in + ") -> " + out);
        } else if (field.matches() && !block.isEmpty()) {
            checkSaid(field.group(1), field.group(2));
            String name = oneof.isEmpty() ? "" : ", one of `" + oneof + "`";
            element(field.group(2), "`" + field.group(2) + "` (" + field.group(1) + ", " + field.group(3) + name + ")");
        } else if (value.matches() && !block.isEmpty()) {
            element(value.group(1), "`" + value.group(1) + "` (" + value.group(2) + ")");
        } else if (choice.matches()) {
            oneof = choice.group(1);
        } else if (text.equals("}")) {
            close();
        }
        comment.clear();
    }

    /** The comment at the head of a file, line by line; what is indented there is a table. */
    private void header() {
        for (String line : comment) {
            page.append(line.startsWith(" ") ? "    " + line.strip() : line).append('\n');
        }
        page.append('\n');
    }

    private String said() {
        return String.join(" ", comment);
    }

    private void open(Matcher opened) {
        check(opened.group(2));
        page.append("### ")
                .append(opened.group(1))
                .append(' ')
                .append(opened.group(2))
                .append("\n\n");
        page.append(said()).append("\n\n");
        block = opened.group(3) == null ? opened.group(2) : "";
    }

    private void close() {
        if (!oneof.isEmpty()) {
            oneof = "";
        } else {
            block = "";
            page.append('\n');
        }
    }

    private void element(String name, String title) {
        check(block + "." + name);
        page.append("* ").append(title).append(": ").append(said()).append('\n');
    }

    /**
     * What a field says of its unit, and of its absence: proto3 does not tell an empty text from one that is not sent.
     */
    private void checkSaid(String type, String name) {
        List<String> oneOf = new ArrayList<>();
        if (type.startsWith("repeated ")) {
            oneOf.addAll(TEXTS_AND_LISTS);
        } else if (type.startsWith("optional ")) {
            oneOf.addAll(List.of("Absent"));
        } else {
            switch (type) {
                case "string" -> oneOf.addAll(TEXTS_AND_LISTS);
                case "bool" -> oneOf.addAll(List.of("True", "False"));
                case "uint32", "uint64", "double" -> {
                    if (name.endsWith("_millis")) {
                        oneOf.add("milliseconds");
                    } else if (!name.endsWith("_count")) {
                        oneOf.addAll(NUMBERS);
                    }
                }
                // A message or an enum; of a oneof, its own comment says that one is set.
                default -> {
                    if (oneof.isEmpty()) {
                        oneOf.addAll(List.of("Absent", "Always set", "Required", "Unspecified"));
                    }
                }
            }
        }
        if (!oneOf.isEmpty() && oneOf.stream().noneMatch(said()::contains)) {
            vague.add(block + "." + name + " (" + type + ") says none of " + oneOf);
        }
    }

    private void check(String name) {
        if (comment.isEmpty()) {
            uncommented.add(name);
        }
    }
}
