package io.shardwright.election;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.persistence.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What stands in an election key. */
class ElectionEntryTest {

    private static final ElectionEntry ENTRY = new ElectionEntry(
            new Candidate("pod-1/pid-7/1760000000", new LeaderAddress("10.0.0.7", 9002), "1.6.0-rc2"), "00ff", true);

    @Test
    @Tag("R145")
    void anEntryIsJsonThatEtcdctlShows() {
        assertEquals(
                "{\"format\":1,\"identity\":\"pod-1/pid-7/1760000000\",\"grpc_host\":\"10.0.0.7\",\"grpc_port\":9002,"
                        + "\"ready\":true,\"version\":\"1.6.0-rc2\",\"incarnation\":\"00ff\"}",
                ENTRY.encode().toUtf8());
    }

    @Property
    void whatIsWrittenIsRead(
            @ForAll @StringLength(max = 40) String text, @ForAll @IntRange(min = 1, max = 65_535) int port) {
        ElectionEntry entry = new ElectionEntry(
                new Candidate(text, new LeaderAddress("h" + text, port), text), text, text.length() % 2 == 0);
        String utf8 = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        if (utf8.equals(text)) {
            assertEquals(Optional.of(entry), ElectionEntry.decode(entry.encode()));
        }
    }

    @Property
    @net.jqwik.api.Tag("R160")
    void nothingThatStandsThereBringsAReaderDown(@ForAll @StringLength(max = 60) String text) {
        ElectionEntry.decode(Bytes.utf8(text));
        String good = ENTRY.encode().toUtf8();
        ElectionEntry.decode(Bytes.utf8(good.substring(0, Math.min(good.length(), text.length())) + text));
    }

    @ParameterizedTest
    @Tag("R160")
    @ValueSource(
            strings = {
                "",
                "{}",
                "[]",
                "\u0000\u0001",
                "{\"format\":2,\"grpc_host\":\"a\",\"grpc_port\":1}",
                "{\"format\":1,\"grpc_host\":\"a\",\"grpc_port\":0}",
                "{\"format\":1,\"grpc_host\":\"a\",\"grpc_port\":65536}",
                "{\"format\":1,\"grpc_host\":\"\",\"grpc_port\":1}",
                "{\"format\":1,\"grpc_host\":\"a\",\"grpc_port\":1} x",
                "{\"format\":1,\"grpc_host\":\"a\",\"grpc_port\":1,\"more\":{}}",
                "{\"format\":1,\"format\":1,\"grpc_host\":\"a\",\"grpc_port\":1}"
            })
    void anEntryOfAnotherKindIsNotRead(String text) {
        assertEquals(Optional.empty(), ElectionEntry.decode(Bytes.utf8(text)));
    }

    @Test
    void membersThatALaterVersionAddsAreOverlooked() {
        String later = ENTRY.encode().toUtf8().replace("}", " , \"zone\" : \"eu\\u002d1\", \"weight\": -1.5e3}");
        assertTrue(ElectionEntry.decode(Bytes.utf8(later)).isPresent());
    }
}
