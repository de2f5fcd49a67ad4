package io.shardwright.domain;

/** Identity that an executor chose: 1 to 128 of A-Z, a-z, 0-9, '.', '_', '-' and ':' (B5). */
public record ExecutorId(String value) implements Comparable<ExecutorId> {

    /** Longest id, in characters. */
    public static final int MAX_LENGTH = 128;

    /**
     * Checks the id.
     *
     * @throws InvalidField when it breaks the rule
     */
    public ExecutorId {
        if (!wellFormed(value)) {
            throw new InvalidField(
                    "executor_id", value, "must be 1 to 128 characters of A-Z, a-z, 0-9, '.', '_', '-' and ':'");
        }
    }

    private static boolean wellFormed(String value) {
        if (value.isEmpty() || value.length() > MAX_LENGTH) {
            return false;
        }
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            boolean ok = (c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= '0' && c <= '9')
                    || c == '.'
                    || c == '_'
                    || c == '-'
                    || c == ':';
            if (!ok) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int compareTo(ExecutorId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
