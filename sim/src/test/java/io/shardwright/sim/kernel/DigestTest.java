package io.shardwright.sim.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class DigestTest {

    private static long of(byte[] bytes, int length) {
        Digest digest = new Digest();
        digest.add(bytes, length);
        return digest.value();
    }

    @Test
    void eachByteAndItsPlaceCounts() {
        TreeSet<Long> seen = new TreeSet<>();
        seen.add(of(new byte[21], 21));
        for (int i = 0; i < 21; i++) {
            byte[] bytes = new byte[21];
            bytes[i] = (byte) 0x80;
            seen.add(of(bytes, 21));
        }
        assertEquals(22, seen.size());
    }

    @Test
    void whatLiesBehindTheLengthDoesNotCountButTheLengthDoes() {
        byte[] bytes = {1, 2, 3, 4};
        assertEquals(of(bytes, 3), of(new byte[] {1, 2, 3, 9}, 3));
        assertNotEquals(of(new byte[3], 3), of(new byte[4], 4));
    }
}
