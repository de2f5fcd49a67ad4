package io.shardwright.canary;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.canary.check.Violation;
import io.shardwright.canary.ping.Findings;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SummaryTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static Summary summary(long doubleOwners, long epochFalls, int tooLong, List<Violation> violations) {
        Findings.Counts counts = new Findings.Counts(3000, 2950, 10, 30, 10, 300, 44, doubleOwners, epochFalls, 0);
        return new Summary(MINUTE, counts, violations, Duration.ofMillis(5300), Duration.ofSeconds(25), tooLong, 3);
    }

    @Test
    void aCleanRunSaysSoInOneJsonObject() {
        assertEquals(
                "{\"clean\":true,\"ran_millis\":60000,\"pings\":3000,\"ok\":2950,\"failed_not_owned\":10,"
                        + "\"failed_unreachable\":30,\"failed_no_owner\":10,\"ephemeral_created\":300,\"moves\":44,"
                        + "\"executors_killed\":3,\"longest_without_owner_millis\":5300,"
                        + "\"allowed_without_owner_millis\":25000,\"shards_without_owner_too_long\":0,"
                        + "\"double_owners\":0,\"epoch_falls\":0,\"fence_refusals\":0,\"violations\":[]}",
                summary(0, 0, 0, List.of()).json());
    }

    @Test
    void quotesAndControlCharactersInAProofStayInsideTheirString() {
        Violation violation = new Violation(Violation.Kind.DOUBLE_OWNER, "ns/\"7\"", "a\\b\nc");
        String json = summary(1, 0, 0, List.of(violation)).json();
        assertTrue(
                json.contains("{\"kind\":\"DOUBLE_OWNER\",\"shard\":\"ns/\\\"7\\\"\",\"proof\":\"a\\\\b\\u000ac\"}"),
                json);
    }

    @Test
    void eachBrokenPromiseAloneEndsWithThree() {
        assertEquals(ExitCodes.CLEAN, summary(0, 0, 0, List.of()).exitCode());
        assertEquals(ExitCodes.VIOLATION, summary(1, 0, 0, List.of()).exitCode());
        assertEquals(ExitCodes.VIOLATION, summary(0, 1, 0, List.of()).exitCode());
        assertEquals(ExitCodes.VIOLATION, summary(0, 0, 1, List.of()).exitCode());
    }

    @Test
    void aRunInWhichNobodyEverAnsweredIsNotClean() {
        Findings.Counts nobody = new Findings.Counts(300, 0, 0, 0, 300, 0, 0, 0, 0, 0);
        Summary summary = new Summary(MINUTE, nobody, List.of(), Duration.ofSeconds(20), Duration.ofSeconds(25), 0, 0);
        assertEquals(ExitCodes.VIOLATION, summary.exitCode());
        assertTrue(summary.table().contains("VIOLATION no ping was answered by an owner"), summary.table()::toString);
        assertTrue(summary.json().startsWith("{\"clean\":false,"), summary.json());
    }

    @Test
    void theTableNamesTheViolation() {
        Violation violation = new Violation(Violation.Kind.EPOCH_FALL, "ns/7", "e1/p@4 claims it after e2/q@5 did");
        List<String> table = summary(0, 1, 0, List.of(violation)).table();
        assertTrue(table.contains("VIOLATION EPOCH_FALL ns/7: e1/p@4 claims it after e2/q@5 did"), table.toString());
        assertEquals("VIOLATED", table.getLast());
    }
}
