package io.shardwright.server.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.StringLength;

final class NearestKeyPropertyTest {

    private static final List<String> KNOWN =
            List.of("grpc.port", "http.port", "leases.default-duration", "leases.longest", "persistence.type");

    @Example
    void aWrongKeyLeadsToTheOnesThatShareAWordWithIt() {
        assertEquals(
                "Did you mean leases.default-duration or leases.longest?", NearestKey.remedy("lease.length", KNOWN));
        assertEquals("Did you mean leases.default-duration or leases.longest?", NearestKey.remedy("lease", KNOWN));
        assertEquals(
                "Remove it; `shardwright config show` lists every key.", NearestKey.remedy("nothing.alike", KNOWN));
    }

    @Property(tries = 200)
    void theDistanceIsSymmetricAndZeroOnlyForEqualWords(
            @ForAll @AlphaChars @StringLength(max = 8) String a, @ForAll @AlphaChars @StringLength(max = 8) String b) {
        assertEquals(NearestKey.distance(a, b), NearestKey.distance(b, a));
        assertEquals(a.equals(b), NearestKey.distance(a, b) == 0);
        assertTrue(NearestKey.distance(a, b) <= Math.max(a.length(), b.length()));
    }
}
