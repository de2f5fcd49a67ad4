package io.shardwright.persistence;

/**
 * Which keys a request is about, in etcd's form.
 *
 * @param start first key
 * @param end first key after the range; {@link Bytes#EMPTY}: only {@code start}; a single zero byte: every key from
 *     {@code start} on
 */
public record KeyRange(Bytes start, Bytes end) {

    private static final Bytes LAST = Bytes.of(new byte[1]);

    /** Returns the range of one key. */
    public static KeyRange single(Bytes key) {
        return new KeyRange(key, Bytes.EMPTY);
    }

    /** Returns the range of every key that begins with {@code prefix}. */
    public static KeyRange prefix(Bytes prefix) {
        return new KeyRange(prefix.length() == 0 ? LAST : prefix, prefix.prefixEnd());
    }

    /** Returns the range of {@code start} and every key after it. */
    public static KeyRange from(Bytes start) {
        return new KeyRange(start, LAST);
    }

    /** Tells whether the range is one key. */
    public boolean isSingle() {
        return end.length() == 0;
    }

    /** Tells whether the range has no end. */
    public boolean isOpen() {
        return end.equals(LAST);
    }

    /** Tells whether no key can be in the range: it ends where it starts, or before. */
    public boolean isEmpty() {
        return !isSingle() && !isOpen() && start.compareTo(end) >= 0;
    }

    /** Tells whether a key is in the range. */
    public boolean contains(Bytes key) {
        if (isSingle()) {
            return key.equals(start);
        }
        return key.compareTo(start) >= 0 && (isOpen() || key.compareTo(end) < 0);
    }
}
