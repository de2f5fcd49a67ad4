package io.shardwright.domain;

import java.util.regex.Pattern;

/** Name of a namespace: 1 to 63 of a-z, 0-9 and '-', beginning and ending with a letter or digit. */
public record NamespaceName(String value) implements Comparable<NamespaceName> {

    private static final Pattern FORM = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");

    /**
     * Checks the name.
     *
     * @throws InvalidField when it breaks the rule
     */
    public NamespaceName {
        if (!FORM.matcher(value).matches()) {
            throw new InvalidField(
                    "namespace",
                    value,
                    "must be 1 to 63 characters of a-z, 0-9 and '-', beginning and ending with a letter or digit");
        }
    }

    @Override
    public int compareTo(NamespaceName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
