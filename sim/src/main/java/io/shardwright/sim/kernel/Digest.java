package io.shardwright.sim.kernel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** A rolling 64-bit digest of everything that happened; two runs with one digest were the same run. */
public final class Digest {

    private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private long value = 1;

    /** Takes a number in. */
    public void add(long number) {
        value = SimRandom.mix(value * 31 + number);
    }

    /** Takes a text in. */
    public void add(String text) {
        // String.hashCode is specified by the Java platform, so it is the same everywhere.
        add(text.hashCode() * 31L + text.length());
    }

    /** Takes bytes in, eight at a time: runs spend a part of their time here. */
    public void add(byte[] bytes, int length) {
        add(length);
        int i = 0;
        for (; i + Long.BYTES <= length; i += Long.BYTES) {
            add((long) WORDS.get(bytes, i));
        }
        long rest = 0;
        for (; i < length; i++) {
            rest = (rest << Byte.SIZE) | (bytes[i] & 0xff);
        }
        add(rest);
    }

    /** Returns the digest of what was taken in so far. */
    public long value() {
        return value;
    }
}
