package io.shardwright.domain;

/** Bad input: names the field, the value and the rule that the value breaks. */
public final class InvalidField extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;
    private static final int SHOWN = 64;

    private final String field;
    private final String value;
    private final String rule;

    /**
     * Describes a bad value.
     *
     * @param field name as the caller knows it
     * @param value what was given; shortened and made printable here
     * @param rule what a good value looks like
     */
    public InvalidField(String field, String value, String rule) {
        super(field + " = \"" + printable(value) + "\": " + rule);
        this.field = field;
        this.value = printable(value);
        this.rule = rule;
    }

    /** Returns the name of the field. */
    public String field() {
        return field;
    }

    /** Returns the value, shortened to 64 characters and without control characters. */
    public String value() {
        return value;
    }

    /** Returns what a good value looks like. */
    public String rule() {
        return rule;
    }

    /** Checks that a text is short and can be printed. */
    static void requireText(String field, String text, int maxLength) {
        if (text.length() > maxLength) {
            throw new InvalidField(field, text, "must be at most " + maxLength + " characters");
        }
        if (text.chars().anyMatch(Character::isISOControl)) {
            throw new InvalidField(field, text, "must not contain control characters");
        }
    }

    /**
     * Returns a text that is safe to log: control characters as '?', and cut with its length named where it is long.
     */
    public static String printable(String text) {
        StringBuilder shown = new StringBuilder();
        int end = Math.min(text.length(), SHOWN);
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            shown.append(Character.isISOControl(c) || Character.isSurrogate(c) ? '?' : c);
        }
        if (text.length() > SHOWN) {
            shown.append("... (").append(text.length()).append(" characters)");
        }
        return shown.toString();
    }
}
