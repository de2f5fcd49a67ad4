package io.shardwright.domain;

/**
 * Name of a shard inside its namespace: 1 to 256 bytes of UTF-8 without control characters.
 *
 * <p>Ordered by characters, which is the order of the shards of an ephemeral namespace.
 */
public record ShardKey(String value) implements Comparable<ShardKey> {

    /** Longest key, in bytes of UTF-8. */
    public static final int MAX_BYTES = 256;

    private static final String RULE = "must be 1 to 256 bytes of UTF-8 without control characters";

    /**
     * Checks the key.
     *
     * @throws InvalidField when it breaks the rule
     */
    public ShardKey {
        int length = value.length();
        if (length == 0 || length > MAX_BYTES) {
            throw new InvalidField("shard_key", value, RULE);
        }
        int bytes = 0;
        for (int i = 0; i < length; i++) {
            char c = value.charAt(i);
            if (c < 0x80) {
                if (c < 0x20 || c == 0x7f) {
                    throw new InvalidField("shard_key", value, RULE);
                }
                bytes++;
            } else if (c < 0xa0) {
                throw new InvalidField("shard_key", value, RULE);
            } else if (Character.isHighSurrogate(c)
                    && i + 1 < length
                    && Character.isLowSurrogate(value.charAt(i + 1))) {
                bytes += 4;
                i++;
            } else if (Character.isSurrogate(c)) {
                throw new InvalidField("shard_key", value, RULE);
            } else {
                bytes += c < 0x800 ? 2 : 3;
            }
        }
        if (bytes > MAX_BYTES) {
            throw new InvalidField("shard_key", value, RULE);
        }
    }

    @Override
    public int compareTo(ShardKey other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
