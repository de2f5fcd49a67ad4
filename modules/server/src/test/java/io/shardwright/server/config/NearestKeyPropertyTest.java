package io.shardwright.server.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.StringLength;

final class NearestKeyPropertyTest {
    @Property(tries = 200)
    void theDistanceIsSymmetricAndZeroOnlyForEqualWords(
            @ForAll @AlphaChars @StringLength(max = 8) String a, @ForAll @AlphaChars @StringLength(max = 8) String b) {
        assertEquals(NearestKey.distance(a, b), NearestKey.distance(b, a));
        assertEquals(a.equals(b), NearestKey.distance(a, b) == 0);
        assertTrue(NearestKey.distance(a, b) <= Math.max(a.length(), b.length()));
    }
}
