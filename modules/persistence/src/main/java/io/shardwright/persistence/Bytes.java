package io.shardwright.persistence;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * An immutable sequence of bytes: a key or a value of the store.
 *
 * <p>Ordered as etcd orders keys: byte by byte, unsigned, a prefix before what it begins.
 */
public final class Bytes implements Comparable<Bytes> {

    /** No bytes at all. */
    public static final Bytes EMPTY = new Bytes(new byte[0]);

    private final byte[] content;

    private Bytes(byte[] content) {
        this.content = content;
    }

    /** Returns a copy of the given bytes. */
    public static Bytes of(byte[] content) {
        return content.length == 0 ? EMPTY : new Bytes(content.clone());
    }

    /** Returns the UTF-8 form of a text. */
    public static Bytes utf8(String text) {
        return text.isEmpty() ? EMPTY : new Bytes(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns a copy of the content. */
    public byte[] toByteArray() {
        return content.clone();
    }

    /** Returns the content read as UTF-8. */
    public String toUtf8() {
        return new String(content, StandardCharsets.UTF_8);
    }

    /** Returns the number of bytes. */
    public int length() {
        return content.length;
    }

    /** Tells whether this begins with {@code prefix}. */
    public boolean startsWith(Bytes prefix) {
        return content.length >= prefix.content.length
                && Arrays.equals(content, 0, prefix.content.length, prefix.content, 0, prefix.content.length);
    }

    /**
     * Returns the smallest key that is greater than every key that begins with this one: the end of a prefix range.
     * {@code "\0"}, which as a range end means "to the last key", where no such key exists (all bytes are 0xff, or
     * there are none).
     */
    public Bytes prefixEnd() {
        for (int i = content.length - 1; i >= 0; i--) {
            if (content[i] != (byte) 0xff) {
                byte[] end = Arrays.copyOf(content, i + 1);
                end[i]++;
                return new Bytes(end);
            }
        }
        return new Bytes(new byte[1]);
    }

    @Override
    public int compareTo(Bytes other) {
        return Arrays.compareUnsigned(content, other.content);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Bytes bytes && Arrays.equals(content, bytes.content);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(content);
    }

    /** Returns the content as text where it is printable ASCII, else in hexadecimal; for people. */
    @Override
    public String toString() {
        for (byte b : content) {
            if (b < 0x20 || b > 0x7e) {
                return "0x" + HexFormat.of().formatHex(content);
            }
        }
        return toUtf8();
    }
}
