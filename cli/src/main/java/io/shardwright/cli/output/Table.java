package io.shardwright.cli.output;

import java.util.ArrayList;
import java.util.List;

/**
 * Rows in aligned columns under a header. Columns made with {@link #right} are for numbers.
 *
 * <p>Not thread-safe.
 */
public final class Table {
    private static final String GAP = "  ";

    private final List<String> titles = new ArrayList<>();
    private final List<Boolean> rightAligned = new ArrayList<>();
    private final List<List<String>> rows = new ArrayList<>();

    /** Adds columns of text. */
    public Table left(String... columns) {
        return add(false, columns);
    }

    /** Adds columns of numbers. */
    public Table right(String... columns) {
        return add(true, columns);
    }

    /** Adds a row with one cell for each column. */
    public Table row(String... cells) {
        if (cells.length != titles.size()) {
            throw new IllegalArgumentException(cells.length + " cells for " + titles.size() + " columns");
        }
        rows.add(List.of(cells));
        return this;
    }

    /** The header and the rows, without spaces at the ends of lines. */
    public List<String> lines() {
        int[] widths = new int[titles.size()];
        widen(widths, titles);
        rows.forEach(row -> widen(widths, row));
        List<String> lines = new ArrayList<>(rows.size() + 1);
        lines.add(line(titles, widths));
        rows.forEach(row -> lines.add(line(row, widths)));
        return lines;
    }

    private Table add(boolean right, String... columns) {
        for (String column : columns) {
            titles.add(column);
            rightAligned.add(right);
        }
        return this;
    }

    private String line(List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < cells.size(); column++) {
            String cell = cells.get(column);
            String padding = " ".repeat(widths[column] - length(cell));
            line.append(column == 0 ? "" : GAP).append(rightAligned.get(column) ? padding + cell : cell + padding);
        }
        return line.toString().stripTrailing();
    }

    private static void widen(int[] widths, List<String> cells) {
        for (int column = 0; column < widths.length; column++) {
            widths[column] = Math.max(widths[column], length(cells.get(column)));
        }
    }

    private static int length(String cell) {
        return cell.codePointCount(0, cell.length());
    }
}
