package io.shardwright.election;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which of two versions is the newer one. */
class BuildVersionTest {

    /** Oldest first. */
    private static final List<String> ORDER = List.of(
            "0.9.9",
            "1.0.0-alpha",
            "1.0.0-alpha.1",
            "1.0.0-alpha.beta",
            "1.0.0-beta",
            "1.0.0-beta.2",
            "1.0.0-beta.11",
            "1.0.0-rc.1",
            "1.0.0",
            "1.6.0-rc1",
            "1.6.0-rc2",
            "1.6.0-rc2-9-gab12",
            "1.6.0-rc2-156-g0",
            "1.6.0-rc2.2",
            "1.6.0-rc3",
            "1.6.0-rc9",
            "1.6.0-rc10",
            "1.6.0-3-gabcdef0",
            "1.6.0-12-gabcdef0",
            "1.6.0",
            "1.6.1-rc1",
            "1.10.0",
            "2.0.0");

    @Test
    @Tag("R149")
    @Tag("R150")
    @Tag("R151")
    void versionsAreOrderedAsTheirReleasesFollowEachOther() {
        for (int i = 0; i < ORDER.size(); i++) {
            for (int j = 0; j < ORDER.size(); j++) {
                assertEquals(
                        i > j, BuildVersion.isNewer(ORDER.get(i), ORDER.get(j)), ORDER.get(i) + " and " + ORDER.get(j));
            }
        }
    }

    @Test
    void whatFollowsAPlusAndAVInFrontDoNotCount() {
        assertFalse(BuildVersion.isNewer("1.6.0+build.7", "1.6.0"));
        assertFalse(BuildVersion.isNewer("1.6.0", "1.6.0+build.7"));
        assertTrue(BuildVersion.isNewer("v1.6.1", "1.6.0+z"));
    }

    @ParameterizedTest
    @Tag("R152")
    @ValueSource(strings = {"", "main", "1", "1.2", "1.2.x", "1.2.3-", "1.2.3-a..b", "99999999999999999999.0.0"})
    void aTextThatIsNoVersionIsNeitherNewerNorOlder(String text) {
        assertEquals(Optional.empty(), BuildVersion.parse(text));
        assertFalse(BuildVersion.isNewer(text, "0.0.1"));
        assertFalse(BuildVersion.isNewer("9.0.0", text));
    }
}
