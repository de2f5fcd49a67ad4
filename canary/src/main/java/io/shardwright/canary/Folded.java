package io.shardwright.canary;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Text in lines of a bounded width. */
final class Folded {

    private Folded() {}

    /**
     * Puts parts next to each other, and goes on in a new line where the next one does not fit. A part that is wider
     * than a line is cut off.
     *
     * @param width in characters, at least 1
     * @param gap between the parts of a line
     * @param indent of all lines but the first
     */
    static List<String> parts(List<String> parts, String gap, String indent, int width) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        boolean empty = true;
        List<String> fitting = parts.stream()
                .flatMap(part ->
                        part.length() + indent.length() <= width ? Stream.of(part) : Arrays.stream(part.split(" ", -1)))
                .toList();
        for (String part : fitting) {
            if (!empty && line.length() + gap.length() + part.length() > width) {
                lines.add(cut(line.toString(), width));
                line = new StringBuilder(indent);
                empty = true;
            }
            line.append(empty ? "" : gap).append(part);
            empty = false;
        }
        lines.add(cut(line.toString(), width));
        return lines;
    }

    /** Folds lines of words, the same way. */
    static List<String> text(String text, String indent, int width) {
        List<String> lines = new ArrayList<>();
        for (String line : text.split("\n", -1)) {
            String printable = line.replaceAll("\\p{Cntrl}", " ");
            lines.addAll(parts(Arrays.asList(printable.split(" ", -1)), " ", indent, width));
        }
        return lines;
    }

    static String cut(String line, int width) {
        return line.length() <= width ? line : line.substring(0, width);
    }
}
